"""Texts in the table's language."""
