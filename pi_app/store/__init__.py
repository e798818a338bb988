"""The games on the disk: written move by move, found again, rescued, counted."""
