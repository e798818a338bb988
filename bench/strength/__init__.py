"""How well the AI plays: duels with other commits and every figure of docs/ai.md, resumable."""


class StrengthError(Exception):
    """A measurement that cannot go on; the text is one sentence that says why."""
