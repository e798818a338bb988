"""The organiser's acts, and their results: rounds, seats, standings, the export."""
