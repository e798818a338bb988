"""What a flashed card and root's helper add: sticks, first start, updates."""
