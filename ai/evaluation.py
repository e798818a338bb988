"""The evaluation of a game: each player's chance move by move, turning points, and moments.

A moment is a move of which another one was clearly better, for its player to think about again.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ai.api import Reason
from ai.search import GameAI
from engines.game import AnyPosition, Correction, Refusal, Step

Pace = Callable[[], None]
"""Called after each move; it may pause."""
TURN_LIMIT = 3
MOMENT_LIMIT = 3
"""The most moments of one player in a game."""
CLEARLY = 0.1
"""A chance that falls by less turns no game."""
WORSE = 0.03
"""A move that loses less than this counts as equally good."""


@dataclass(frozen=True, slots=True)
class Point:
    """After a move (0: before the first): each player's chance.

    `spreads` are the chances' standard deviations over possible hands; empty if hands matter less.
    """

    move: int
    chances: tuple[float, ...]
    spreads: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turning point: at the move with this number the chance of this seat fell by `fell`.

    `better` is the token of a better move for the player who moved; "" if there is none or the
    record does not show what that player knew.
    """

    move: int
    seat: int
    fell: float
    better: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The move with this number, by this seat, was a mistake: another one was clearly better.

    `lost` is its chance subtracted from the best one's. `right` are the tokens of all moves that
    count as equally good, the best one first; moves to one position have one token. `reasons` are
    those for the best one.
    """

    move: int
    seat: int
    lost: float
    right: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A game's points, its turning points and its moments, in order."""

    points: tuple[Point, ...]
    turns: tuple[Turn, ...]
    moments: tuple[Mistake, ...] = ()


def point_of(ai: GameAI, position: AnyPosition, move: int) -> Point:
    """Return the chances in a position, with all hands unknown."""
    spreads = ai.spread(position) if ai.spread is not None else ()
    return Point(move, _round(ai.chances(position)), _round(spreads))


def _round(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 4) for number in numbers)


def evaluate(
    ai: GameAI, start: AnyPosition, steps: Sequence[Step], pace: Pace = lambda: None
) -> Evaluation:
    """Return the evaluation of a game; call `pace` after each move."""
    positions = [start, *(step.after for step in steps)]
    points = [point_of(ai, start, 0)]
    mistakes: dict[int, Mistake] = {}
    for move, step in enumerate(steps, 1):
        # moves count from 1, and `positions` begins with the start
        points.append(point_of(ai, step.after, move))
        mistake = find_mistake(ai, positions[move - 1], step, move)
        if mistake is not None:
            mistakes[move] = mistake
        pace()
    # corrections of the table are nobody's moves
    skipped = {move for move, step in enumerate(steps, 1) if step.token.startswith("<")}
    result = positions[-1].result
    if steps and result is not None and steps[-1].player.name in result.winners:
        skipped.add(len(steps))  # a winning move ends the game and is no turning point
    turns: list[Turn] = []
    for turn in find_turns(points, skipped):
        mistake = mistakes.get(turn.move)
        # only a player's own move can have had a better one
        if mistake is not None and mistake.seat == turn.seat:
            turns.append(replace(turn, better=mistake.right[0]))
        else:
            turns.append(turn)
    return Evaluation(tuple(points), tuple(turns), _largest(mistakes.values()))


def _largest(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """Return each seat's largest mistakes, in the order of the game."""
    chosen: list[Mistake] = []
    for mistake in sorted(mistakes, key=lambda each: -each.lost):
        if sum(each.seat == mistake.seat for each in chosen) < MOMENT_LIMIT:
            chosen.append(mistake)
    return tuple(sorted(chosen, key=lambda each: each.move))


def find_turns(points: Sequence[Point], skipped: Container[int] = ()) -> list[Turn]:
    """Return the up to three moves at which a chance clearly fell most, in the order of the game.

    `skipped` moves do not count, nor does the last move if the player who was ahead has won.
    """
    turns: list[Turn] = []
    for before, after in pairwise(points):
        # in a finished game the winners have equal shares, everybody else has 0
        over = {*after.chances} <= {0, max(after.chances)}
        if after.move in skipped or (over and _leaders(before) == _leaders(after)):
            continue
        falls = [
            Turn(after.move, seat, old - new)
            for seat, (old, new) in enumerate(zip(before.chances, after.chances, strict=True))
            if old - new > CLEARLY
        ]
        if falls:
            turns.append(max(falls, key=lambda turn: turn.fell))
    largest = sorted(turns, key=lambda turn: -turn.fell)[:TURN_LIMIT]
    return sorted(largest, key=lambda turn: turn.move)


def _leaders(point: Point) -> set[int]:
    """Return the seats with the best chance."""
    best = max(point.chances)
    return {seat for seat, chance in enumerate(point.chances) if chance == best}


def find_mistake(ai: GameAI, before: AnyPosition, step: Step, number: int) -> Mistake | None:
    """Return the moment of this move if another one was clearly better, else None.

    Only a move that shows what its player knew is judged. If its rating is clearly lower than the
    best one's, both are examined further (`GameAI.look_further`).
    """
    move = before.parse(step.token)
    if ai.given_of is None or isinstance(move, Correction | Refusal):
        return None
    given = ai.given_of(move)
    # one move for each position that they lead to
    ends: list[tuple[Any, AnyPosition, float]] = []
    own = 0.0
    for other, chance in ai.rated(before, given):
        after = before.play(other)[0]
        if after == step.after:
            own = chance
        elif all(after != known for _, known, _ in ends):
            ends.append((other, after, chance))
    near = [each for each in ends if each[2] > own + WORSE / 2]
    if not near:
        return None
    further = {other: ai.look_further(before, other, given) for other, _, _ in near}
    best = max(near, key=lambda each: further[each[0]])[0]
    lost = further[best] - ai.look_further(before, move, given)
    if lost <= WORSE:
        return None
    as_good = [
        other
        for other, value in further.items()
        if other is not best and further[best] - value <= WORSE
    ]
    right = tuple(str(each.token) for each in (best, *as_good))
    return Mistake(
        number, before.seat, round(lost, 4), right, tuple(ai.reasons(before, best, given))
    )
