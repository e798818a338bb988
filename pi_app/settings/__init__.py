"""The settings, and the files they are read from."""
