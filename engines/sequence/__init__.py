"""Sequence: cards place chips, five in a line are a sequence; teams play against each other."""
