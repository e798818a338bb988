"""Einmaleins tables for the tests, and the steps that they all take."""

from engines.einmaleins.rules import EinmaleinsPosition, begin
from engines.game import Event, Player, Setup

NAMES = ("Anna yellow", "Ben red", "Cara green", "Dora blue", "Emil white", "Fred pink")


def table(
    position: str | None = None,
    *,
    count: int = 3,
    start: int = 0,
    opened: str | None = None,
    dealt: str | None = None,
    free: str | None = None,
) -> EinmaleinsPosition:
    """Set up a table; without position and open card, 12 lies open."""
    if position is None and opened is None:
        opened = "12"
    players = tuple(Player(*name.split()) for name in NAMES[:count])
    tags = {"Open": opened, "Hand": dealt}
    return begin(
        Setup(
            players,
            start,
            rules={} if free is None else {"free": free},
            position=position,
            tags={tag: value for tag, value in tags.items() if value is not None},
        )
    )


def tokens(position: EinmaleinsPosition, *hand: str) -> list[str]:
    return [move.token for move in position.legal(hand)]


def laid(card: int, a: int, b: int, *, free: bool = False) -> Event:
    return Event("laid", {"card": card, "factors": [a, b], "free": free})


def drew(name: str) -> Event:
    return Event("drew", {"player": name})


def skipped(name: str) -> Event:
    return Event("skipped", {"player": name})


RESHUFFLE = Event("reshuffle", {})
