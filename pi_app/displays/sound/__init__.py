"""What the table hears without a buzzer: the voice, and signals on the loudspeaker."""
