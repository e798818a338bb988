"""What MicroPython runs after power-on."""

from panel.pico import main

main()
