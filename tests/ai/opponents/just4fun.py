"""Opponents in Just 4 Fun that people would write first; they measure how well the AI plays."""

from random import Random

from engines.just4fun.board import Hand
from engines.just4fun.notation import CardMove
from engines.just4fun.rules import Just4Fun


def greedy(position: Just4Fun, given: Hand, rng: Random) -> CardMove:
    """Win, else block, else the longest row, the majority, the high field."""
    return max(position.legal(given), key=lambda move: _wishes(position, move))


def _wishes(position: Just4Fun, move: CardMove) -> tuple[int, ...]:
    if move.exchange:
        return (0,)
    after, _ = position.play(move)
    seat = position.seat
    wins = int(after.result is not None and position.players[seat].name in after.result.winners)
    rows = position.terms.board.rows_at[move.total]
    others = [other for other in range(len(position.players)) if other != seat]
    blocked = max(
        (
            _threat(position, other, row) - _threat(after, other, row)
            for other in others
            for row in rows
        ),
        default=0,
    )
    longest = max((_length(after, seat, row) for row in rows), default=0)
    majority = int(bool(after.owned[seat] >> move.total & 1))
    return (1, wins, int(blocked > 0), longest, majority, move.total)


def _threat(position: Just4Fun, seat: int, row: int) -> int:
    """Return 1 where three fields of a row are owned and the fourth can be."""
    return int((row & position.owned[seat]).bit_count() == 3 and not row & _lost(position, seat))


def _lost(position: Just4Fun, seat: int) -> int:
    """Return the fields where a seat can place no more and does not own."""
    return position.barred[seat] & ~position.owned[seat]


def _length(position: Just4Fun, seat: int, row: int) -> int:
    if row & _lost(position, seat):
        return 0
    return (row & position.owned[seat]).bit_count()


def value_of(position: Just4Fun, seat: int) -> float:
    """Return how a position stands for a seat: rows that can be completed, fields owned."""
    if position.result is not None:
        if not position.result.winners:
            return 0
        return 1e6 if position.players[seat].name in position.result.winners else -1e6
    total = 0.0
    for other in range(len(position.players)):
        lost, owned = _lost(position, other), position.owned[other]
        worth = 0.0
        for row in position.terms.board.row_sets:
            if not row & lost:
                worth += (0, 1, 10, 100, 1000)[(row & owned).bit_count()]
        worth += sum(field for field in range(1, 37) if owned >> field & 1) / 36
        total += worth if other == seat else -worth
    return total


def one_ply(position: Just4Fun, given: Hand, rng: Random) -> CardMove:
    """Return the move after which the position stands best."""
    return max(
        position.legal(given), key=lambda move: value_of(position.play(move)[0], position.seat)
    )
