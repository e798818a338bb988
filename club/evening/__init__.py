"""The organiser's acts, and what follows from them: rounds, seats, standings, the export."""
