"""The serial panel's firmware: everything but `pico` runs on any Python."""

VERSION = "1.0"
