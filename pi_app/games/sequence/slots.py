"""The table square by square, for checking it and for entering a position."""

from collections.abc import Sequence

from engines.sequence.board import (
    CORNER_SQUARES,
    CORNERS,
    SQUARES,
    THROUGH,
    WINDOW_NAMES,
    bits_of,
    share_two,
)
from engines.sequence.rules import SequencePosition
from pi_app.games.sequence.cards import card_text_on, place_text
from pi_app.table.places import Part, Slot, Slots
from pi_app.texts.common import colour_word
from pi_app.texts.language import Text, Texts

_PLACES = tuple(index for index in range(len(SQUARES)) if index not in CORNER_SQUARES)
"""The indices of the squares that can hold a chip, in the order of the slots."""
_WINDOWS = tuple(dict.fromkeys(window for windows in THROUGH for window in windows))
"""Every five squares in a line, as bits, each once."""


class SequencePlaces(Slots[SequencePosition]):
    """Every square except corners."""

    def slots(self, tx: Texts, position: SequencePosition) -> tuple[Slot, ...]:
        """Return every square except corners: its chip's owner, and whether it is in a sequence."""
        chips = position.chips_by_square()
        in_rows = {
            square
            for lines in position.completed_sequences().values()
            for line in lines
            for square in line
        }
        owners = (tx("item", "nobody"), *(colour_word(tx, team) for team in position.teams))
        yes_no = (tx("item", "no"), tx("item", "yes"))
        squares = []
        for index in _PLACES:
            square = SQUARES[index]
            team = chips.get(square)
            owner = position.teams.index(team) + 1 if team else 0
            squares.append(
                Slot(
                    place_text(square),
                    (
                        Part(card_text_on(position, square), owner, len(position.teams), owners),
                        Part(tx("item", "Sequence:"), int(square in in_rows), 1, yes_no),
                    ),
                    square,
                )
            )
        return tuple(squares)

    def placement(self, position: SequencePosition, values: Sequence[tuple[int, ...]]) -> str:
        """Return the text of `Position` for the two values of each square, as in `slots`.

        These are its owner (0: nobody, then the teams from 1 on) and its mark (1: in a sequence). A
        mark that belongs to no five in a line makes a text that is refused.
        """
        parts = []
        # the index of each square with its owner and its mark
        places = [(i, owner, mark) for i, (owner, mark) in zip(_PLACES, values, strict=True)]
        for number, team in enumerate(position.teams, 1):
            own = bits_of(i for i, owner, _ in places if owner == number)
            marked = bits_of(i for i, owner, mark in places if owner == number and mark)
            lines = _lines(marked, position.sequences[number - 1])
            left = marked  # without the fives: marks that belong to none
            for line in lines:
                left &= ~line
            names = [SQUARES[i] for i in _PLACES if own & ~marked & bits_of((i,))]
            names += [f"{WINDOW_NAMES[line][0]}-{WINDOW_NAMES[line][-1]}" for line in lines]
            # a line of one square, which is refused
            names += [f"{SQUARES[i]}-{SQUARES[i]}" for i in _PLACES if left & bits_of((i,))]
            if names:
                parts.append(" ".join((team, *names)))
        marks_of_nobody = [SQUARES[i] for i, owner, mark in places if mark and not owner]
        if marks_of_nobody:  # the text must name a team, any one: it is refused
            square = marks_of_nobody[0]
            parts.append(f"{position.teams[0]} {square}-{square}")
        return "; ".join(parts)


FAULTS = {
    "square-twice": Text("verdict", "{team}: a square or a line is named twice"),
    "two-winners": Text("verdict", "two teams have sequences enough to win"),
    "two-teams": Text("verdict", "two teams are on {square}"),
    "too-many-chips": Text("verdict", "{team}: more than {most} chips"),
    "no-square": Text("verdict", "{team}: {square} is no square"),
    "chip-on-corner": Text("verdict", "{team}: no chip lies on the corner {square}"),
    "no-line": Text("verdict", "{team}: {item} is no five in a line"),
    "lines-share-two": Text("verdict", "{team}: {item} shares two squares with a sequence"),
}
"""Why a table is impossible, for codes that no other game has."""


def _lines(marked: int, earlier: Sequence[int]) -> list[int]:
    """Split the marked squares into fives: first the `earlier` ones, then any that fit."""
    fives: list[int] = []
    left = marked
    for line in (*earlier, *_WINDOWS):
        covered = line & ~CORNERS  # corners belong to everybody and carry no mark
        fits = covered & marked == covered and covered & left  # all marked, one of them new
        if fits and not any(share_two(line, other) for other in fives):
            fives.append(line)
            left &= ~line
    return fives
