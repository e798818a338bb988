"""Each game's part of the companion: its words, its picture, its screens."""
