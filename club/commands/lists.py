"""Lists that people write in spreadsheets: read, or refused with one sentence."""

from collections.abc import Sequence
from pathlib import Path

from club.commands.place import IMPOSSIBLE
from club.evening.sentences import csv_words
from pi_app.commands.console import refuse, why
from pi_app.files.spreadsheet import CsvError, CsvRow, read_csv
from pi_app.texts.language import Texts


def read_list(tx: Texts, file: Path, columns: Sequence[str], needed: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a list, or end with one line that says what to do."""
    try:
        return read_csv(file, columns, needed)
    except CsvError as error:
        refuse(csv_words(tx, error, file), IMPOSSIBLE)
    except (OSError, ValueError) as error:
        refuse(tx("cli", "{path} cannot be read: {why}", path=file, why=why(error)), IMPOSSIBLE)
