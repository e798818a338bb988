"""Spreads people over tables of two to four so that they meet as few as possible again."""
