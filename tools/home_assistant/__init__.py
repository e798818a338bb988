"""Tries what Home Assistant is told on Home Assistant itself: `make home-test`, as root."""
