"""Takes in an evening that a hub has exported, also one of before results came by HTTPS."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from club.evening.errors import ActError
from club.evening.seating import add_round
from club.judging.reading import Name, SeatResult
from club.store.database import Writing
from club.store.live import all_evenings, people_now
from club.store.schema import evenings, keyed, people
from engines.games import GAMES
from pi_app.link.contract import person
from pi_app.wire.messages import Count, Items, Message, MessageError, String, Whole

MOST_LISTED = 100_000
P = Annotated[str, String(16, r"p[0-9]{1,9}")]


class _Line(Message):
    p: P
    name: Annotated[str, String(40, cut=True)] = ""


class _Seat(Message):
    p: P


class _Group(Message):
    seats: Annotated[tuple[_Seat, ...], Items(12, 1)]


class _Round(Message):
    round: Count
    tables: Annotated[tuple[_Group, ...], Items(1000)]
    byes: Annotated[tuple[P, ...], Items(1000)] = ()


class _Result(Message):
    game: Annotated[str, String(64)] | None
    seats: Annotated[tuple[dict[str, Any], ...], Items(12)]
    round: Count | None = None
    counted: bool = False
    verdict: Annotated[str, String(16)] = ""

    @property
    def counts(self) -> bool:
        return self.counted or self.verdict == "counted"


class _Evening(Message):
    schema: Literal["beisitzer-club"]
    version: Annotated[int, Whole(1, 2)]
    evening: Name
    results: Annotated[tuple[_Result, ...], Items(MOST_LISTED)]
    standings: Annotated[tuple[_Line, ...], Items(MOST_LISTED)]
    rounds: Annotated[tuple[_Round, ...], Items(1000)]
    mode: Literal["free", "round-robin", "swiss", "tables"] = "tables"
    games: Annotated[tuple[Annotated[str, String(64)], ...], Items(50)] = ()
    title: Annotated[str, String(80, cut=True)] = ""
    closed: bool = True


def take_in_evening(writing: Writing, who: str, export: Mapping[str, Any]) -> str:
    """Take in people, rounds and what counted, as keyed results; return the evening's id.

    Names of people who are known already stay as they are.
    """
    try:
        read = _Evening.read(export)
        results = [
            (each, [SeatResult.read(seat) for seat in each.seats])
            for each in read.results
            if each.counts
        ]
    except MessageError as error:
        raise ActError("no-export", why=str(error)) from error
    if read.evening in {row.id for row in all_evenings(writing.connection)}:
        raise ActError("known-evening", evening=read.evening)
    act = writing.act(who, "take-in", evening=read.evening)
    games = [game for game in read.games if game in GAMES] or list(GAMES)[:1]
    writing.connection.execute(evenings.delete().where(evenings.c.id == read.evening))
    writing.connection.execute(
        evenings.insert().values(
            id=read.evening,
            act=act,
            games=json.dumps(games),
            mode=read.mode,
            per_table=max([len(g.seats) for r in read.rounds for g in r.tables], default=4),
            rounds=0,
            rules="",
            title=read.title,
            closed=act if read.closed else None,
        )
    )
    known = people_now(writing.connection)
    for line in read.standings:
        if line.p not in known:
            writing.add(people, act=act, p=line.p, name=line.name, present=not read.closed)
    played = {
        (each.round, frozenset(seat.p for seat in seats)): each.game for each, seats in results
    }
    for paired in read.rounds:
        groups = [[seat.p for seat in group.seats] for group in paired.tables]
        seated = [
            (None, played.get((paired.round, frozenset(people))) or games[0], "", people)
            for people in groups
        ]
        add_round(writing, read.evening, paired.round, act, act, seated, paired.byes)
    for each, seats in results:
        ranks = [(person(seat.p or "") or "", seat.rank) for seat in seats if seat.p]
        writing.add(
            keyed,
            act=act,
            evening=read.evening,
            round=each.round,
            game=each.game or games[0],
            ranks=json.dumps(ranks),
        )
    return read.evening
