"""The steps that the tests of every game take."""

from typing import TypeVar

from engines.game import AnyPosition, Event, Refusal, Result

P = TypeVar("P", bound=AnyPosition)


def play(position: P, *tokens: str) -> tuple[P, tuple[Event, ...]]:
    """Play tokens that must be legal; return the last position and the last one's events."""
    events: tuple[Event, ...] = ()
    for token in tokens:
        move = position.parse(token)
        assert not isinstance(move, Refusal), move
        position, events = position.play(move)
    return position, events


def refused(position: AnyPosition, token: str) -> str | None:
    """Return the violation's code, None for a legal token."""
    refusal = position.verdict(token)
    return None if refusal is None else refusal.code


def over(position: AnyPosition) -> Result:
    """Return the result of a game that must be over."""
    assert position.result is not None
    assert position.to_move is None
    return position.result


def codes(events: tuple[Event, ...]) -> list[str]:
    return [event.code for event in events]
