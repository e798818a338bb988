"""Opponents in Sequence that people would write first; they measure how well the AI plays."""

from random import Random

from engines.sequence.board import CORNERS, THROUGH
from engines.sequence.notation import Place, SequenceMove, Take, TurnIn
from engines.sequence.rules import SequencePosition

_SHAPES = (0, 1, 10, 100, 1_000, 100_000)
"""What a five in a line is worth by how many of its squares one team alone has."""


def _shape(position: SequencePosition, team: int, windows: tuple[int, ...]) -> int:
    """Return what these windows are worth to a team, less what they are worth to the others."""
    total = 0
    for window in windows:
        covered = [
            ((chips | CORNERS) & window).bit_count() if chips & window else 0
            for chips in position.chips
        ]
        there = [at for at, count in enumerate(covered) if count]
        if len(there) == 1:
            worth = _SHAPES[covered[there[0]]]
            total += worth if there[0] == team else -worth
    return total


def window_shape(position: SequencePosition, given: tuple[str, ...], rng: Random) -> SequenceMove:
    """Return the move that leaves the best shapes of fives in a line."""
    team = position.terms.team_of[position.seat]

    def gain(move: SequenceMove) -> int:
        if not isinstance(move, Place | Take):
            return 1
        after, _ = position.play(move)
        windows = THROUGH[move.square]
        return _shape(after, team, windows) - _shape(position, team, windows)

    return max(position.legal(given), key=gain)


def greedy(position: SequencePosition, given: tuple[str, ...], rng: Random) -> SequenceMove:
    """Complete, else block a four, else the longest line; jacks only to complete or to block."""
    return max(position.legal(given), key=lambda move: _wishes(position, move))


def _wishes(position: SequencePosition, move: SequenceMove) -> tuple[int, ...]:
    team = position.terms.team_of[position.seat]
    if isinstance(move, TurnIn):
        return (1, 0, 0, 0)
    if not isinstance(move, Place | Take):
        return (0, 0, 0, 0)
    completes, blocks, longest, lines = 0, 0, 0, 0
    for window in THROUGH[move.square]:
        others = [
            ((chips | CORNERS) & window).bit_count()
            for at, chips in enumerate(position.chips)
            if at != team and chips & window
        ]
        own = position.chips[team]
        mine = ((own | CORNERS) & window).bit_count()
        if isinstance(move, Place) and not others:
            longest = max(longest, mine + 1)
            lines += 1
        if not own & window and len(others) == 1 and others[0] >= 4:
            blocks = 1
    if isinstance(move, Place):
        after, _ = position.play(move)
        completes = int(len(after.sequences[team]) > len(position.sequences[team]))
    jack = move.card[0] == "J"
    if completes:
        return (3, blocks, longest, lines)
    if blocks:
        return (2, int(not jack), longest, lines)
    return (0 if jack else 1, 1, longest, lines)
