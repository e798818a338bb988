"""Opens and closes evenings, and takes in those of other hubs."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from sqlalchemy import update

from club.evening.acts.shared import ActFacts, check_restored, follow, require_evening
from club.evening.errors import ActError
from club.evening.results import counted_results, ranks_of
from club.evening.taking_in import take_in_evening
from club.store.database import Writing
from club.store.live import EveningRow, all_evenings, rounds_of
from club.store.schema import evenings
from engines.games import GAMES
from pi_app.link.contract import random_word
from pi_app.wire.messages import Items, Message, String, Whole


class NewEvening(Message):
    """Begin an evening; with its id a lost one is made anew."""

    games: Annotated[tuple[Annotated[str, String(64)], ...], Items(50, 1)]
    mode: Literal["free", "round-robin", "swiss", "tables"] = "tables"
    per_table: Annotated[int, Whole(2, 4)] | None = None
    title: Annotated[str, String(80, cut=True)] = ""
    rounds: Annotated[int, Whole(0, 1000)] = 0
    rules: Annotated[str, String(200, cut=True)] = ""
    evening: Annotated[str, String(40, r"[!-~]{1,40}")] | None = None


def open_evening(writing: Writing, who: str, asked: NewEvening) -> ActFacts:
    for game in asked.games:
        if game not in GAMES:
            raise ActError("no-game", game=game, games=", ".join(GAMES))
    evening = asked.evening or f"e{random_word(5)}"
    if evening in {row.id for row in all_evenings(writing.connection)}:
        raise ActError("known-evening", evening=evening)
    games = list(dict.fromkeys(asked.games))
    act = writing.act(who, "evening", evening=evening, games=games, mode=asked.mode)
    writing.connection.execute(evenings.delete().where(evenings.c.id == evening))
    writing.connection.execute(
        evenings.insert().values(
            id=evening,
            act=act,
            games=json.dumps(games),
            mode=asked.mode,
            per_table=asked.per_table or (2 if asked.mode == "round-robin" else 4),
            rounds=asked.rounds,
            rules=asked.rules,
            title=asked.title,
        )
    )
    follow(writing, evening)
    return {"evening": evening}


class Closing(Message):
    anyway: bool = False


def close_evening(writing: Writing, who: str, asked: Closing) -> ActFacts:
    """Close the evening: its results are final."""
    evening = require_evening(writing)
    if not asked.anyway and (missing := missing_groups(writing, evening)):
        raise ActError("missing", groups="; ".join(missing))
    check_restored(writing, anyway=asked.anyway)
    act = writing.act(who, "close", evening=evening.id)
    writing.connection.execute(
        update(evenings).where(evenings.c.id == evening.id).values(closed=act)
    )
    follow(writing, evening.id)
    return {"evening": evening.id}


def missing_groups(writing: Writing, evening: EveningRow) -> list[str]:
    """Return the groups of all rounds without a result, as `1: p1 p2`."""
    counted = counted_results(writing.connection, evening)
    found = []
    for row in rounds_of(writing.connection, evening.id):
        over = ranks_of(row.number, counted)
        found += [
            f"{row.number}: {' '.join(group.seats)}"
            for group in row.groups
            if frozenset(group.seats) not in over
        ]
    return found


class Exported(Message):
    """A `club export` of a hub of before."""

    export: dict[str, Any]


def take_in(writing: Writing, who: str, asked: Exported) -> ActFacts:
    """Take in an evening that another hub has exported: people, rounds, and what counted."""
    evening = take_in_evening(writing, who, asked.export)
    follow(writing, evening)
    return {"evening": evening}
