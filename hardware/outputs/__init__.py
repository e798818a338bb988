"""What the header shows and sounds: lamp, buzzer, score display."""
