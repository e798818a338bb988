"""What goes over MQTT between a table, its club's hub and a smart home: docs/link.md.

Everything that comes in is hostile: a reader of this module returns a value that is safe to show,
or raises ContractError. It imports nothing but the record's notation, so that both ends and the
hub can use it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engines.notation import UNPRINTABLE, printable
from engines.ranking import places

VERSION = 1
"""The payloads' `v`, and the number in the topics: it changes with the contract's meaning."""
MOST_PAYLOAD = 64 * 1024
"""The most bytes of a payload."""
MOST_EVENTS = 40
"""The most events of one message."""
MOST_PARTS = 32
"""The most parts of a record that is too long for one message."""
MOST_GAPS = 100
"""The most numbers in an ack's `missing`, and in its `refused`."""
MOST_SEATS = 12
MOST_DIGITS = 9
"""Digits of a person's number."""
MOST_NAME = 40
"""Characters of a person's name."""
MOST_TEXT = 200
"""Characters of a text to say."""
MOST_ID = 64
"""Characters of an id, and of every other word that is no text for people."""
MOST_FOR_S = 24 * 3600
MOST_NUMBER = 2**53 - 1
"""The highest number: higher ones are not exact in every JSON reader."""

TABLE = re.compile(r"[a-z0-9-]{8,23}")
"""A table's id, which is its user name and its client id too."""
_WORD = re.compile(r"[!-~]{1,64}")

PHASES = ("idle", "playing", "over")
EVENT_TYPES = ("turn", "row", "illegal", "win", "help")
ANSWERS = ("offered", "started", "refused")
KINDS = ("result", "withdrawn", "lost", "part")
REASONS = (
    "record",
    "unknown-round",
    "unknown-game",
    "version",
    "not-seated",
    "duplicate-person",
    "disputed",
    "locked",
    "foreign",
    "conflict",
    "bad",
)
"""Why the hub may refuse an event."""

Json = Mapping[str, Any]


class ContractError(ValueError):
    """A payload is not what the contract says; the text says why, in English, for a log."""


# --- topics

ROOT = f"beisitzer/{VERSION}"
STANDINGS = f"{ROOT}/club/standings"
ROUND = f"{ROOT}/club/round"


def topic(table: str, leaf: str) -> str:
    """Return a table's topic, such as `beisitzer/1/table-07/up/events` for `up/events`."""
    return f"{ROOT}/{table}/{leaf}"


def split_topic(name: str) -> tuple[str, str]:
    """Return the table and the rest of a table's topic; ContractError for any other topic."""
    table, slash, leaf = name.removeprefix(f"{ROOT}/").partition("/")
    if not name.startswith(f"{ROOT}/") or not slash or not TABLE.fullmatch(table):
        raise ContractError("this is no table's topic")
    return table, leaf


# --- reading


def clean(text: str, most: int) -> str:
    """Return a text of others as one line of at most `most` characters that is safe to show.

    Control characters, marks of writing direction and others without a shape become `?`.
    """
    # cut before and after: a huge text costs nothing
    line = " ".join(printable(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def read_payload(data: bytes | bytearray) -> dict[str, Any]:
    """Return a payload's object; ContractError if it is too long or not of this version."""
    if len(data) > MOST_PAYLOAD:
        raise ContractError(f"a payload has at most {MOST_PAYLOAD} bytes")
    try:
        value = json.loads(bytes(data).decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ContractError("this is no JSON in UTF-8") from error
    if not isinstance(value, dict):
        raise ContractError("this is no JSON object")
    if type(value.get("v")) is not int or value["v"] != VERSION:
        raise ContractError(f"this is not version {VERSION}")
    return value


def payload(facts: Json) -> bytes:
    """Return a payload with its version; ContractError if it is too long."""
    data = compact({"v": VERSION, **facts})
    if len(data) > MOST_PAYLOAD:
        raise ContractError(f"a payload has at most {MOST_PAYLOAD} bytes")
    return data


def compact(value: Json) -> bytes:
    """Return an object as JSON without spaces, in UTF-8."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")  # half a surrogate pair is no text


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are no JSON


def number(facts: Json, name: str, least: int = 0, most: int = MOST_NUMBER) -> int:
    """Return a whole number; ContractError if it is none or out of bounds."""
    value = facts.get(name)
    if type(value) is not int or not least <= value <= most:
        raise ContractError(f"{name} must be a whole number from {least} to {most}")
    return value


def word(facts: Json, name: str) -> str:
    """Return an id or a code: at most 64 printable ASCII characters without spaces."""
    value = facts.get(name)
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise ContractError(f"{name} must be a word of at most {MOST_ID} ASCII characters")
    return value


def word_or_none(facts: Json, name: str) -> str | None:
    """Return an id, or None where there is none."""
    return None if facts.get(name) is None else word(facts, name)


def text(facts: Json, name: str, most: int) -> str:
    """Return a text for people, safe to show; ContractError if there is none or it is too long."""
    value = facts.get(name)
    if not isinstance(value, str) or len(value) > 4 * most:
        raise ContractError(f"{name} must be a text of at most {most} characters")
    return clean(value, most)


def numbers(facts: Json, name: str, most: int = MOST_GAPS) -> tuple[int, ...]:
    """Return a list of numbers from 1 on."""
    value = facts.get(name, [])
    if not isinstance(value, list) or len(value) > most:
        raise ContractError(f"{name} must be a list of at most {most} numbers")
    return tuple(number({name: each}, name, 1) for each in value)


def objects(facts: Json, name: str, most: int, least: int = 0) -> list[dict[str, Any]]:
    """Return a list of objects; ContractError if it has fewer or more than allowed."""
    value = facts.get(name)
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise ContractError(f"{name} must be a list of {least} to {most} objects")
    if not all(isinstance(each, dict) for each in value):
        raise ContractError(f"{name} must be a list of objects")
    return value


def choice(facts: Json, name: str, allowed: Sequence[str]) -> str:
    """Return one of the words that are allowed."""
    value = facts.get(name)
    if value not in allowed:
        raise ContractError(f"{name} must be one of {', '.join(allowed)}")
    return str(value)


# --- people


def person(keyed: str) -> str | None:
    """Return `p17` for a number that was keyed in place of a name (`17`, `p017`), else None."""
    number = keyed.strip().lower().removeprefix("p")
    is_number = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
    return f"p{int(number)}" if is_number else None


# --- what a hub sends


@dataclass(frozen=True, slots=True)
class RefusedEvent:
    """An event that arrived and does not count: its number and one of REASONS."""

    seq: int
    why: str


@dataclass(frozen=True, slots=True)
class Ack:
    """`down/ack`: every number up to `upto` is at the hub; up to `closed` the table may forget."""

    hub: str
    store: str
    upto: int
    missing: tuple[int, ...] = ()
    refused: tuple[RefusedEvent, ...] = ()
    closed: int = 0

    @classmethod
    def read(cls, facts: Json) -> Ack:
        """Read the payload's object; ContractError if it is no ack."""
        refused = objects({"refused": facts.get("refused", [])}, "refused", MOST_PAYLOAD)
        return cls(
            hub=word(facts, "hub"),
            store=word(facts, "store"),
            upto=number(facts, "upto"),
            missing=numbers(facts, "missing"),
            refused=tuple(
                RefusedEvent(number(each, "seq", 1), word(each, "why")) for each in refused
            ),
            closed=number({"closed": facts.get("closed", 0)}, "closed"),
        )

    def facts(self) -> dict[str, Any]:
        return {
            "hub": self.hub,
            "store": self.store,
            "upto": self.upto,
            "missing": list(self.missing),
            "refused": [{"seq": each.seq, "why": each.why} for each in self.refused],
            "closed": self.closed,
        }


@dataclass(frozen=True, slots=True)
class AssignedSeat:
    """A seat of an assignment, counted from 1; `p` is None for who has no number."""

    seat: int
    p: str | None
    show: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """`down/seat`: who plays what here in a round; with `round` None nothing is assigned."""

    era: int
    rev: int
    evening: str | None
    round: int | None
    game: str | None = None
    rules: str = ""
    board: str | None = None
    seats: tuple[AssignedSeat, ...] = ()

    @property
    def pair(self) -> tuple[int, int]:
        """What is compared: of two assignments the higher pair counts."""
        return self.era, self.rev

    @classmethod
    def read(cls, facts: Json) -> Assignment:
        """Read the payload's object; ContractError if it is no assignment."""
        era, rev = number(facts, "era"), number(facts, "rev")
        if facts.get("round") is None:
            return cls(era, rev, word_or_none(facts, "evening"), None)
        seats = tuple(
            AssignedSeat(number(each, "seat", 1, MOST_SEATS), word_or_none(each, "p"), _show(each))
            for each in objects(facts, "seats", MOST_SEATS, 1)
        )
        if sorted(seat.seat for seat in seats) != list(range(1, len(seats) + 1)):
            raise ContractError("seats must be numbered from 1 on")
        rules = facts.get("rules")
        return cls(
            era,
            rev,
            word(facts, "evening"),
            number(facts, "round", 1),
            word(facts, "game"),
            text({"rules": "" if rules is None else rules}, "rules", MOST_TEXT),
            word_or_none(facts, "board"),
            tuple(sorted(seats, key=lambda seat: seat.seat)),
        )

    def facts(self) -> dict[str, Any]:
        return {
            "era": self.era,
            "rev": self.rev,
            "evening": self.evening,
            "round": self.round,
            "game": self.game,
            "rules": self.rules,
            "board": self.board,
            "seats": [{"seat": s.seat, "p": s.p, "show": s.show} for s in self.seats],
        }


def _show(seat: Json) -> str:
    """Return the name to show; without one the person's number, or the seat's."""
    shown = text({"show": seat.get("show") or ""}, "show", MOST_NAME)
    return shown or clean(str(seat.get("p") or f"S{seat.get('seat')}"), MOST_NAME)


@dataclass(frozen=True, slots=True)
class Say:
    """`down/say`: a text to show and say once, within `for_s` seconds."""

    id: str
    text: str
    for_s: int

    @classmethod
    def read(cls, facts: Json) -> Say:
        """Read the payload's object; ContractError if there is nothing to say."""
        said = text(facts, "text", MOST_TEXT)
        if not said.strip(UNPRINTABLE + " "):
            raise ContractError("text is empty")
        for_s = number({"for_s": facts.get("for_s", 600)}, "for_s", 1, MOST_FOR_S)
        return cls(word(facts, "id"), said, for_s)

    def facts(self) -> dict[str, Any]:
        return {"id": self.id, "text": self.text, "for_s": self.for_s}


# --- what a table sends


@dataclass(frozen=True, slots=True)
class TableHello:
    """`up/hello`: what the table has; `previous` are the ids that its store had before."""

    store: str
    previous: tuple[str, ...]
    last: int
    machine: str
    boot: str
    software: str

    @classmethod
    def read(cls, facts: Json) -> TableHello:
        """Read the payload's object; ContractError if it is no hello."""
        previous = facts.get("previous", [])
        if not isinstance(previous, list) or len(previous) > 1000:
            raise ContractError("previous must be a list of stores")
        return cls(
            word(facts, "store"),
            tuple(word({"previous": each}, "previous") for each in previous),
            number(facts, "last"),
            word(facts, "machine"),
            word(facts, "boot"),
            text(facts, "software", MOST_ID),
        )

    def facts(self) -> dict[str, Any]:
        return {
            "store": self.store,
            "previous": list(self.previous),
            "last": self.last,
            "machine": self.machine,
            "boot": self.boot,
            "software": self.software,
        }


@dataclass(frozen=True, slots=True)
class EventBatch:
    """`up/events`: some events of a store; each is an object with at least `seq` and `kind`."""

    store: str
    events: tuple[dict[str, Any], ...]

    @classmethod
    def read(cls, facts: Json) -> EventBatch:
        """Read the payload's object; ContractError if no event in it has a number.

        Only `seq` and `kind` are checked, and that `seq` ascends: the rest of an event is judged
        event by event, so that a bad one does not take the others with it.
        """
        events = objects(facts, "events", MOST_EVENTS, 1)
        given = [number(event, "seq", 1) for event in events]
        if sorted(set(given)) != given:
            raise ContractError("seq must ascend")
        for event in events:
            word(event, "kind")
        return cls(word(facts, "store"), tuple(events))

    def facts(self) -> dict[str, Any]:
        return {"store": self.store, "events": list(self.events)}


def fitting(store: str, events: Sequence[Json]) -> int:
    """Return how many of these events, from the first on, one message may carry."""
    size = len(payload({"store": store, "events": []}))
    for count, event in enumerate(events[:MOST_EVENTS]):
        size += len(compact(event)) + bool(count)  # a comma between two
        if size > MOST_PAYLOAD:
            return count
    return min(len(events), MOST_EVENTS)


def event_hash(event: Json) -> str:
    """Return the hash of an event without its `seq`: the same content has the same hash."""
    content = {name: value for name, value in event.items() if name != "seq"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode("ascii")).hexdigest()


# --- results


def placings(result: Json, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return `rank`, `points` and `won` of each seat, as a result of `Result.as_json` states it.

    Winners come first, the others by points; those who are equal share a rank, and the ranks
    after it are left out (1, 2, 2, 4). `points` is None in a game without.
    """
    return [place._asdict() for place in places(result, names)]
