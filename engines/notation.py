"""Pieces of the record's notation that several games share: numbers, positions, corrections."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engines.game import Player

TO_MOVE = "to-move="


def number(word: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`; None if it is none, larger or has leading zeros.

    Only ASCII digits count, and a text of any length is safe: no int is made of thousands
    of digits.
    """
    if not (word.isascii() and word.isdigit()) or len(word) > len(str(most)):
        return None
    if word[0] == "0" and word != "0":
        return None
    value = int(word)
    return value if value <= most else None


def seat_of(name: str, players: Sequence[Player]) -> int | None:
    """Return the index of the player of this name, however its words are spaced, or None."""
    wanted = " ".join(name.split())
    return next((seat for seat, player in enumerate(players) if player.name == wanted), None)


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction token taken apart: the words of a `Position`, and who is to move.

    `seat` is None where the correction leaves it as it was.
    """

    position: str
    seat: int | None


def correction(token: str, players: Sequence[Player]) -> Correction | None:
    """Take `<...>` or `<...; to-move=NAME>` apart; None where it is neither or NAME unknown.

    Whether the position in it is possible is for the game to say. The player is the last
    thing named, so a name may hold a semicolon.
    """
    if len(token) < 2 or token[0] != "<" or token.find(">") != len(token) - 1:
        return None
    parts = token[1:-1].split(";")
    for index in range(1, len(parts)):
        if parts[index].lstrip().startswith(TO_MOVE):
            name = ";".join(parts[index:]).lstrip()[len(TO_MOVE) :]
            seat = seat_of(name, players)
            return None if seat is None else Correction(";".join(parts[:index]).strip(), seat)
    return Correction(token[1:-1].strip(), None)


def position_parts(text: str, words: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Split "yellow 23x3 7x1; red left=4" into its colours, each with its items.

    `words` are the colours in play and what else may begin a part (einmaleins: `open`).
    A text of blanks is an empty position, []. ValueError, with one sentence, for an empty
    part, a word not in `words`, or one named twice.
    """
    parts: dict[str, tuple[str, ...]] = {}
    for part in text.split(";") if text.strip() else ():
        colour, *items = part.split() or [""]
        if not colour:
            raise ValueError("there is nothing between two semicolons")
        if colour not in words:
            raise ValueError(f"nobody plays {colour[:40]!r} here")
        if colour in parts:
            raise ValueError(f"{colour} is named twice")
        parts[colour] = tuple(items)
    return list(parts.items())
