"""Sequence, the game of five chips in a line, at the table."""
