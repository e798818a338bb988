"""The header's inputs: keypad, die buttons, encoder, and the thread that polls them."""
