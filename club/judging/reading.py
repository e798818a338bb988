"""Reads one result of a table, and checks it against the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from pi_app.link import contract
from pi_app.wire.messages import Items, Message, MessageError, String, Whole

RESULT_LIMIT_BYTES = 256 * 1024
_POINTS = 1_000_000

Name = Annotated[str, String(40, r"[!-~]{1,40}")]
"""An id or a code of at most 40 printable ASCII characters."""


class SeatResult(Message):
    """One seat of a result: its person, place and points."""

    seat: Annotated[int, Whole(1, contract.SEATS)]
    rank: Annotated[int, Whole(1, contract.SEATS)]
    won: bool
    p: Name | None = None
    points: Annotated[int, Whole(-_POINTS, _POINTS)] | None = None
    show: Annotated[str, String(80, raw=True)] | None = None


class ReadResult(Message):
    """A valid result; `seats` is empty for a game that was withdrawn.

    `record` is None if the table has none: then the organiser judges. `newer` is the raw text of a
    result of a newer contract, with only game and revision read.
    """

    game_id: contract.GameId
    revision: contract.RevisionNumber
    game: Annotated[str, String(64, r"[!-~]{1,64}")]
    seats: Annotated[tuple[SeatResult, ...], Items(contract.SEATS, 1)]
    reason: Name | None = None
    evening: Name | None = None
    round: Annotated[int, Whole(1, 10_000)] | None = None
    began: Annotated[str, String(40)] | None = None
    ended: Annotated[str, String(40)] | None = None
    lasted_s: Annotated[int, Whole(0, contract.REVISION_LIMIT)] | None = None
    clock: Literal["sure", "unsure"] = "unsure"
    record: Annotated[str, String(contract.RECORD_LIMIT_BYTES, raw=True)] | None = None
    withdrawn: bool = False
    newer: Annotated[str, String(0, raw=True)] = ""

    @property
    def content(self) -> str:
        """The hash of the fields that must be equal when a revision is sent again."""
        seats = [[each.seat, each.p, each.rank, each.points, each.won] for each in self.seats]
        facts = [self.evening, self.round, self.game, self.reason, self.withdrawn, seats]
        facts += [self.newer] if self.newer else []
        return sha256(json.dumps(facts).encode()).hexdigest()


class Named(Message):
    """A result of which only game and revision can be read."""

    game_id: contract.GameId
    revision: contract.RevisionNumber


class _Spoilt:
    """Stands for an invalid value, or an object with a duplicate key."""


def _object(pairs: list[tuple[str, Any]]) -> Any:
    facts = dict(pairs)
    return facts if len(facts) == len(pairs) else {"": _Spoilt(), **facts}


def load_json(data: bytes) -> Any:
    """Parse JSON; an invalid value is marked, so that only its result is bad.

    ValueError or RecursionError if it is no JSON at all.
    """
    return json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_spoil)


def _spoil(_name: str) -> _Spoilt:
    return _Spoilt()


def read_result(facts: object) -> ReadResult:
    """Return a result; MessageError if it violates the contract."""
    if not isinstance(facts, Mapping):
        raise MessageError("a result must be an object")
    try:
        written = json.dumps(facts, ensure_ascii=False, allow_nan=False)
        size = len(written.encode())
    except (TypeError, ValueError):
        raise MessageError("a result must be JSON without half characters") from None
    if size > RESULT_LIMIT_BYTES or "\\u0000" in written.replace("\\\\", ""):
        raise MessageError("a result is too long, or has a NUL")
    is_newer = type(facts.get("v")) is int and facts["v"] > contract.VERSION
    withdrawn = facts.get("withdrawn", False)
    if is_newer or withdrawn is True:
        named = Named.read(facts).facts()
        newer = written if is_newer else ""
        return ReadResult(**named, game="", seats=(), withdrawn=not is_newer, newer=newer)
    read = ReadResult.read({**facts, "newer": ""})
    if read.round is not None and read.evening is None:
        raise MessageError("a round belongs to an evening")
    if [each.seat for each in read.seats] != list(range(1, len(read.seats) + 1)):
        raise MessageError("seats must be numbered from 1 on")
    if read.record is not None and len(read.record.encode()) > contract.RECORD_LIMIT_BYTES:
        raise MessageError("the record is too long")
    _check_times(read)
    return read


def _check_times(read: ReadResult) -> None:
    """Check the times, if the table's clock was right."""
    times = [_time(each) for each in (read.began, read.ended)]
    if read.clock == "sure" and times[0] and times[1] and times[0] > times[1]:
        raise MessageError("a game cannot end before it began")


def _time(value: str | None) -> datetime | None:
    try:
        return None if value is None else datetime.fromisoformat(value).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise MessageError("a time must be one") from error
