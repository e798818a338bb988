"""Pairs rounds, changes them, gives them to the tables and sets their clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Annotated

from sqlalchemy import select, update

from club.evening import members
from club.evening.acts import shared
from club.evening.errors import ActError
from club.evening.results import EveningNow, teams_of
from club.evening.seating import exported_round, issue_seats
from club.pairing.model import Mode, PairingError, PairingRequest, Round, Seating
from club.pairing.pair import pair
from club.pairing.teams import pair_teams
from club.store import live
from club.store.database import Writing
from club.store.schema import rounds
from pi_app.wire.messages import Count, Whole


@shared.act("pair", "round {round} paired", undoable=True)
def pair_next(
    writing: Writing, round_: Count | None = None, *, give: bool = True, anyway: bool = False
) -> shared.ActFacts:
    """Pair a round of the people present; a second request for it returns the same round.

    Without a number it is the next round. `anyway`: even if tables may still hold results.
    """
    evening = shared.require_evening(writing)
    connection = writing.connection
    last = live.current_round(connection, evening)
    number = round_ or (last.number + 1 if last else 1)
    if last is not None and number == last.number:
        if give and not last.given:
            give_round(writing)
        return exported_round(shared.last_round(writing, evening))
    if number != (last.number + 1 if last else 1):
        raise ActError("not-next", n=number, last=last.number if last else 0)
    shared.check_restored(writing, anyway=anyway)
    now = EveningNow(connection, evening)
    history = tuple(
        Round(
            row.number,
            tuple(Seating(tuple(group.seats), group.game) for group in row.groups),
            tuple(row.byes),
        )
        for row in now.rounds
    )
    mode: Mode = evening.mode  # type: ignore[assignment]  # only these were stored
    here = tuple(each.p for each in live.people_now(connection).values() if each.present)
    came = {p for each in history for p in each.everybody} | set(here)
    request = PairingRequest(
        number=number,
        people=here,
        history=history,
        results=tuple(now.results),
        per_table=evening.per_table,
        rounds=evening.rounds,
        games=tuple(evening.games),
        seed=evening.id,
        roster=tuple(sorted(came, key=lambda p: int(p[1:]))),
    )
    try:
        if evening.teams:
            paired = pair_teams(mode, request, teams_of(connection, evening))
        else:
            paired = pair(mode, request)
    except PairingError as error:
        raise ActError("pairing", error=error) from error
    noted = writing.act("pair", evening=evening.id, round=number)
    places = _places(writing, len(paired.tables))
    writing.add(
        rounds,
        act=noted,
        evening=evening.id,
        number=number,
        rev=0,
        byes=list(paired.byes),
        given=noted if give else None,
        groups=[
            {"table": place, "game": table.game or evening.games[0], "rules": evening.rules}
            | {"seats": list(table.people)}
            for place, table in zip(places, paired.tables, strict=True)
        ],
    )
    shared.follow(writing, evening.id)
    return exported_round(shared.last_round(writing, evening))


def _places(writing: Writing, wanted: int) -> list[str | None]:
    """Return a connected table for each of so many groups; None where no table is left."""
    known = live.tables_now(writing.connection)
    chosen = [name for name, row in known.items() if members.is_there(row.heard)][:wanted]
    return [*chosen, *[None] * (wanted - len(chosen))]


@shared.act("give", "round {round} given out", undoable=True)
def give_round(writing: Writing) -> shared.ActFacts:
    """Hand the last round out to the tables."""
    evening = shared.require_evening(writing)
    last = shared.last_round(writing, evening)
    if not last.given:
        noted = writing.act("give", evening=evening.id, round=last.number)
        writing.connection.execute(update(rounds).where(rounds.c.id == last.id).values(given=noted))
        issue_seats(writing)
    return exported_round(shared.last_round(writing, evening))


@shared.act("swap", "two people changed places in round {round}", undoable=True)
def swap_people(writing: Writing, a: shared.Person, b: shared.Person) -> shared.ActFacts:
    """Exchange two people, or two fixed teams, in a round that was not handed out yet."""
    evening = shared.require_evening(writing)
    last = shared.last_round(writing, evening)
    if last.given:
        raise ActError("given", n=last.number)
    one, two = shared.person_number(a), shared.person_number(b)
    for p in (one, two):
        if p not in last.everybody:
            raise ActError("not-in-round", p=p, n=last.number)
    partners = {p: q for team in teams_of(writing.connection, evening) for p, q in _both(team)}
    pairs = [(one, two)]
    if partners.get(one, two) != two and two in partners:
        pairs.append((partners[one], partners[two]))
    facts = {"evening": evening.id, "round": last.number, "swapped": last.id, "pairs": pairs}
    writing.act("swap", **facts)
    exchange(writing, last.id, pairs)
    shared.follow(writing, evening.id)
    return exported_round(shared.last_round(writing, evening))


def exchange(writing: Writing, round_id: int, pairs: Iterable[Sequence[str]]) -> None:
    """Exchange the places of each pair of people, at tables or among those who sit out."""
    other = {p: q for pair in pairs for p, q in _both(pair)}
    of_round = rounds.c.id == round_id
    row = writing.connection.execute(select(rounds).where(of_round)).one()
    changed = {
        "byes": [other.get(p, p) for p in row.byes],
        "groups": [{**g, "seats": [other.get(p, p) for p in g["seats"]]} for g in row.groups],
    }
    writing.connection.execute(update(rounds).where(of_round).values(changed))


def _both(pair: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a pair in both orders."""
    one, two = pair
    yield from ((one, two), (two, one))


@shared.act("team", "teams formed", undoable=True)
def form_team(
    writing: Writing, a: shared.Person | None = None, b: shared.Person | None = None
) -> shared.ActFacts:
    """Make two people a team; without `a` and `b`, draw lots for all without a partner."""
    evening = shared.require_evening(writing)
    if not evening.teams:
        raise ActError("not-teams")
    known = live.people_now(writing.connection)
    if a and b:
        wanted = [shared.person_number(a), shared.person_number(b)]
    else:
        taken = {p for team in teams_of(writing.connection, evening) for p in team}
        wanted = [p for p, each in known.items() if each.present and p not in taken]
        Random(f"{evening.id} {wanted}").shuffle(wanted)  # noqa: S311  # no secret
    for p in wanted:
        if p not in known:
            raise ActError("no-person", p=p)
    formed = list(zip(wanted[::2], wanted[1::2], strict=False))
    if not formed or wanted[0] == wanted[1]:
        raise ActError("nobody")
    writing.act("team", evening=evening.id, teams=formed)
    return {"teams": formed}


@shared.act("clock", "clock of round {round}", undoable=True)
def start_clock(writing: Writing, minutes: Annotated[int, Whole(0, 600)]) -> shared.ActFacts:
    """Set the end of the last round in minutes from now, 0: no clock."""
    paired = shared.last_round(writing, shared.require_evening(writing))
    ends = datetime.fromisoformat(writing.now) + timedelta(minutes=minutes)
    said = ends.isoformat(timespec="milliseconds") if minutes else None
    writing.act("clock", evening=paired.evening, round=paired.number, ends=said)
    return {"ends": said}
