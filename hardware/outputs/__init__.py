"""The header's outputs: lamp, buzzer, score display."""
