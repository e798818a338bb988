"""How each extra and each display attaches itself to the program."""
