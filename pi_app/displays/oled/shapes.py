"""The shapes of the players' colours, for a display without colours."""

SHAPES = {
    "yellow": "●",
    "red": "▣",
    "white": "△",
    "pink": "◈",
    "green": "⬡",
    "blue": "★",
}
"""The window's outlines of stones, which here also differ by being full or hollow."""

STRANGER = "✚"
"""For a colour that no built-in game has."""


def shape(colour: str | None) -> str:
    """Return the character of a player colour's shape, "" without a colour."""
    return SHAPES.get(colour, STRANGER) if colour else ""
