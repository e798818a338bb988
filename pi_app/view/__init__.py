"""Values between screens and devices: frames, outputs, keys."""
