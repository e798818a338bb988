"""Plays tokens one after the other, for the table, `check` and the history."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engines.game import AnyPosition, Event, Move, Player, Refusal


@dataclass(frozen=True, slots=True)
class Step:
    """A token that is a legal move: its player, what happened, and the position after it."""

    player: Player
    token: str
    events: tuple[Event, ...]
    after: AnyPosition

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the fields or squares that this move changed."""
        return _places(self.events)

    @property
    def reached(self) -> tuple[str, ...]:
        """The names of the fields or squares that a stone or a chip reached by this move."""
        return _places(event for event in self.events if event.code in ("placed", "moved"))


def _places(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the fields or squares in the facts of these events; a stone moves `to` its field."""
    return tuple(
        str(event.facts[fact])
        for event in events
        for fact in ("field", "square", "to")  # an event has at most one of these
        if fact in event.facts
    )


@dataclass(frozen=True, slots=True)
class Violation:
    """A token that is not a legal move. `player` is None if the game was over."""

    player: Player | None
    token: str
    refusal: Refusal


def make_step(position: AnyPosition, move: Move) -> Step:
    """Play a legal move; Fault if it is refused."""
    after, events = position.play(move)
    return Step(position.players[position.seat], move.token, events, after)


def attempt(position: AnyPosition, token: str) -> Step | Violation:
    """Try one token in a position; no token raises an exception."""
    outcome = position.attempt(token)
    if isinstance(outcome, Refusal):
        return Violation(position.to_move, token, outcome)
    after, events = outcome
    return Step(position.players[position.seat], token, events, after)


def replay(position: AnyPosition, tokens: Iterable[str]) -> Iterator[Step | Violation]:
    """Try the tokens one after the other; a violation leaves the position as it was."""
    for token in tokens:
        step = attempt(position, token)
        if isinstance(step, Step):
            position = step.after
        yield step


def steps(position: AnyPosition, tokens: Iterable[str]) -> list[Step]:
    """Play tokens that must all be legal; Fault at the first that is not."""
    played: list[Step] = []
    for step in replay(position, tokens):
        if isinstance(step, Violation):
            raise step.refusal.as_fault()
        played.append(step)
    return played
