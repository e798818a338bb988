"""Screens for what outlives a game: boards, players, the system."""
