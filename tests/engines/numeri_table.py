"""Numeri tables for the tests, and the steps that they all take."""

from engines.game import Event, Player, Setup
from engines.numeri.rules import NumeriPosition, begin

NAMES = ("Anna yellow", "Ben red", "Cara green", "Dora blue")
SHORT = "0 0 0 0 0 0 0 10 50 20"


def table(
    position: str | None = None,
    *,
    count: int = 2,
    start: int = 0,
    values: str | None = SHORT,
    board: str | None = None,
    edition: str | None = None,
) -> NumeriPosition:
    players = tuple(Player(*name.split()) for name in NAMES[:count])
    rules = {} if edition is None else {"edition": edition}
    return begin(Setup(players, start, board, values, rules, position))


def tokens(position: NumeriPosition, roll: int) -> list[str]:
    return [move.token for move in position.legal(roll)]


def moved(stone: int, start: int, end: int) -> Event:
    return Event("moved", {"stone": stone, "from": start, "to": end})
