"""Screens of a running game: the turn, its menu, corrections, the end."""
