"""What people press and turn on the header: keypad, die buttons, encoder, and who looks at them."""
