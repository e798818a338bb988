"""Screens: small objects that say what the table sees and what a key does."""
