"""Receives results from tables, and judges which of them count."""
