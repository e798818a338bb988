"""`beisitzer club round`: pairs the rounds of an evening without a hub."""

import json
from pathlib import Path

import click

from club.commands.place import IMPOSSIBLE
from club.evening.sentences import csv_words, pairing_words
from club.evening.sheet import COLUMNS, NEEDED, read_sheet
from club.pairing.evening import plan
from club.pairing.exports import SCHEMA, VERSION, round_json, standings_json
from club.pairing.model import Mode, PairingError, PairingRequest, Sheet
from club.pairing.standings import standings
from pi_app.commands.console import lang_option, refuse, texts, why
from pi_app.link.contract import person
from pi_app.system.spreadsheet import CsvError, read_csv
from pi_app.texts.language import Texts

PEOPLE_LIMIT = 1_000
ROUND_LIMIT = 1_000


@click.command("round")
@click.option(
    "--people",
    type=click.IntRange(1, PEOPLE_LIMIT),
    required=True,
    help="How many people there are: p1, p2, ...",
)
@click.option(
    "--rounds", type=click.IntRange(1, ROUND_LIMIT), required=True, help="How many rounds."
)
@click.option(
    "--per-table",
    type=click.IntRange(2, 4),
    default=4,
    help="How many people a table has room for; default: 4.",
)
@click.option(
    "--mode",
    type=click.Choice(("tables", "swiss")),
    default="tables",
    help="swiss: people of near points sit together.",
)
@click.option("--seed", type=int, default=0, help="Another number gives other tables; default: 0.")
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Rounds that were played, and who is there: CSV round,table,seat,p,rank,points,present.",
)
@lang_option
def round_(
    people: int,
    rounds: int,
    per_table: int,
    mode: Mode,
    seed: int,
    results: Path | None,
    lang: str | None,
) -> None:
    """Pair rounds without a hub and print them, and the standings, as JSON.

    Tables have as many people as they have room for, or one fewer; nobody meets anybody twice
    while that can be avoided. Without FILE every game counts as played.
    """
    tx = texts(lang)
    everybody = tuple(f"p{number}" for number in range(1, people + 1))
    sheet = _read(tx, results, everybody, rounds) if results else Sheet()
    try:
        first = PairingRequest(
            1, everybody, per_table=per_table, rounds=rounds, seed=seed, roster=everybody
        )
        planned = plan(mode, first, sheet)
    except PairingError as error:
        refuse(pairing_words(tx, error), IMPOSSIBLE)
    lines = standings(everybody, sheet.results, seed)
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "evening": None,
        "standings": standings_json(lines),
        "rounds": [
            round_json(each.number, [(None, "", group.people) for group in each.tables], each.byes)
            for each in planned
        ],
    }
    click.echo(json.dumps(document))


def _read(tx: Texts, file: Path, people: tuple[str, ...], rounds: int) -> Sheet:
    try:
        rows = [
            (row.line, {**row.cells, "p": person(row.cells["p"]) or row.cells["p"]})
            for row in read_csv(file, COLUMNS, NEEDED)
        ]
        return read_sheet(rows, people, rounds)
    except CsvError as error:
        refuse(csv_words(tx, error, file), IMPOSSIBLE)
    except (OSError, ValueError) as error:
        refuse(tx("cli", "{path} cannot be read: {why}", path=file, why=why(error)), IMPOSSIBLE)
