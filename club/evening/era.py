"""Begins a hub's era: a pair above all that was said before, and rounds that were lost rebuilt."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from club.evening.acts import add_round, open_evening
from club.evening.seating import issue_seats, reissue
from club.judging.intake import judge_again
from club.judging.settling import settle_evening
from club.store.database import Writing
from club.store.live import active_tables, all_evenings, people_now, rounds_of
from club.store.schema import tables
from pi_app.link.contract import Assignment

log = logging.getLogger(__name__)

HUB = "hub"
"""Who did what the hub does by itself."""


def begin_era(
    writing: Writing, retained: Mapping[str, Assignment], pairs: Sequence[tuple[int, int]]
) -> int:
    """Take an era above all that is found, and return it.

    `retained` is what the broker keeps as said to each table, `pairs` the pairs of all else that
    it keeps. A round in it that the database does not know, as after a backup was restored, is
    rebuilt.
    """
    found = [*pairs, *(assignment.pair for assignment in retained.values())]
    era = max((era for era, _ in found), default=0)
    era = max(era, int(writing.get("era", "0"))) + 1
    writing.put("era", str(era))
    writing.put("rev", "0")
    rebuilt = _rebuild(writing, retained)
    judge_again(writing)
    issue_seats(writing)
    if rebuilt or writing.get("restored") or _said_more(writing, retained):
        reissue(writing)
        writing.put("restored", "")
    return era


def _said_more(writing: Writing, retained: Mapping[str, Assignment]) -> bool:
    """Tell whether the broker keeps a pair for a table that is not the one in the database."""
    rows = writing.connection.execute(select(tables.c.id, tables.c.era, tables.c.rev))
    return any(row.id in retained and retained[row.id].pair != (row.era, row.rev) for row in rows)


def _rebuild(writing: Writing, retained: Mapping[str, Assignment]) -> bool:
    """Rebuild the rounds that only the broker remembers."""
    lost: dict[tuple[str, int], dict[str, Assignment]] = defaultdict(dict)
    for table, said in retained.items():
        if said.evening is not None and said.round is not None:
            lost[said.evening, said.round][table] = said
    joined = set(active_tables(writing.connection))
    rebuilt = False
    for (evening, number), seated in sorted(lost.items()):
        last = max(said.pair for said in seated.values())
        ours = {
            table: said for table, said in seated.items() if said.pair == last and table in joined
        }
        if ours and _is_lost(writing, evening, number, last):
            _rebuild_round(writing, evening, number, ours)
            rebuilt = True
    return rebuilt


def _is_lost(writing: Writing, evening: str, number: int, last: tuple[int, int]) -> bool:
    """Tell whether a round that was said with this pair is unknown, and not taken back either."""
    known = {row.id: row for row in all_evenings(writing.connection)}
    if evening in known:
        if known[evening].closed is not None:
            return False
        if any(row.number == number for row in rounds_of(writing.connection, evening)):
            return False
    highest = writing.connection.execute(
        select(tables.c.era, tables.c.rev).order_by(tables.c.era.desc(), tables.c.rev.desc())
    ).first()
    # what the database itself said later than this was said with knowledge of it
    return highest is None or last > (highest.era, highest.rev)


def _rebuild_round(
    writing: Writing, evening: str, number: int, seated: Mapping[str, Assignment]
) -> None:
    log.warning("round %d of %s is rebuilt from what its tables were told", number, evening)
    games = list(dict.fromkeys(said.game or "" for said in seated.values()))
    if evening not in {row.id for row in all_evenings(writing.connection)}:
        most = max(len(said.seats) for said in seated.values())
        open_evening(writing, HUB, games, "tables", per_table=max(most, 2), known_as=evening)
    act = writing.act(HUB, "rebuilt", evening=evening, round=number)
    groups = [
        (
            table,
            said.game or "",
            said.rules,
            said.board,
            [seat.p or f"S{seat.seat}" for seat in said.seats],
        )
        for table, said in sorted(seated.items())
    ]
    playing = {p for *_, seats in groups for p in seats}
    there = people_now(writing.connection).values()
    byes = [person.p for person in there if person.present and person.p not in playing]
    add_round(writing, act, evening, number, groups, byes)
    settle_evening(writing, evening)
