"""Results as a club's hub gets them, and what an outbox knows of their games."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from os import urandom
from typing import Any

from engines.anonymous import anonymous
from engines.record import Record, parse, write
from pi_app.link.contract import MOST_PARTS, Json, compact, event_hash

log = logging.getLogger(__name__)

MOST_WHOLE = 60_000
"""The most bytes of an event that goes in one message; of a longer one, those of a part."""
LONGEST_S = 24 * 3600
"""A game that took longer by the clock was on the shelf, or the clock was set meanwhile."""


@dataclass(frozen=True, slots=True)
class ClubGame:
    """What an outbox knows of a game. `id` is its `game_id`, `people` the numbers by seat.

    `digest` is the hash of the last result that was written, "" if there is none or it was
    withdrawn; `revision` that of the last event, -1 before the first one. `sure`: the clock was
    when it began.
    """

    id: str
    evening: str | None = None
    round: int | None = None
    people: tuple[str | None, ...] | None = None
    sure: bool = True
    revision: int = -1
    digest: str = ""
    ended: str | None = None
    lasted_s: int | None = None
    closed: bool = False

    @classmethod
    def read(cls, text: str) -> ClubGame:
        facts = json.loads(text)
        people = facts.get("people")
        return cls(**{**facts, "people": people and tuple(people)})

    def text(self) -> str:
        return json.dumps(asdict(self))

    def after(self, event: Json) -> ClubGame:
        """Return what is known after this event."""
        is_result = event["kind"] == "result"
        content = {name: value for name, value in event.items() if name != "revision"}
        return replace(
            self,
            revision=event["revision"],
            digest=event_hash(content) if is_result else "",
            ended=event.get("ended"),
            lasted_s=event.get("lasted_s"),
        )


def game_facts(
    evening: str | None = None, round_: int | None = None, people: Sequence[str | None] = ()
) -> ClubGame:
    """Return what is known of a game that is about to begin."""
    return ClubGame(urandom(16).hex(), evening, round_, tuple(people) or None)


def game_of(events: Iterable[Json]) -> ClubGame:
    """Return what the events of a game say of it, where nothing else is known any more."""
    known = ClubGame("")
    for event in events:
        known = replace(known, id=event["game_id"])
        if event["kind"] == "result":
            people = tuple(seat["p"] for seat in event["seats"])
            known = replace(
                known,
                evening=event["evening"],
                round=event["round"],
                people=people,
                sure=event["began"] is not None,
            )
        known = known.after(event)
    return known


def record_text(record: Record) -> str | None:
    """Return a record as text; None for one that cannot be written, which people then judge."""
    try:
        return write(record)
    except ValueError as error:
        log.warning("a game has no record: %s", error)
        return None


def without_names(event: Json) -> dict[str, Any]:
    """Return a result without the names of its people."""
    seats = [{k: v for k, v in seat.items() if k != "show"} for seat in event["seats"]]
    if event["record"] is None:  # its parts have names too, and go
        return {"kind": "lost"}
    return {**event, "seats": seats, "record": write(anonymous(parse(event["record"])))}


def in_parts(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an event as it is, or its head and the parts of a record that is too long."""
    if len(compact(event)) <= MOST_WHOLE:
        return [event]
    texts = list(_pieces(str(event["record"])))
    if len(texts) > MOST_PARTS:  # no game is so long: the hub refuses it, and people decide
        return [{**event, "record": None}]
    head = {**event, "record": None, "parts": len(texts)}
    return [
        head,
        *({"kind": "part", "part": count, "text": text} for count, text in enumerate(texts, 1)),
    ]


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most MOST_WHOLE bytes of JSON, less what surrounds them."""
    piece: list[str] = []
    size = 0
    for char in text:
        cost = len(json.dumps(char, ensure_ascii=False).encode("utf-8", "replace")) - 2
        if size + cost > MOST_WHOLE - 200:
            yield "".join(piece)
            piece, size = [], 0
        piece.append(char)
        size += cost
    yield "".join(piece)


def numbered(seq: int, body: str) -> dict[str, Any]:
    """Return an event with its number; a part follows its head by as many as it says."""
    event: dict[str, Any] = json.loads(body)
    if event["kind"] == "part":
        return {"seq": seq, "kind": "part", "of": seq - event["part"], **event}
    return {"seq": seq, **event}


def utc(when: datetime) -> str:
    """Return a time as the contract writes it."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_since(began: str, now: datetime) -> int | None:
    """Return how long ago that was by the clock, None if it cannot be."""
    try:
        seconds = round((now - datetime.fromisoformat(began)).total_seconds())
    except (ValueError, TypeError):
        return None
    return seconds if 0 <= seconds <= LONGEST_S else None
