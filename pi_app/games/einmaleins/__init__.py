"""Einmaleins, the card game of the times table, at the table."""
