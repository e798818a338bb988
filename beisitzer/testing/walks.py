"""Positions for the suite's tests of rules: from random games and golden records."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from beisitzer.testing.parts import Candidate
from engines.game import AnyPosition, Move, Step, replay
from engines.record import begin, begin_game

GAMES = 6
MOVE_LIMIT = 80
"""Limit of moves in a random game, as some games seldom end by chance."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A position; `listed` has the moves from `legal` for a hand or a roll, None in a record.

    `token` is the move before it and `mover` the seat that made it: None before the first move and
    after a correction.
    """

    position: AnyPosition
    token: str = ""
    mover: int | None = None
    given: Any = None
    listed: tuple[Move, ...] | None = None


@cache
def visits(candidate: Candidate) -> tuple[Visit, ...]:
    """Play random games and replay the golden records."""
    games = [visit for seed in range(GAMES) for visit in _play_game(candidate, Random(seed))]
    return (*games, *_replay_records(candidate))


def _play_game(candidate: Candidate, chance: Random) -> Iterator[Visit]:
    _, position = begin_game(chance.choice([candidate.tags, candidate.full_tags()]))
    token, mover = "", None
    for _ in range(MOVE_LIMIT):
        if position.result is not None:
            break
        given = candidate.samples.given(chance)
        listed = tuple(position.legal(given))
        yield Visit(position, token, mover, given, listed)
        moves = [move for move in listed if position.refusal(move) is None]
        if not moves:
            return
        move, mover = chance.choice(moves), position.seat
        token, (position, _) = move.token, position.play(move)
    yield Visit(position, token, mover)


def _replay_records(candidate: Candidate) -> Iterator[Visit]:
    for record in candidate.records().values():
        _, position = begin(record)
        for step in replay(position, record.tokens):
            if isinstance(step, Step):
                mover = None if step.token.startswith("<") else position.seat
                position = step.after
                yield Visit(position, step.token, mover)
