"""numeri: the die says which stone moves; stones on the most valuable fields win."""
