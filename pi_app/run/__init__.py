"""One run of the companion: start, loop, messages to table and systemd, end."""
