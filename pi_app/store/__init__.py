"""Stores games on the disk move by move, finds them again, and rescues them from damaged files."""
