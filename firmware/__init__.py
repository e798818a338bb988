"""MicroPython for the serial panel; nothing here is imported by the companion."""
