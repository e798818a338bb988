"""MicroPython for the serial panel; the companion imports nothing from here."""
