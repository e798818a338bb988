"""What can be set, and the file it is set in."""
