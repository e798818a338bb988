"""Random games and golden records of a game: the positions in which the suite tries its rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from beisitzer.testing.samples import Samples
from engines.game import AnyPosition, Move
from engines.record import Record, begin, begin_game, parse
from engines.replay import Step, replay

WALKS = 5
MOST_MOVES = 80
"""How long a random game may get: by chance alone some games seldom end."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A position of a game that goes on, and what `legal` lists there with a hand or a roll."""

    position: AnyPosition
    given: Any
    listed: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """A position in which the game is over, and who made the last move, as a seat."""

    position: AnyPosition
    token: str
    mover: int


@dataclass(frozen=True, slots=True)
class Walks:
    """What random games and the golden records came by."""

    visits: tuple[Visit, ...]
    positions: tuple[AnyPosition, ...]
    """The positions of the visits and of the records in which the game goes on."""
    endings: tuple[Ending, ...]
    tokens: tuple[str, ...]
    """The tokens of the records and the samples."""


def walk(game: str, samples: Samples) -> Walks:
    """Play random games and replay the golden records."""
    visits: list[Visit] = []
    endings: list[Ending] = []
    for seed in range(WALKS):
        chance = Random(seed)
        _, position = begin_game(samples.record_tags(game))
        # a game may also use the moves that shorter games before it did not need
        while position.result is None and len(visits) < (seed + 1) * MOST_MOVES:
            given = samples.given(chance)
            visit = Visit(position, given, tuple(position.legal(given)))
            visits.append(visit)
            moves = [move for move in visit.listed if position.refusal(move) is None]
            if not moves:
                break
            move, mover = chance.choice(moves), position.seat
            position, _ = position.play(move)
            if position.result is not None:
                endings.append(Ending(position, move.token, mover))
    positions = [visit.position for visit in visits]
    tokens = {*samples.tokens, samples.other[1]}
    for record in _records(game, samples):
        tokens |= {*record.tokens}
        _, position = begin(record)
        for step in replay(position, record.tokens):
            if not isinstance(step, Step):
                continue
            mover, position = position.seat, step.after
            if position.result is None:
                positions.append(position)
            elif not step.token.startswith("<"):  # a correction has no mover
                endings.append(Ending(position, step.token, mover))
    return Walks(tuple(visits), tuple(positions), tuple(endings), tuple(sorted(tokens)))


def _records(game: str, samples: Samples) -> Iterator[Record]:
    """Yield the golden records of this game; the folder may have other games' too."""
    for path in sorted(samples.records.glob("*.txt")):
        record = parse(path.read_text("utf-8"))
        if record.tags.get("Game") == game:
            yield record
