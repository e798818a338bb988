"""What screens and devices exchange: frames, outputs, keys."""
