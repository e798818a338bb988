"""Straight rows on a grid of squares."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps in row and column: across, down and both slanting ways."""
