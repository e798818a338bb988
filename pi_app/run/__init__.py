"""One run of the companion: opened, looping over keys, telling table and systemd, ended."""
