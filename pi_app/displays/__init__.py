"""Displays: each paints the same frames on something else."""
