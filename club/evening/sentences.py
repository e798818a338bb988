"""Sentences of errors, which say what to do, and of acts and progress."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from club.pairing.model import PairingError
from pi_app.link.words import WHY_WORDS
from pi_app.system.spreadsheet import CsvError
from pi_app.texts.language import Text, Texts

if TYPE_CHECKING:
    from club.evening.errors import ActError

_PAIRING = {
    "too-few": Text("cli", "round {round} has {n} people, but a group needs two"),
    "few-teams": Text("cli", "round {round} has {n} teams, a group needs two: form teams first"),
    "all-met": Text("cli", "everybody has met everybody: there is no round {round}"),
}
_CSV = {
    "encoding": Text("cli", "it is not UTF-8: save it in the spreadsheet as CSV UTF-8"),
    "workbook": Text("cli", "it is a whole workbook: save it in the spreadsheet as CSV UTF-8"),
    "too-long": Text("cli", "it is too long for a list of people or results"),
    "csv": Text("cli", "this is no CSV ({why})"),
    "columns": Text(
        "cli", "the first line must name the columns {columns}; these are missing: {missing}"
    ),
    "twice": Text("cli", "the first line names the column {column} twice"),
    "cells": Text(
        "cli", 'there are more cells than columns: a text with a separator in it needs "..."'
    ),
    "value": Text("cli", "{column} cannot be {value!r}"),
    "again": Text("cli", "{p} is in round {round} already"),
    "at-table": Text(
        "cli",
        "table {table} in round {round}: one person a seat, at most four, and ranks from 1 for all",
    ),
    "rounds": Text("cli", "round {round} does not follow: they must be 1, 2, ... up to {last}"),
}


def pairing_words(tx: Texts, error: PairingError) -> str:
    """Say why a round cannot be paired."""
    return tx.say(_PAIRING, error.code, **error.facts)


def csv_words(tx: Texts, error: CsvError, file: Path) -> str:
    """Say the mistake in a list or a sheet of results, and its line."""
    why = tx.say(_CSV, error.code, **error.facts)
    if not error.line:
        return f"{file}: {why}"
    return tx("cli", "{file}, line {line}: {why}", file=file, line=error.line, why=why)


NO_EVENING = Text("cli", "no evening is open: open one first")
PROGRESS_WORDS = {
    "done": Text("page", "its result is here"),
    "silent": Text("page", "says nothing of what it does"),
    "unheard": Text("page", "has not heard of the round yet"),
    "offered": Text("page", "has not taken the round: nobody has started it there"),
    "busy": Text("page", "has not taken the round: plays another game first"),
    "refused": Text("page", "has refused the round: start it there in the menu, or key its result"),
    "playing": Text("page", "plays"),
    "left": Text("page", "has left its game before the end"),
    "over": Text("page", "has finished, its result is still to come"),
}
"""Words for each `status.GroupProgress`."""
WHYS = {
    **WHY_WORDS,
    "version": Text("page", "the table's program is newer than the hub's"),
    "disputed": Text("page", "the table has sent two contents of the same result"),
    "locked": Text(
        "page", "it came after the next round was paired, or differs from what you decided"
    ),
    "organiser": Text("page", "you left it out"),
    "older": Text("page", "a later revision counts"),
    "free": Text("page", "it is a free game, and this evening has rounds"),
    "replaced": Text("page", "another result of the same people counts"),
}
"""Why a result does not count, by the export's `why`, or else its verdict."""
OTHER_ACTS = {
    "join": Text("page", "{table} joined"),
    "twice": Text("page", "{table} is in two machines"),
    "restore": Text("page", "a backup restored"),
}
"""The log's texts for changes that are not acts of a person."""
_ACT = {
    "no-act": Text("cli", "there is no act {act}"),
    "bad": Text("cli", "this is not what the act needs ({why})"),
    "no-evening": NO_EVENING,
    "known-evening": Text("cli", "there is an evening {evening} already"),
    "no-game": Text("cli", "there is no game {game}: there are {games}"),
    "no-teams": Text("cli", "fixed teams are for an evening of Sequence alone"),
    "not-teams": Text("cli", "this evening has no fixed teams"),
    "no-round": Text("cli", "there is no round {n} in this evening"),
    "no-rounds": Text("cli", "no round of this evening is paired yet"),
    "not-next": Text("cli", "round {n} cannot be paired: the last one is {last}"),
    "given": Text("cli", "round {n} was given to the tables already: take that back first"),
    "not-in-round": Text("cli", "{p} is not in round {n}"),
    "no-person": Text("cli", "{p} is not one of the people"),
    "which": Text("cli", "several are called {name}: say the number ({numbers})"),
    "no-before": Text("cli", "no evening was closed before this one"),
    "full": Text("cli", "the list of people is full: forget some names, or ask the organiser"),
    "has-result": Text("cli", "this group has a result already: ask the organiser to correct it"),
    "no-report": Text("cli", "nobody of this group has keyed a result yet"),
    "own-report": Text("cli", "another person confirms it, on another device"),
    "over": Text("cli", "the next round is paired: correct the result instead"),
    "no-keyed": Text("cli", "act {act} has keyed no result"),
    "nobody": Text("cli", "there is nobody in this list"),
    "twice": Text("cli", "{p} is there twice"),
    "not-together": Text("cli", "these are not the people of one group in round {n}"),
    "rank": Text("cli", "the place of {p} must be from 1 to {n}"),
    "no-result": Text("cli", "no table has sent revision {revision} of {game_id}"),
    "no-game-sent": Text("cli", "no table has sent a game {game_id}"),
    "no-proposal": Text("cli", "revision {revision} of {game_id} is no proposal"),
    "missing": Text("cli", "results are missing: {groups}. Key them first, or do it anyway"),
    "not-empty": Text(
        "cli",
        "after the restore these tables may have results left: {tables}. Wait, or do it anyway",
    ),
    "nothing": Text("cli", "there is nothing to take back"),
    "no-tables": Text("cli", "no table has joined yet"),
    "no-table": Text("cli", "{table} is no table of this club"),
}
_DATABASE = {
    "taken": Text("cli", "a hub runs with this database: stop it first"),
    "other": Text("cli", "this is another program's database: name another one"),
    "url": Text("cli", "this is no database's URL ({why}): use postgresql://... or sqlite:///FILE"),
    "no-driver": Text("cli", "{why} is not installed: pip install 'beisitzer[club]'"),
    "driver": Text("cli", "PostgreSQL's library is missing: sudo apt-get install libpq5"),
    "open": Text("cli", "the database cannot be used ({why})"),
    "full": Text("cli", "the disk is full, nothing was changed: delete something and do it again"),
    "version": Text(
        "cli", "the database was written by a newer Beisitzer ({why}): update this one"
    ),
    "old": Text(
        "cli",
        "an older Beisitzer wrote this database, this one cannot read it: name another folder",
    ),
}


def act_words(tx: Texts, error: ActError) -> str:
    """Say why something is not possible now."""
    cause = error.facts.get("error")
    if isinstance(cause, PairingError):
        return pairing_words(tx, cause)
    facts: dict[str, Any] = dict(error.facts)
    if error.code == "missing":
        said = (tx("cli", "round {n}: {names}", n=n, names=names) for n, names in facts["groups"])
        facts["groups"] = "; ".join(said)
    return tx.say(_ACT, error.code, **facts)


def table_number(table: str | None) -> int | None:
    """Return 7 for `table-07-x3k9`; None for no table, or one without a number."""
    found = re.fullmatch(r"table-(\d+)(?:-[a-z0-9]+)?", table or "")
    return int(found[1]) if found else None


def table_words(tx: Texts, table: str) -> str:
    """Return a table's name for people: `Table 7` for `table-07-x3k9`."""
    number = table_number(table)
    return tx("page", "Table {n}", n=number) if number else table


def database_words(tx: Texts, error: Exception) -> str:
    """Say why a database cannot be used."""
    return tx.say(_DATABASE, getattr(error, "code", "open"), why=error)
