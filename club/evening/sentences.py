"""What prevents a round, as sentences that say what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from club.pairing.model import PairingError
from club.pairing.sheet import SheetError
from pi_app.texts.language import Text, Texts

if TYPE_CHECKING:
    from club.evening.acts import ActError

_PAIRING = {
    "too-few": Text("cli", "round {round} has {n} people, but a table needs two"),
    "repeated": Text("cli", "round {round} names {p} twice"),
    "all-met": Text("cli", "everybody has met everybody: there is no round {round}"),
    "two-only": Text("cli", "the Swiss system is for tables of two: use --per-table 2"),
    "no-swiss": Text("cli", "the Swiss system finds no round {round} without a second meeting"),
    "missing-library": Text("cli", "{name} is not installed: pip install 'beisitzer[club]'"),
}
_SHEET = {
    "csv": Text("cli", "this is no CSV ({why})"),
    "columns": Text("cli", "the first line must name the columns; these are missing: {missing}"),
    "number": Text("cli", "{column} must be a whole number from 1 on, not {value}"),
    "points": Text("cli", "points must be a whole number, not {value}"),
    "present": Text("cli", "present must be 1 or 0, not {value}"),
    "person": Text("cli", "{p} is not one of the people"),
    "twice": Text("cli", "{p} is in round {round} already"),
    "seat-taken": Text("cli", "seat {seat} of table {table} in round {round} is given twice"),
    "crowded": Text("cli", "table {table} in round {round} has more than four people"),
    "ranks": Text("cli", "the ranks at table {table} in round {round} must go from 1 to its seats"),
    "half": Text("cli", "table {table} in round {round} has ranks for some people only"),
    "missing-round": Text("cli", "round {round} is missing, but there are later ones"),
    "too-late": Text("cli", "round {round} is later than the last one"),
}


def pairing_words(tx: Texts, error: PairingError) -> str:
    """Say why a round cannot be paired."""
    return tx.say(_PAIRING, error.code, **error.facts)


def sheet_words(tx: Texts, error: SheetError, file: Path) -> str:
    """Say what is wrong with a sheet of results, and in which line."""
    why = tx.say(_SHEET, error.code, **error.facts)
    if not error.line:
        return f"{file}: {why}"
    return tx("cli", "{file}, line {line}: {why}", file=file, line=error.line, why=why)


_ACT = {
    "no-evening": Text("cli", "no evening is open: beisitzer club evening opens one"),
    "no-round": Text("cli", "there is no round {n} in this evening"),
    "no-person": Text("cli", "{p} is not one of the people"),
    "nobody": Text("cli", "there is nobody in this list"),
    "not-together": Text("cli", "these are not the people of one table in round {n}"),
    "rank": Text("cli", "the place of {p} must be from 1 to {n}"),
    "no-event": Text("cli", "{store} has sent no event {seq}"),
    "no-proposal": Text("cli", "event {seq} of {store} is no proposal: it was not refused"),
    "unreadable": Text("cli", "event {seq} of {store} is no result that could count"),
    "nothing": Text("cli", "there is nothing to take back"),
    "no-table": Text("cli", "{table} is no table of this club"),
}
_DATABASE = {
    "url": Text("cli", "this is no database's URL ({why}): use postgresql://... or sqlite:///FILE"),
    "driver": Text("cli", "PostgreSQL's library is missing: sudo apt-get install libpq5"),
    "open": Text("cli", "the database cannot be used ({why})"),
    "version": Text(
        "cli", "the database was written by a newer Beisitzer ({why}): update this one"
    ),
}


def act_words(tx: Texts, error: ActError) -> str:
    """Say why something is not possible now."""
    cause = error.facts.get("error")
    if isinstance(cause, PairingError):
        return pairing_words(tx, cause)
    return tx.say(_ACT, error.code, **error.facts)


def database_words(tx: Texts, error: Exception) -> str:
    """Say why a database cannot be used."""
    return tx.say(_DATABASE, getattr(error, "code", "open"), why=error)
