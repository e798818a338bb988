"""What goes wrong while strength is measured."""


class StrengthError(Exception):
    """A measurement that cannot go on; the text is one sentence that says why."""
