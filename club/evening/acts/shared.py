"""Declares acts; shared types and checks of acts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_type_hints

from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.judging.settling import settle_evening
from club.store.database import Writing
from club.store.live import (
    EveningRow,
    RoundRow,
    current_evening,
    current_round,
    tables_now,
)
from pi_app.link.contract import person
from pi_app.texts.language import Text
from pi_app.wire.messages import Message, String

ActFacts = Mapping[str, Any]
Person = Annotated[str, String(16, r"[pP]?[0-9]{1,9}")]
PersonName = Annotated[str, String(40, cut=True)]


@dataclass(frozen=True, slots=True)
class OrganiserAct:
    """An act: its message, and the function that carries it out and returns facts to print."""

    asked: type[Message]
    do: Callable[..., ActFacts | None]
    said: Text
    """Its text in the log."""
    undoable: bool
    by_anybody: bool
    """Whether anybody in the hall may do it on a phone."""


ACTS: dict[str, OrganiserAct] = {}
"""All acts by name."""
Do = TypeVar("Do", bound=Callable[..., ActFacts | None])


def act(
    name: str, english: str, *, undoable: bool = False, by_anybody: bool = False
) -> Callable[[Do], Do]:
    """Declare an act with its name and its text in the log.

    The function's parameters after the first are the fields of the act's message, with their rules.
    A parameter such as `round_` is `round` in the JSON.
    """

    def declare(do: Do) -> Do:
        hints = get_type_hints(do, include_extras=True)
        first, *parameters = inspect.signature(do).parameters.values()
        del first
        fields: dict[str, Any] = {
            each.name.rstrip("_"): each.default
            for each in parameters
            if each.default is not inspect.Parameter.empty
        }
        annotations = {each.name.rstrip("_"): hints[each.name] for each in parameters}
        asked = type(f"Asked_{name}", (Message,), {**fields, "__annotations__": annotations})

        def run(writing: Writing, message: Message) -> ActFacts | None:
            said = {each.name: getattr(message, each.name.rstrip("_")) for each in parameters}
            return do(writing, **said)

        ACTS[name] = OrganiserAct(asked, run, Text("page", english), undoable, by_anybody)
        return do

    return declare


def person_number(keyed_as: str) -> str:
    """Return `p17` for `17` or `p017`, and any other text unchanged."""
    return person(keyed_as) or keyed_as


def require_evening(writing: Writing) -> EveningRow:
    """Return the evening that is open; ActError if none is."""
    evening = current_evening(writing.connection)
    if evening is None:
        raise ActError("no-evening")
    return evening


def last_round(writing: Writing, evening: EveningRow) -> RoundRow:
    """Return the evening's last round; ActError if none is paired."""
    paired = current_round(writing.connection, evening)
    if paired is None:
        raise ActError("no-rounds")
    return paired


def follow(writing: Writing, evening: str | None) -> None:
    """Judge the results of an evening again, and update the tables' assignments."""
    settle_evening(writing, evening)
    issue_seats(writing)


def check_restored(writing: Writing, *, anyway: bool) -> None:
    """Raise ActError if after a restore tables may hold results that the hub lacks."""
    if anyway or not writing.get("restored"):
        return
    known, era = tables_now(writing.connection), writing.get("era")
    if missing := [name for name, row in known.items() if row.empty_in != era]:
        raise ActError("not-empty", tables=", ".join(missing))
