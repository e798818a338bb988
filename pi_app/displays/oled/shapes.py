"""The shape that stands for a player's colour on a display that has none."""

SHAPES = {
    "yellow": "●",
    "red": "▣",
    "white": "△",
    "pink": "◈",
    "green": "⬡",
    "blue": "★",
}
"""The outlines that the window gives the stones, told apart by being full or hollow as well."""

STRANGER = "✚"
"""For a colour that no game of ours has."""


def shape(colour: str | None) -> str:
    """Return the character of a player colour's shape, none without a colour."""
    return SHAPES.get(colour, STRANGER) if colour else ""
