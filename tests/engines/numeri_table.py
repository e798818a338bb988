"""Numeri tables for the tests, and the steps that they all take."""

from engines.game import Event, Player, Refusal, Result, Setup
from engines.numeri import begin
from engines.numeri.position import NumeriPosition

NAMES = ("Anna yellow", "Ben red", "Cara green", "Dora blue")
SHORT = "0 0 0 0 0 0 0 10 50 20"


def table(
    position: str | None = None,
    *,
    count: int = 2,
    start: int = 0,
    values: str | None = SHORT,
    board: str | None = None,
) -> NumeriPosition:
    players = tuple(Player(*name.split()) for name in NAMES[:count])
    return begin(Setup(players, start, board=board, board_data=values, position=position))


def play(position: NumeriPosition, *tokens: str) -> tuple[NumeriPosition, tuple[Event, ...]]:
    """Play tokens that must be legal; return the last position and the last one's events."""
    events: tuple[Event, ...] = ()
    for token in tokens:
        move = position.parse(token)
        assert not isinstance(move, Refusal), move
        position, events = position.play(move)
    return position, events


def refused(position: NumeriPosition, token: str) -> str | None:
    """Return the violation's code, None for a legal token."""
    refusal = position.verdict(token)
    return None if refusal is None else refusal.code


def tokens(position: NumeriPosition, roll: int) -> list[str]:
    return [move.token for move in position.legal(roll)]


def over(position: NumeriPosition) -> Result:
    assert position.result is not None
    assert position.to_move is None
    return position.result


def moved(stone: int, start: int, end: int) -> Event:
    return Event("moved", {"stone": stone, "from": start, "to": end})
