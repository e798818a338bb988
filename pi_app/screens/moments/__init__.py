"""Moments of finished games: how many wait, and asking them one after the other."""
