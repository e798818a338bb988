"""Screens before a game: the first one, the set-up, the games played so far."""
