"""Opens and closes evenings."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from sqlalchemy import update

from club.evening.acts.shared import ActFacts, check_restored, follow, require_evening
from club.evening.errors import ActError
from club.evening.results import counted_results, ranks_of
from club.evening.seating import IN_TEAMS
from club.store.database import Writing
from club.store.live import EveningRow, all_evenings, current_evening, people_now, rounds_of
from club.store.schema import evenings
from engines.games import GAMES
from pi_app.link.contract import random_word
from pi_app.wire.messages import Items, Message, String, Whole


class NewEvening(Message):
    """Begin an evening; with its id a lost one is made anew.

    With `teams`, two people each play together all evening. `anyway`: close the evening before
    though results are missing.
    """

    games: Annotated[tuple[Annotated[str, String(64)], ...], Items(50, 1)]
    mode: Literal["free", "round-robin", "swiss", "tables"] = "tables"
    per_table: Annotated[int, Whole(2, 4)] | None = None
    title: Annotated[str, String(80, cut=True)] = ""
    rounds: Annotated[int, Whole(0, 1000)] = 0
    rules: Annotated[str, String(200, cut=True)] = ""
    evening: Annotated[str, String(40, r"[!-~]{1,40}")] | None = None
    teams: bool = False
    anyway: bool = False


def open_evening(writing: Writing, who: str, asked: NewEvening) -> ActFacts:
    """Open an evening; one that is still open is closed first."""
    for game in asked.games:
        if game not in GAMES:
            raise ActError("no-game", game=game, games=", ".join(GAMES))
    evening = asked.evening or f"e{random_word(5)}"
    if evening in {row.id for row in all_evenings(writing.connection)}:
        raise ActError("known-evening", evening=evening)
    games = list(dict.fromkeys(asked.games))
    if asked.teams and games != [IN_TEAMS]:
        raise ActError("no-teams")
    if current_evening(writing.connection) is not None:
        close_evening(writing, who, Closing(anyway=asked.anyway))
    facts = {"evening": evening, "games": games, "mode": asked.mode, "teams": asked.teams}
    act = writing.act(who, "evening", **facts)
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
    """Return the groups of all rounds without a result, as `1: Anna (p1), Ben (p2)`."""
    counted = counted_results(writing.connection, evening)
    names = {p: f"{each.name} ({p})" for p, each in people_now(writing.connection).items()}
    found = []
    for row in rounds_of(writing.connection, evening.id):
        over = ranks_of(row.number, counted)
        found += [
            f"{row.number}: {', '.join(names.get(p, p) for p in group.seats)}"
            for group in row.groups
            if frozenset(group.seats) not in over
        ]
    return found
