"""Tokens played one after the other: what the table, `check` and the history share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engines.game import AnyPosition, Event, IllegalMoveError, Player, Refusal


@dataclass(frozen=True, slots=True)
class Step:
    """One token that is a legal move: who made it, what happened, the position after."""

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
        """The names of those that a stone or a chip came onto with this move."""
        return _places(event for event in self.events if event.code in ("placed", "moved"))


def _places(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(
        str(event.facts[fact])
        for event in events
        for fact in ("field", "square", "to")
        if fact in event.facts
    )


@dataclass(frozen=True, slots=True)
class Violation:
    """One token that is no legal move: the position stays. `player` None: the game was over."""

    player: Player | None
    token: str
    refusal: Refusal


def attempt(position: AnyPosition, token: str) -> Step | Violation:
    """Try one token in a position; nothing that the token may hold raises."""
    player = position.to_move
    outcome = position.attempt(token)
    if player is None or isinstance(outcome, Refusal):
        refusal = outcome if isinstance(outcome, Refusal) else Refusal("game-over", token)
        return Violation(player, token, refusal)
    return Step(player, token, outcome[1], outcome[0])


def replay(position: AnyPosition, tokens: Iterable[str]) -> Iterator[Step | Violation]:
    """Try the tokens one after the other; a violation leaves the position as it was."""
    for token in tokens:
        step = attempt(position, token)
        if isinstance(step, Step):
            position = step.after
        yield step


def steps(position: AnyPosition, tokens: Iterable[str]) -> list[Step]:
    """Play tokens that must all be legal; IllegalMoveError at the first that is not."""
    found = []
    for step in replay(position, tokens):
        if isinstance(step, Violation):
            raise IllegalMoveError(step.refusal)
        found.append(step)
    return found
