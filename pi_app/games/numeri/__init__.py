"""numeri, the game of the stones that jump to the next free field, at the table."""
