"""Stones on the table in one line, colours in any language: `Anna gelb 23:3 7:1; Ben rot 7:2`."""

import re

from engines.seating import player_pairs
from pi_app.table.places import Slots
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.common import colour_word, find_colour
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten

_ITEM = re.compile(r"(\d+)(?:[:x@](\d+))?")
"""Stones: a number alone, or two with a sign between them, such as 23:3."""
_STONES_INSIDE = re.compile(r"[:=@]|\dx\d")
"""Finds stones without a space before them, which no name contains."""


def tags_of_stones(tx: Texts, presentation: AnyPresentation, text: str) -> dict[str, str]:
    """Return the tags of a record that begins with these stones; ValueError if that is impossible.

    Semicolons separate the players; each has a name, a colour and stones. `add_colours` reads name
    and colour; stones are written as `23:3` or with the signs of the tag `Position`.
    """
    names, stones = [], []
    for part in text.split(";"):
        words = part.split()
        items = [word for word in words if _ITEM.fullmatch(word) or "=" in word]
        name = words[: len(words) - len(items)]  # the player's name, then the colour
        named = len(name) == 1 or (len(name) > 1 and find_colour(name[-1]) is not None)
        known = named and not any(map(_STONES_INSIDE.search, name))
        # stones stand after the name only, and no name has a comma
        if not known or words[len(name) :] != items or "," in part:
            shown = shorten(part.strip(), 40) or ";"
            example = stones_example(presentation)
            raise ValueError(f"{shown} is not a name, a colour and stones, as in {example}")
        names.append(" ".join(name))
        stones.append([_item(presentation, item) for item in items])
    players = add_colours(tx, presentation, ", ".join(names))
    colours = [colour for _, colour in player_pairs(players)]
    parts = [" ".join([colour, *own]) for colour, own in zip(colours, stones, strict=True)]
    return {
        "Game": presentation.game.name,
        "Players": players,
        "Position": "; ".join(parts),
    }


def stones_example(presentation: AnyPresentation) -> str:
    """Return an example for the command line: stones of two players."""
    stones = (presentation.places or Slots).stones_examples
    players = zip(("Anna", "Ben"), presentation.game.colours, stones, strict=False)
    return "; ".join(f"{name} {colour} {own}" for name, colour, own in players)


def _item(presentation: AnyPresentation, word: str) -> str:
    """Return a word with the sign of the tag `Position`, if it is a stone with a number."""
    match, sign = _ITEM.fullmatch(word), (presentation.places or Slots).stones_sign
    return f"{match[1]}{sign}{match[2]}" if match and match[2] else word


def add_colours(tx: Texts, presentation: AnyPresentation, players: str) -> str:
    """Return the players of a command line in the form of the tag `Players`.

    A colour may be in any language. A single word is a name, which gets the game's next free
    colour, or a colour, which becomes the player's name too.
    """
    pairs = [_name_and_colour(tx, *pair) for pair in player_pairs(players)]
    # a number of players that the game does not have is refused later, by the set-up
    counts = presentation.game.player_counts
    count = min(max(len(pairs), min(counts)), max(counts))
    unused = [colour for _, colour in presentation.seats(tx, count, None)]
    for _, colour in pairs:
        if colour in unused:
            unused.remove(colour)
    seats = []
    for name, colour in pairs:
        free = ""
        if name and not colour:
            # with more players than colours any colour will do: the set-up refuses their number
            free = unused.pop(0) if unused else presentation.game.colours[0]
        seats.append(f"{name} {colour or free}" if name else "")
    return ", ".join(seats)


def _name_and_colour(tx: Texts, name: str, word: str) -> tuple[str, str]:
    """Return name and colour of a player; "" for a missing colour."""
    colour = find_colour(word)
    if name:
        return name, colour or word
    return (colour_word(tx, colour).capitalize(), colour) if colour else (word, "")
