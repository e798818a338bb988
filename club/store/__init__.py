"""The club's database: what was sent, what was decided, and who did it when; nothing is deleted."""
