"""Just 4 Fun, the game of sums on a 6x6 board, at the table."""
