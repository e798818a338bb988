"""What the organiser does: each act is noted, and most can be taken back."""
