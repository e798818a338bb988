"""The game on the table: its moves, changes of the past, presentations, players, boards."""
