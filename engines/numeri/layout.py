"""Stones on the track of numeri, read from and written as the words of a `Position`."""

from collections.abc import Sequence

from engines.game import Player
from engines.notation import QUOTED, ImpossibleError, number, position_parts
from engines.numeri.moves import STONES

Fields = tuple[int, ...]
"""The field of every stone, six a seat, stone 1 first; 0 is not in play."""


def read_layout(text: str, players: Sequence[Player], length: int) -> Fields:
    """Read "yellow 1@36 2@0; red ..."; ImpossibleError if it is impossible.

    `length` is the number of the track's fields.
    """
    seats = {player.colour: seat for seat, player in enumerate(players)}
    fields = [0] * (STONES * len(players))
    for colour, items in position_parts(text, seats):
        stones: set[int] = set()
        for item in items:
            stone_word, sign, field_word = item.partition("@")
            stone = number(stone_word, STONES)
            field = number(field_word, length)
            if not stone or not sign or field is None:
                sentence = "{item!r} is not STONE@FIELD of this track"
                raise ImpossibleError("no-stone-on-field", sentence, item=item[:QUOTED])
            if stone in stones:
                sentence = "stone {stone} of {colour} is named twice"
                raise ImpossibleError("stone-twice", sentence, stone=stone, colour=colour)
            if field and field in fields:  # on field 0, the hand, there may be many
                raise ImpossibleError("two-stones", "two stones are on field {field}", field=field)
            stones.add(stone)
            fields[seats[colour] * STONES + stone - 1] = field
    return tuple(fields)


def describe_layout(fields: Fields, players: Sequence[Player]) -> str:
    """Write the stones in play in the words of `Position`."""
    parts: list[str] = []
    for seat, player in enumerate(players):
        own = fields[seat * STONES : (seat + 1) * STONES]
        words = (f" {stone}@{field}" for stone, field in enumerate(own, 1) if field)
        parts.append(player.colour + "".join(words))
    return "; ".join(parts)
