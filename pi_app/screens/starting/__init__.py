"""Screens before a game: the first menu, the set-up, past games."""
