"""Reads one event of a table: what it is, and whether it is what the contract says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engines.notation import composed, printable
from pi_app.link.contract import (
    KINDS,
    MOST_ID,
    MOST_NAME,
    MOST_PARTS,
    MOST_PAYLOAD,
    MOST_SEATS,
    ContractError,
    choice,
    event_hash,
    number,
    objects,
    person,
    text,
    word,
    word_or_none,
)

MOST_REVISION = 1_000
"""More corrections of one game are no game's."""
CLOCKS = ("sure", "unsure")


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a result: who sat there, which place they took, and with how many points."""

    p: str | None
    rank: int
    points: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """An event that is what the contract says.

    `seats` is empty for all but results. `record` is None if it comes in `parts`, or if the table
    has none: then people judge.
    """

    kind: str
    game_id: str | None = None
    revision: int = 0
    evening: str | None = None
    round: int | None = None
    game: str = ""
    seats: tuple[SeatResult, ...] = ()
    reason: str = ""
    record: str | None = None
    parts: int = 0
    of: int | None = None
    part: int = 0
    text: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """Who played and has a number."""
        return tuple(seat.p for seat in self.seats if seat.p is not None)


def read_event(event: Mapping[str, Any]) -> ReadEvent:
    """Read an event; ContractError if it is not what the contract says."""
    kind = choice(event, "kind", KINDS)
    if kind == "lost":
        return ReadEvent(kind)
    if kind == "part":
        if not isinstance(event.get("text"), str):
            raise ContractError("text must be a text")
        part, of = number(event, "part", 1, MOST_PARTS), number(event, "of", 1)
        return ReadEvent(kind, of=of, part=part, text=event["text"])
    game_id, revision = word(event, "game_id"), number(event, "revision", 0, MOST_REVISION)
    if kind == "withdrawn":
        return ReadEvent(kind, game_id, revision)
    return _read_result(event, game_id, revision)


def _read_result(event: Mapping[str, Any], game_id: str, revision: int) -> ReadEvent:
    evening, in_round = word_or_none(event, "evening"), event.get("round")
    if in_round is not None:
        number(event, "round", 1, 10_000)
        if evening is None:
            raise ContractError("a round belongs to an evening")
    _check_times(event)
    record, parts = event.get("record"), 0
    if record is None and event.get("parts") is not None:
        parts = number(event, "parts", 1, MOST_PARTS)
    elif record is not None and (not isinstance(record, str) or len(record) > MOST_PAYLOAD):
        raise ContractError("record must be a text, or null")
    return ReadEvent(
        "result",
        game_id,
        revision,
        evening,
        in_round,
        word(event, "game"),
        _read_seats(event),
        word(event, "reason"),
        record,
        parts,
    )


def _check_times(event: Mapping[str, Any]) -> None:
    """Check times and clock; while the clock is unsure, what it said is not looked at."""
    clock = choice({"clock": event.get("clock", "unsure")}, "clock", CLOCKS)
    if event.get("lasted_s") is not None:
        number(event, "lasted_s")
    times = [_time(event, name) for name in ("began", "ended")]
    if clock == "sure" and times[0] and times[1] and times[0] > times[1]:
        raise ContractError("a game cannot end before it began")


def _time(event: Mapping[str, Any], name: str) -> datetime | None:
    value = event.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > MOST_ID:
        raise ContractError(f"{name} must be a time")
    try:
        return datetime.fromisoformat(value).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise ContractError(f"{name} must be a time") from error


def _read_seats(event: Mapping[str, Any]) -> tuple[SeatResult, ...]:
    seats = []
    for place, seat in enumerate(objects(event, "seats", MOST_SEATS, 1), 1):
        number(seat, "seat", place, place)
        p = word_or_none(seat, "p")
        if p is not None and person(p) != p:
            raise ContractError("p must be a person's number, such as p17")
        if seat.get("show") is not None:
            text(seat, "show", MOST_NAME)
            if printable(seat["show"]) != composed(seat["show"]):
                raise ContractError("show has characters that are not for showing")
        points = seat.get("points")
        if points is not None:
            number(seat, "points", -1_000_000, 1_000_000)
        if type(seat.get("won")) is not bool:
            raise ContractError("won must be true or false")
        rank = number(seat, "rank", 1, MOST_SEATS)
        seats.append(SeatResult(p, rank, points, seat["won"]))
    return tuple(seats)


def content_hash(event: Mapping[str, Any], record: str | None) -> str:
    """Return the hash of what an event says, its record in one piece, however it was sent."""
    whole = {name: value for name, value in event.items() if name != "parts"}
    return event_hash({**whole, "record": record} if "record" in whole else whole)
