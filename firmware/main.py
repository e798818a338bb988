"""MicroPython runs this after power-on."""

import micropython

# First of all: reading the panel's modules takes half a second, and a Ctrl-C in that time would
# leave a prompt instead of a panel, with no watchdog to start it again.
micropython.kbd_intr(-1)

from panel.pico import main  # noqa: E402

main()
