"""Devices: keys, OLED, lamp, buzzer, serial panel. Nothing here knows any game."""
