"""Stones on the table in one line, colours in any language: `Anna gelb 23:3 7:1; Ben rot 7:2`."""

import re

from engines.game import SetupError
from engines.seating import player_pairs
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.common import colour_word, find_colour, join_choices
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten

_ITEM = re.compile(r"(\d+)(?:[:x@](\d+))?")


class StonesError(ValueError):
    """A line that does not describe a position; `reason` is a sentence in the table's language."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def tags_of_stones(tx: Texts, presentation: AnyPresentation, text: str) -> dict[str, str]:
    """Return the tags of a record that begins with these stones; StonesError if that is impossible.

    Each player has a name (by default the colour's), a colour and stones; semicolons separate the
    players. Stones are written `23:3` or with the signs of the tag `Position`.
    """
    players, parts = [], []
    for part in text.split(";"):
        words = part.split()
        items = [word for word in words if _ITEM.fullmatch(word) or "=" in word]
        name = words[: len(words) - len(items)]
        colour = find_colour(name[-1]) if name else None
        if colour is None or words[len(name) :] != items:
            raise StonesError(_fault_words(tx, presentation, part, name, items))
        player = " ".join(name[:-1]) or colour_word(tx, colour).capitalize()
        players.append(f"{player} {colour}")
        parts.append(" ".join([colour, *(_item(presentation, item) for item in items)]))
    return {
        "Game": presentation.game.name,
        "Players": ", ".join(players),
        "Position": "; ".join(parts),
    }


def stones_example(tx: Texts, presentation: AnyPresentation) -> str:
    """Return an example for the command line: stones of two players."""
    players = zip(
        ("Anna", "Ben"), presentation.game.colours, presentation.stones_examples, strict=False
    )
    return "; ".join(f"{name} {colour_word(tx, colour)} {own}" for name, colour, own in players)


def _fault_words(
    tx: Texts, presentation: AnyPresentation, part: str, name: list[str], items: list[str]
) -> str:
    """Say why a part does not describe a player with stones; perhaps a word is not a colour."""
    if len(name) > 1 and items and part.split() == [*name, *items]:
        word, colours = (
            shorten(name[-1], 40),
            [colour_word(tx, colour) for colour in presentation.game.colours],
        )
        return tx(
            "line",
            "{word} is no colour of this game: {colours}",
            word=word,
            colours=join_choices(tx, colours),
        )
    return tx(
        "cli",
        "{part} is not a name, a colour and stones, as in {word}",
        part=shorten(part.strip(), 40) or ";",
        word=stones_example(tx, presentation),
    )


def setup_fault(tx: Texts, presentation: AnyPresentation, stones: str, error: SetupError) -> str:
    """Say why these stones are not a position, in the signs that the user typed."""
    facts, example = dict(error.facts), stones_example(tx, presentation)
    if error.code == "how-many":
        why = presentation.setup_error(tx, error)
        return tx("cli", "{why}; name each of them, as in {word}", why=why, word=example)
    if error.tag == "Position" and "item" in facts:
        typed = {_item(presentation, word): word for word in stones.replace(";", " ").split()}
        item = typed.get(str(facts["item"]), str(facts["item"]))
        facts["item"], facts["sign"] = item, next((sign for sign in "x@" if sign in item), ":")
        return presentation.position_fault(tx, error.code, facts, error.reason)
    return presentation.setup_error(tx, error)


def _item(presentation: AnyPresentation, word: str) -> str:
    match = _ITEM.fullmatch(word)
    return f"{match[1]}{presentation.stones_sign}{match[2]}" if match and match[2] else word


def add_colours(tx: Texts, presentation: AnyPresentation, players: str) -> str:
    """Return the players of a command line in the form of the tag `Players`.

    A colour may be in any language. A single word is a name, which gets the game's next free
    colour, or a colour, which becomes the player's name too.
    """
    pairs = [_name_and_colour(tx, *pair) for pair in player_pairs(players)]
    count = min(
        max(len(pairs), min(presentation.game.player_counts)), max(presentation.game.player_counts)
    )
    unused = [colour for _, colour in presentation.seats(tx, count, None)]
    for _, colour in pairs:
        if colour in unused:
            unused.remove(colour)
    seats = []
    for name, colour in pairs:
        # with more players than colours, the set-up refuses their number later
        free = unused.pop(0) if name and unused and not colour else presentation.game.colours[0]
        seats.append(f"{name} {colour or free}" if name else "")
    return ", ".join(seats)


def _name_and_colour(tx: Texts, name: str, word: str) -> tuple[str, str]:
    """Return name and colour of a player; "" for a missing colour."""
    colour = find_colour(word)
    if name:
        return name, colour or word
    return (colour_word(tx, colour).capitalize(), colour) if colour else (word, "")
