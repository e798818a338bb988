"""Derived from finished games: standings, evenings, statistics, times tables, moments, exports."""
