"""The board of Sequence as seen from one side of the table."""

from dataclasses import replace
from functools import lru_cache

from engines.sequence.board import CORNER, INDEX, SQUARES, WINDOW_NAMES, names_in, turned_square
from engines.sequence.rules import SequencePosition
from pi_app.games.sequence.cards import card_text
from pi_app.texts.common import stone_letters
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Mark, Picture, Stroke, Token

COLUMNS = 10


def seat_side(seat: int, count: int) -> int:
    """Return the side of the table a seat faces: 0 where the first player sits, then clockwise."""
    # the seat's share of the way around the table, rounded to a quarter
    return (seat * 8 + count) // (2 * count) % 4


def turn_to_side(square: str, side: int) -> str:
    """Return the square's place as seen from this side of the table."""
    return turned_square(square, -side)


def board_picture(tx: Texts, position: SequencePosition, side: int = 0) -> Picture:
    """Return the board as seen from this side of the table.

    Cells have the names of their squares in the record, however the board is turned.
    """
    letters = stone_letters(tx, position.players, position.teams)
    chips = dict(zip((player.colour for player in position.players), letters, strict=True))
    tokens = tuple(Token(team, chips[team]) for team in position.teams)
    return _picture(position.codes, position.chips, position.sequences, tokens, side)


@lru_cache(maxsize=8)
def _empty_cells(codes: tuple[str, ...], side: int) -> tuple[Cell, ...]:
    """Return the cells of a board without chips, in this side's order."""
    cells = {
        INDEX[turn_to_side(square, side)]: Cell(square, "" if code == CORNER else card_text(code))
        for square, code in zip(SQUARES, codes, strict=True)
    }
    return tuple(cells[index] for index in range(len(SQUARES)))


@lru_cache(maxsize=4)
def _picture(
    codes: tuple[str, ...],
    chips: tuple[int, ...],
    sequences: tuple[tuple[int, ...], ...],
    tokens: tuple[Token, ...],
    side: int,
) -> Picture:
    """Return the picture of these chips; cached, as each key of a turn shows the same board.

    `chips` (a bit set), `sequences` (a bit set for each) and `tokens` have an entry for each team.
    """
    cells = list(_empty_cells(codes, side))
    lines = [
        Stroke(token.colour, WINDOW_NAMES[five])
        for token, team_sequences in zip(tokens, sequences, strict=True)
        for five in team_sequences
    ]
    for token, bits in zip(tokens, chips, strict=True):
        for square in names_in(bits):
            index = INDEX[turn_to_side(square, side)]
            cells[index] = replace(cells[index], tokens=(token,))
    for square in {square for line in lines for square in line.cells}:
        index = INDEX[turn_to_side(square, side)]
        cells[index] = replace(cells[index], marks=frozenset({Mark.ROW}))
    # seen from a side, the board appears turned the other way round
    return Picture("grid", COLUMNS, tuple(cells), tuple(lines), turned=-side % 4)
