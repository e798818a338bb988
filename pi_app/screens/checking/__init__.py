"""Screens that ask what lies on each place of the table, and correct it."""
