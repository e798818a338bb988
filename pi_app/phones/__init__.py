"""Phones and tablets at the table: their views, their requests, and their pages."""
