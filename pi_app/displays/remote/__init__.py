"""Phones and tablets: frames out and keys in over a Unix socket, and which browsers may key."""
