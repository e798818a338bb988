"""The header's outputs: lamp and buzzer."""
