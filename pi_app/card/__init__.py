"""What a flashed card and root's helper add: sticks, health, first start, updates."""
