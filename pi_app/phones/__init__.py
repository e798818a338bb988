"""Phones and tablets at the table: what they see, what they may key, and the pages they open."""
