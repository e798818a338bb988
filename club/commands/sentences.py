"""What prevents a round, as sentences that say what to do."""

from pathlib import Path

from club.pairing.model import PairingError
from club.pairing.sheet import SheetError
from pi_app.texts.language import Text, Texts

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
