"""Rounds of the Swiss system, from what was played so far.

Whoever has equal scores plays; nobody meets anybody twice; the first move takes the place of white.
A win is a point, a draw half a point, sitting out a point as well. A table whose result is not
there yet counts as a draw, so that the round can be paired.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from club.pairing.model import (
    PairingError,
    PairingRequest,
    Round,
    Seating,
    TableResult,
    people_of,
)
from club.pairing.swiss.dutch import dutch
from club.pairing.swiss.person import SwissPerson, SwissSystem


@dataclass
class SwissTotal:
    """What is added up for one person, round by round; the lists are `SwissPerson`'s."""

    score: float = 0.0
    first_moves: list[bool | None] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    byes: int = 0
    opponents: set[str] = field(default_factory=set)


def pair_swiss(request: PairingRequest, system: SwissSystem = dutch) -> Round:
    """Return a Swiss round; PairingError `two-only` for larger tables.

    `no-swiss`: there is no pairing without a second meeting.
    """
    if request.per_table != 2:
        raise PairingError("two-only")
    numbers = start_numbers(request)
    lines = add_up(numbers, request.history, request.results)
    there = [_person(p, numbers, lines[p]) for p in request.people]
    names = {number: p for p, number in numbers.items()}
    pairs = system(sorted(there, key=lambda each: each.number), request.number, request.rounds)
    tables = [(names[one], names[two]) for one, two in pairs if two is not None]
    byes = tuple(names[one] for one, two in pairs if two is None)
    if any(two in lines[one].opponents for one, two in tables) or len(byes) > 1:
        raise PairingError("no-swiss")
    if 2 * len(tables) + len(byes) != len(there):
        raise PairingError("no-swiss")
    game = request.games[(request.number - 1) % len(request.games)] if request.games else ""
    return Round(request.number, tuple(Seating(each, game) for each in tables), byes)


def start_numbers(request: PairingRequest) -> dict[str, int]:
    """Return everybody's start number: as in the roster, then whoever is not in it."""
    everybody = (*request.roster, *request.people, *people_of(request.history))
    return {p: number for number, p in enumerate(dict.fromkeys(everybody), 1)}


def _person(p: str, numbers: Mapping[str, int], line: SwissTotal) -> SwissPerson:
    return SwissPerson(
        numbers[p],
        line.score,
        tuple(line.first_moves),
        tuple(line.floats),
        line.byes,
        frozenset(numbers[other] for other in line.opponents),
    )


@dataclass(frozen=True, slots=True)
class SwissGame:
    """What one round was for somebody who was there."""

    opponent: str | None
    """None for who sat out, or waited for somebody who never came."""
    first: bool = False
    score: float = 1.0


def games_of(each: Round, results: Iterable[TableResult]) -> dict[str, SwissGame]:
    """Return what a round was for each person; who was not there is not in it."""
    scores = game_scores(results)
    games = {p: SwissGame(None) for p in each.byes}
    for table in each.tables:
        match table.present:
            case (one, two):
                games[one] = SwissGame(two, first=True, score=scores.get((each.number, one), 0.5))
                games[two] = SwissGame(one, first=False, score=scores.get((each.number, two), 0.5))
            case (alone,):
                games[alone] = SwissGame(None)
    return games


def add_up(
    people: Iterable[str], history: Sequence[Round], results: Iterable[TableResult]
) -> dict[str, SwissTotal]:
    """Return what each person did so far."""
    totals = {p: SwissTotal() for p in people}
    results = tuple(results)
    for each in sorted(history, key=lambda earlier: earlier.number):
        before = {p: total.score for p, total in totals.items()}
        games = games_of(each, results)
        for p, total in totals.items():
            game = games.get(p)
            total.score += game.score if game else 0
            if game is None or game.opponent is None:
                total.byes += game is not None
                total.first_moves.append(None)
                total.floats.append("down" if game else "none")
            else:
                total.first_moves.append(game.first)
                total.floats.append(_float(before[p], before[game.opponent]))
                total.opponents.add(game.opponent)
    return totals


def _float(mine: float, theirs: float) -> str:
    if mine == theirs:
        return "none"
    return "down" if mine > theirs else "up"


def game_scores(results: Iterable[TableResult]) -> dict[tuple[int, str], float]:
    """Return what each game of two gave: 1, 0.5 or 0 by round and person."""
    scores: dict[tuple[int, str], float] = {}
    for result in results:
        if result.round is None or len(result.seats) != 2:
            continue
        one, two = result.seats
        for mine, theirs in ((one, two), (two, one)):
            if mine.p is not None:
                won = 0.5 if mine.rank == theirs.rank else float(mine.rank < theirs.rank)
                scores[result.round, mine.p] = won
    return scores
