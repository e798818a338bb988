"""Moves that count, one after the other, each with what it led to."""

from collections.abc import Iterable
from dataclasses import dataclass

from engines.game import AnyPosition, Event, IllegalMoveError, Move, Player, Refusal


@dataclass(frozen=True, slots=True)
class Step:
    """One move that counts: who made it, its token, what happened, the position it led to."""

    player: Player
    token: str
    events: tuple[Event, ...]
    after: AnyPosition

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the picture's cells that this move changed."""
        return tuple(
            str(event.facts[fact])
            for event in self.events
            for fact in ("field", "square", "to")
            if fact in event.facts
        )


def replay(start: AnyPosition, tokens: Iterable[str]) -> list[Step]:
    """Play tokens one after the other; IllegalMoveError at the first that is refused."""
    steps = []
    position = start
    for token in tokens:
        steps.append(step_of(position, position.parse(token)))
        position = steps[-1].after
    return steps


def step_of(position: AnyPosition, move: Move | Refusal) -> Step:
    """Play a move that was parsed; IllegalMoveError if it is refused."""
    if isinstance(move, Refusal):
        raise IllegalMoveError(move)
    player = position.players[position.seat]
    after, events = position.play(move)
    return Step(player, move.token, events, after)
