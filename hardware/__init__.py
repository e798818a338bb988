"""Devices: keys, number pads, OLED, lamp, buzzer, serial panel. Nothing here knows any game."""
