"""Sounds from a loudspeaker: spoken sentences, and signals where there is no buzzer."""
