"""Stones on the table in one line, colours in any language: `Anna gelb 23:3 7:1; Ben rot 7:2`."""

import re

from engines.seating import player_pairs
from pi_app.table.faces import AnyFace
from pi_app.texts.common import colour_named, colour_word
from pi_app.texts.language import Texts
from pi_app.texts.printable import shortened

_ITEM = re.compile(r"(\d+)(?:[:x@](\d+))?")


class StonesError(ValueError):
    """A line that says no position; `reason` is one sentence in the table's language."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def tags_of_stones(tx: Texts, face: AnyFace, text: str) -> dict[str, str]:
    """Return the tags of a record that begins with these stones; StonesError where they say none.

    Each player: a name (without one the colour's), a colour, the stones; players are separated
    by semicolons. Stones are written `23:3`; the signs of `Position` do as well.
    """
    players, parts = [], []
    for part in text.split(";"):
        words = part.split()
        items = [word for word in words if _ITEM.fullmatch(word) or "=" in word]
        name = words[: len(words) - len(items)]
        colour = colour_named(name[-1]) if name else None
        if colour is None or words[len(name) :] != items:
            raise StonesError(
                tx(
                    "cli",
                    "{part} is not a name, a colour and stones, as in Anna yellow 23:3 7:1",
                    part=shortened(part.strip(), 40) or ";",
                )
            )
        who = " ".join(name[:-1]) or colour_word(tx, colour).capitalize()
        players.append(f"{who} {colour}")
        parts.append(" ".join([colour, *(_item(face, item) for item in items)]))
    return {
        "Game": face.game.name,
        "Players": ", ".join(players),
        "Position": "; ".join(parts),
    }


def _item(face: AnyFace, word: str) -> str:
    found = _ITEM.fullmatch(word)
    if found is None or found[2] is None:
        return word
    return f"{found[1]}{face.stones_sign}{found[2]}"


def with_colours(players: str) -> str:
    """Return the players of a command line with the colours of the record format."""
    pairs = player_pairs(players)
    return ", ".join(f"{name} {colour_named(word) or word}".lstrip() for name, word in pairs)
