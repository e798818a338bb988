"""The organiser's acts as a page asks for them, by the functions that the verbs use.

An act names the last act that its page had seen: what was decided on an old state is not done. What
an act would change is found by doing it and taking the transaction back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, get_args

from club.evening import acts
from club.evening.clock import MOST_MINUTES, set_clock
from club.evening.forgetting import forget
from club.evening.joining import end_joining, open_joining
from club.evening.members import remove_table
from club.evening.results import TakenBack, changes_by
from club.pairing.model import Mode
from club.pairing.standings import StandingChange, StandingLine, points_number
from club.store.database import ClubDatabase, Writing
from club.store.live import last_act, people_now
from engines.games import GAMES
from pi_app.link.contract import MOST_NAME, MOST_TEXT, clean, person
from pi_app.phones.web.api import RefusedError

ActFields = Mapping[str, object]
Verb = Callable[[Writing, str, ActFields], None]

MODES: Mapping[object, Mode] = {mode: mode for mode in get_args(Mode)}
MOST_PEOPLE = 1000
MOST_GAMES = 50
MOST_ROUNDS = 1000
MOST_SEATS = 20
_STORE = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class StaleError(Exception):
    """Something was decided meanwhile: the page has to look again first."""


def act(database: ClubDatabase, who: str, verb: str, fields: ActFields) -> None:
    """Do something for good.

    Raises ActError, RefusedError if the fields are no such act, StaleError, DatabaseError.
    """
    with database.write() as writing:
        _act(writing, who, verb, fields)


def preview(database: ClubDatabase, who: str, verb: str, fields: ActFields) -> dict[str, Any]:
    """Return what an act would change in the standings, without doing it; raises as `act`."""
    changes: tuple[StandingChange, ...] = ()
    with suppress(TakenBack), database.write() as writing:
        changes = changes_by(writing, lambda trying: _act(trying, who, verb, fields))
        raise TakenBack
    return {
        "changes": [
            {"p": each.p, "before": _line(each.before), "after": _line(each.after)}
            for each in changes
        ]
    }


def _line(line: StandingLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    return {"points": points_number(line.points), "wins": line.wins, "rank": line.rank}


def _act(writing: Writing, who: str, verb: str, fields: ActFields) -> None:
    chosen = VERBS.get(verb)
    if chosen is None:
        raise RefusedError("missing")
    if _number(fields, "after", 0, 2**31) != last_act(writing.connection):
        raise StaleError
    chosen(writing, who, fields)


# --- each act


def _evening(writing: Writing, who: str, fields: ActFields) -> None:
    games, mode = fields.get("games"), fields.get("mode")
    if not isinstance(games, list) or not 0 < len(games) <= MOST_GAMES:
        raise RefusedError("bad")
    if any(not isinstance(game, str) or game not in GAMES for game in games):
        raise RefusedError("bad")
    if not isinstance(mode, str) or mode not in MODES:
        raise RefusedError("bad")
    acts.open_evening(
        writing,
        who,
        tuple(dict.fromkeys(games)),
        MODES[mode],
        per_table=2 if mode == "round-robin" else _number(fields, "per_table", 2, 4),
        planned=_number(fields, "rounds", 0, MOST_ROUNDS),
        rules=_text(fields, "rules", MOST_TEXT),
    )


def _people(writing: Writing, who: str, fields: ActFields) -> None:
    """Take in people by their names; each gets the next number."""
    names = fields.get("names")
    if not isinstance(names, list) or len(names) > MOST_PEOPLE:
        raise RefusedError("bad")
    wanted = [clean(str(name), MOST_NAME) for name in names]
    known = [int(p[1:]) for p in people_now(writing.connection)]
    first = max(known, default=0) + 1
    listed = [
        acts.Registered(f"p{number}", name, present=True)
        for number, name in enumerate(filter(None, wanted), first)
    ]
    acts.register(writing, who, listed)


def _rename(writing: Writing, who: str, fields: ActFields) -> None:
    p = _person(fields)
    known = people_now(writing.connection).get(p)
    if known is None:
        raise acts.ActError("no-person", p=p)
    name = _text(fields, "name", MOST_NAME)
    acts.register(writing, who, [acts.Registered(p, name, known.present)])


def _arrive(writing: Writing, who: str, fields: ActFields) -> None:
    acts.set_presence(writing, who, _person(fields), present=True)


def _leave(writing: Writing, who: str, fields: ActFields) -> None:
    acts.set_presence(writing, who, _person(fields), present=False)


def _forget(writing: Writing, who: str, fields: ActFields) -> None:
    forget(writing, who, _person(fields))


def _pair(writing: Writing, who: str, fields: ActFields) -> None:
    del fields
    acts.pair_next(writing, who)


def _result(writing: Writing, who: str, fields: ActFields) -> None:
    ranks = fields.get("ranks")
    if not isinstance(ranks, dict) or not 0 < len(ranks) <= MOST_SEATS:
        raise RefusedError("bad")
    places = {str(p): _number(ranks, p, 1, MOST_SEATS) for p in ranks}
    acts.key_result(writing, who, _number(fields, "round", 1, MOST_ROUNDS), places)


def _decide(writing: Writing, who: str, fields: ActFields, *, accepted: bool) -> None:
    store = fields.get("store")
    if not isinstance(store, str) or not _STORE.fullmatch(store):
        raise RefusedError("bad")
    acts.decide(writing, who, store, _number(fields, "seq", 0, 2**53), accepted=accepted)


def _accept(writing: Writing, who: str, fields: ActFields) -> None:
    _decide(writing, who, fields, accepted=True)


def _refuse(writing: Writing, who: str, fields: ActFields) -> None:
    _decide(writing, who, fields, accepted=False)


def _undo(writing: Writing, who: str, fields: ActFields) -> None:
    del fields
    acts.undo(writing, who)


def _close(writing: Writing, who: str, fields: ActFields) -> None:
    del fields
    acts.close_evening(writing, who)


def _clock(writing: Writing, who: str, fields: ActFields) -> None:
    set_clock(writing, who, _number(fields, "minutes", 0, MOST_MINUTES))


def _remove_table(writing: Writing, who: str, fields: ActFields) -> None:
    remove_table(writing, who, _text(fields, "table", 23))


def _open_joining(writing: Writing, who: str, fields: ActFields) -> None:
    del fields
    open_joining(writing, who)


def _end_joining(writing: Writing, who: str, fields: ActFields) -> None:
    del fields
    end_joining(writing, who)


VERBS: Mapping[str, Verb] = {
    "evening": _evening,
    "people": _people,
    "rename": _rename,
    "arrive": _arrive,
    "leave": _leave,
    "forget": _forget,
    "pair": _pair,
    "result": _result,
    "accept": _accept,
    "refuse": _refuse,
    "undo": _undo,
    "close": _close,
    "clock": _clock,
    "remove-table": _remove_table,
    "open-joining": _open_joining,
    "end-joining": _end_joining,
}


def _person(fields: ActFields) -> str:
    p = person(_text(fields, "p", 16))
    if p is None:
        raise RefusedError("bad")
    return p


def _text(fields: ActFields, name: str, most: int) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise RefusedError("bad")
    return clean(value, most)


def _number(fields: ActFields, name: str, least: int, most: int) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RefusedError("bad")
    return value
