"""The serial panel's firmware: everything but `pico` runs without a Pico."""

VERSION = "1.0"
