"""A game that is being set up, until its first move can be made."""

from dataclasses import dataclass, field

from engines.game import Game


@dataclass(slots=True)
class Draft:
    """A game that is being set up: seats in clockwise order, who starts, rules, own tags."""

    players: list[tuple[str, str]]
    start: int = 0
    rules: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def record_tags(self, game: Game) -> dict[str, str]:
        """Return the tags that begin this game's record."""
        tags = {
            "Game": game.name,
            "Players": ", ".join(f"{name} {colour}" for name, colour in self.players),
        }
        if self.start:
            tags["Start"] = self.players[self.start][0]
        defaults = {rule.key: rule.default for rule in game.house_rules}
        rules = {key: value for key, value in self.rules.items() if value != defaults.get(key)}
        if rules:
            tags["Rules"] = ", ".join(f"{key}={value}" for key, value in rules.items())
        return tags | self.tags
