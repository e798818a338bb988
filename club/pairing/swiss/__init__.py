"""The Swiss system for tables of two."""
