"""Devices: keys, display, lamp, buzzer, panel. Knows nothing of games."""
