"""Opens and closes evenings."""

from __future__ import annotations

from typing import Annotated, Literal

from club.evening.acts.shared import ActFacts, act, check_restored, follow, require_evening
from club.evening.errors import ActError
from club.evening.results import EveningNow
from club.pairing.exports import IN_TEAMS
from club.store.database import Writing
from club.store.live import EveningRow, all_evenings, current_evening
from engines.games import GAMES
from pi_app.link.contract import random_word
from pi_app.wire.messages import Items, String, Whole


@act("evening", "evening opened", undoable=True)
def open_evening(
    writing: Writing,
    *,
    games: Annotated[tuple[Annotated[str, String(64)], ...], Items(50, 1)],
    mode: Literal["free", "round-robin", "swiss", "tables"] = "tables",
    per_table: Annotated[int, Whole(2, 4)] | None = None,
    title: Annotated[str, String(80, cut=True)] = "",
    rounds: Annotated[int, Whole(0, 1000)] = 0,
    rules: Annotated[str, String(200, cut=True)] = "",
    evening: Annotated[str, String(40, r"[!-~]{1,40}")] | None = None,
    teams: bool = False,
    anyway: bool = False,
) -> ActFacts:
    """Open an evening; an open one is closed first.

    `evening` is the id of a lost evening to restore. `teams`: people play in pairs all
    evening. `anyway`: close the previous evening even if results are missing.
    """
    for game in games:
        if game not in GAMES:
            raise ActError("no-game", game=game, games=", ".join(GAMES))
    known_as = evening or f"e{random_word(5)}"
    if known_as in {row.id for row in all_evenings(writing.connection)}:
        raise ActError("known-evening", evening=known_as)
    chosen = list(dict.fromkeys(games))
    if teams and chosen != [IN_TEAMS]:
        raise ActError("no-teams")
    if current_evening(writing.connection) is not None:
        close_evening(writing, anyway=anyway)
    writing.act(
        "evening",
        id=known_as,
        games=chosen,
        mode=mode,
        per_table=per_table or (2 if mode == "round-robin" else 4),
        rounds=rounds,
        rules=rules,
        title=title,
        teams=teams,
    )
    follow(writing, known_as)
    return {"evening": known_as}


@act("close", "evening closed", undoable=True)
def close_evening(writing: Writing, *, anyway: bool = False) -> ActFacts:
    """Close the evening: its results are final."""
    evening = require_evening(writing)
    if not anyway and (missing := missing_groups(writing, evening)):
        raise ActError("missing", groups=missing)
    check_restored(writing, anyway=anyway)
    writing.act("close", evening=evening.id)
    follow(writing, evening.id)
    return {"evening": evening.id}


def missing_groups(writing: Writing, evening: EveningRow) -> list[tuple[int, str]]:
    """Return the groups of all rounds without a result: the round and the people."""
    now = EveningNow(writing.connection, evening)
    names = {p: f"{each.name} ({p})" for p, each in now.people.items()}
    missing = []
    for row in now.rounds:
        done = now.ranks(row.number)
        missing += [
            (row.number, ", ".join(names.get(p, p) for p in group.seats))
            for group in row.groups
            if frozenset(group.seats) not in done
        ]
    return missing
