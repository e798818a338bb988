"""A game that is being set up."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from engines.game import Game

Strength = Literal["beginner", "club", "best"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
"""How well the companion plays a seat."""


def strengths_of(stored: object) -> dict[str, Strength]:
    """Return the valid entries of a stored dict: names of seats with their strengths."""
    rows = stored.items() if isinstance(stored, dict) else ()
    return {str(name): level for name, word in rows for level in STRENGTHS if level == word}


@dataclass(slots=True)
class SetupDraft:
    """A game that is being set up."""

    players: list[tuple[str, str]]
    """The name and the colour of each seat, in clockwise order."""
    start: int = 0
    """The seat that starts."""
    rules: dict[str, str] = field(default_factory=dict)
    """The house rules that were chosen: their values by their keys."""
    tags: dict[str, str] = field(default_factory=dict)
    """Further tags of the record, such as `Board` or `Position`."""
    bot_seats: dict[str, Strength] = field(default_factory=dict)
    """How well the companion plays its own seats, by their names."""

    def record_tags(self, game: Game) -> dict[str, str]:
        """Return the tags that begin this game's record."""
        tags = {
            "Game": game.name,
            "Players": ", ".join(f"{name} {colour}" for name, colour in self.players),
        }
        if self.start:  # without the tag the first seat begins
            name, _ = self.players[self.start]
            tags["Start"] = name
        defaults = game.default_rules
        rules = {key: value for key, value in self.rules.items() if value != defaults.get(key)}
        if rules:
            tags["Rules"] = ", ".join(f"{key}={value}" for key, value in rules.items())
        return tags | self.tags
