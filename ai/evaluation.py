"""The evaluation of a game: each player's chance move by move, turning points, and moments.

A moment is a move of which another one was clearly better, for its player to think about again.
"""

import json
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

from ai.api import GameAI, Reason
from engines.game import AnyPosition, Correction, Refusal
from engines.replay import Step

Pace = Callable[[], None]
"""Called after each point and each judged move; it may pause."""
MOST_TURNS = 3
MOST_MOMENTS = 3
"""The most moments of one player in a game."""
SEED = 1


@dataclass(frozen=True, slots=True)
class Point:
    """After a move (0: before the first): each player's chance, and its standard error.

    `spreads` are the chances' standard deviations over possible hands; empty if hands matter less.
    """

    move: int
    chances: tuple[float, ...]
    errors: tuple[float, ...]
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

    `lost` is how much smaller its chance was than the best one's. `right` are the tokens of the
    moves that are as good as can be told, the best one first; moves to one position have one token.
    `reasons` are those for the best one.
    """

    move: int
    seat: int
    lost: float
    right: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A game's points, each from `tries` play-outs, its turning points and moments in order."""

    tries: int
    points: tuple[Point, ...]
    turns: tuple[Turn, ...]
    moments: tuple[Mistake, ...] = ()

    def as_text(self) -> str:
        """Return the evaluation as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> "Evaluation":
        """Read the text from `as_text`; ValueError for any other text."""
        try:
            content = json.loads(text)
            points: list[Point] = []
            for item in content["points"]:
                chances, errors, spreads = (
                    tuple(map(float, item[key])) for key in ("chances", "errors", "spreads")
                )
                points.append(Point(int(item["move"]), chances, errors, spreads))
            turns = tuple(
                Turn(int(item["move"]), int(item["seat"]), float(item["fell"]), str(item["better"]))
                for item in content["turns"]
            )
            moments = tuple(_read_moment(item) for item in content["moments"])
            return cls(int(content["tries"]), tuple(points), turns, moments)
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no evaluation of a game: {error}") from error


def _read_moment(item: Any) -> Mistake:
    reasons = tuple((str(code), dict(facts)) for code, facts in item["reasons"])
    right = tuple(map(str, item["right"]))
    return Mistake(int(item["move"]), int(item["seat"]), float(item["lost"]), right, reasons)


def point_of(ai: GameAI, position: AnyPosition, move: int, tries: int, seed: int | str) -> Point:
    """Return the chances in a position; the same seed always gives the same chances."""
    rng = Random(f"{seed} {move}")
    chances = ai.chances(position, tries, rng)
    exact = position.result is not None  # a finished game is not estimated: it has no error
    # one more play-out is counted as half won: a few play-outs make no chance certain
    softened = [(chance * tries + 0.5) / (tries + 1) for chance in chances]
    errors = [0.0 if exact else sqrt(soft * (1 - soft) / tries) for soft in softened]
    spreads = ai.spreads(position, tries, rng) if ai.spreads is not None else ()
    return Point(move, _round(chances), _round(errors), _round(spreads))


def _round(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 4) for number in numbers)


def measure_points(
    ai: GameAI, start: AnyPosition, steps: Iterable[Step], tries: int, seed: int = SEED
) -> Iterator[Point]:
    """Yield the chances before the first move and after every move."""
    yield point_of(ai, start, 0, tries, seed)
    for number, step in enumerate(steps, 1):
        yield point_of(ai, step.after, number, tries, seed)


def no_pause() -> None:
    """Return at once."""


def evaluate(
    ai: GameAI,
    start: AnyPosition,
    steps: Sequence[Step],
    tries: int,
    seed: int,
    points: Sequence[Point],
    pace: Pace = no_pause,
) -> Evaluation:
    """Return the whole evaluation of a game from its points; call `pace` after each move."""
    positions = [start, *(step.after for step in steps)]
    mistakes: dict[int, Mistake] = {}
    for move, step in enumerate(steps, 1):
        # moves count from 1, and `positions` begins with the start
        mistake = find_mistake(ai, positions[move - 1], step, move, tries, seed)
        if mistake is not None:
            mistakes[move] = mistake
        pace()
    # a chance that falls when people correct the table fell by nobody's move
    skipped = {move for move, step in enumerate(steps, 1) if step.token.startswith("<")}
    result = positions[-1].result
    if steps and result is not None and steps[-1].player.name in result.winners:
        skipped.add(len(steps))  # who wins by a move has not turned the game: it is won
    turns: list[Turn] = []
    for turn in find_turns(points, skipped):
        mistake = mistakes.get(turn.move)
        # a better move is told only if the player whose chance fell made the move
        if mistake is not None and mistake.seat == turn.seat:
            turns.append(replace(turn, better=mistake.right[0]))
        else:
            turns.append(turn)
    return Evaluation(tries, tuple(points), tuple(turns), _largest(mistakes.values()))


def _largest(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """Return each seat's largest mistakes, in the order of the game."""
    chosen: list[Mistake] = []
    for mistake in sorted(mistakes, key=lambda each: -each.lost):
        if sum(each.seat == mistake.seat for each in chosen) < MOST_MOMENTS:
            chosen.append(mistake)
    return tuple(sorted(chosen, key=lambda each: each.move))


def find_turns(points: Sequence[Point], skipped: Container[int] = ()) -> list[Turn]:
    """Return the up to three moves at which a chance fell most, in the order of the game.

    A fall counts only above two standard errors of the difference. `skipped` moves do not count,
    nor does the last move if the player who was ahead has won.
    """
    turns: list[Turn] = []
    for before, after in pairwise(points):
        # a finished game is not estimated, so its errors are 0; the winners have equal shares,
        # everybody else has 0
        exact = not any(after.errors)
        over = exact and {*after.chances} <= {0, max(after.chances)}
        expected_win = over and _leaders(before) == _leaders(after)
        if after.move in skipped or expected_win:
            continue
        falls = [
            Turn(after.move, seat, old - new)
            for seat, (old, new) in enumerate(zip(before.chances, after.chances, strict=True))
            if old - new > 2 * sqrt(before.errors[seat] ** 2 + after.errors[seat] ** 2)
        ]
        if falls:
            turns.append(max(falls, key=lambda turn: turn.fell))
    largest = sorted(turns, key=lambda turn: -turn.fell)[:MOST_TURNS]
    return sorted(largest, key=lambda turn: turn.move)


def _leaders(point: Point) -> set[int]:
    """Return the seats with the best chance."""
    best = max(point.chances)
    return {seat for seat, chance in enumerate(point.chances) if chance == best}


def find_mistake(
    ai: GameAI, before: AnyPosition, step: Step, number: int, tries: int, seed: int
) -> Mistake | None:
    """Return the moment of this move if another one was better, else None.

    Only a move that shows what its player knew is judged. The best other move is found with one
    seed and compared with another, so that no move wins by luck: its chance must be better by two
    standard errors. Moves that are not worse by that much than the best one are right, too.
    """
    move = before.parse(step.token)
    if ai.given_of is None or isinstance(move, Correction | Refusal):
        return None
    given, seat = ai.given_of(move), before.seat
    others: list[tuple[Any, AnyPosition]] = []
    for other in before.legal(given):
        after = before.play(other)[0]
        if after != step.after and all(after != known for _, known in others):
            others.append((other, after))
    if not others:
        return None

    def measure(after: AnyPosition, purpose: str) -> tuple[float, float]:
        point = point_of(ai, after, 0, tries, f"{seed} {purpose}")
        return point.chances[seat], point.errors[seat]

    best, after_best = max(others, key=lambda other: measure(other[1], "sought"))
    chance, error = measure(after_best, "compared")

    def behind(after: AnyPosition) -> float:
        """Return how much worse a position is than the best, 0 if that cannot be told."""
        other_chance, other_error = measure(after, "compared")
        clearly = chance - other_chance > 2 * sqrt(error**2 + other_error**2)
        return chance - other_chance if clearly else 0

    lost = behind(step.after)
    if not lost:
        return None
    as_good = [other for other, after in others if other is not best and not behind(after)]
    right = tuple(str(each.token) for each in (best, *as_good))
    return Mistake(number, seat, round(lost, 4), right, tuple(ai.reasons(before, best, given)))
