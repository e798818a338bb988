"""Features of a flashed card and of root's helper: sticks, first start, updates."""
