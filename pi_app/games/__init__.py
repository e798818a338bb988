"""What each game adds to the companion: its words, its picture, its screens."""
