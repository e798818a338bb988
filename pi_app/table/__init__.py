"""The game here: the table with its moves, changes of the past, faces, players, boards."""
