"""What `beisitzer show` prints of each report, in both languages, and its rows for programs."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.evaluation import Evaluation, Point, Turn
from beisitzer.testing.pilot import NOW
from engines.game import steps
from engines.record import begin, parse
from pi_app.commands.show import report_text
from pi_app.past.evaluation import course_report
from pi_app.past.evening import evening_report, evenings, rank_players, settler_of
from pi_app.past.exchange import COLUMNS
from pi_app.past.games import game_report, games_report
from pi_app.past.outcomes import outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.past.times_tables import tables_of
from pi_app.screens.players_and_settings.times_tables_words import tables_report
from pi_app.store import Store
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.report import Report
from tests.golden import FOLDER, check_golden_text
from tests.options import Options
from tests.pi_app.commands.called import lines, run
from tests.pi_app.learnt import learn
from tests.pi_app.pilot import store_games

ROOT = Path(__file__).parents[3]
POINTS = (
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
)
ENDING = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1@36; red 6@35 5@37"]\n3 6\n'
)
RUNNING = '[Game "numeri"]\n[Players "Clara yellow, Ben red"]\n4 6 1 2\n'
TEAMS = (
    '[Game "sequence"]\n[Players "Anna blue, Ben green, Clara blue, Dora green"]\n'
    '[Rules "sequences=1"]\n[Position "blue r1c2 r1c3 r1c4; green r9c9"]\n5S@r1c5\n'
)
EVALUATION = Evaluation(
    (
        Point(0, (0.6, 0.4)),
        Point(1, (0.5, 0.5)),
        Point(2, (0.0, 1.0)),
    ),
    (Turn(2, 0, 0.5),),
)


@pytest.fixture(scope="module", name="store")
def _store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("show") / "games")
    store_games(store, POINTS, POINTS, ENDING, TEAMS, RUNNING)
    learn(store)
    yield store
    store.close()


def report_of_game(tx: Texts, store: Store) -> Report:
    outcome = outcomes(store)[0]
    table = Table.resume(None, store.load(outcome.entry.id))
    return game_report(tx, table, outcome, str)


def report_of_evening(tx: Texts, store: Store) -> Report:
    (evening,) = evenings(outcomes(store, finished=True)[:2], timedelta(hours=48), {})
    return evening_report(tx, evening, rank_players(evening, "points", settler_of(store)))


def report_of_course(tx: Texts, _store: Store) -> Report:
    _, start = begin(record := parse(ENDING))
    played = steps(start, record.tokens)
    return course_report(tx, PRESENTATIONS["numeri"], EVALUATION, start, played)


REPORTS: dict[str, Callable[[Texts, Store], Report]] = {
    "history": lambda tx, store: games_report(tx, outcomes(store)),
    "game": report_of_game,
    "evening": report_of_evening,
    "statistics": lambda tx, store: statistics_report(tx, count(outcomes(store, finished=True))[0]),
    "tables": lambda tx, store: tables_report(tx, tables_of(store, "Anna"), NOW, "Anna"),
    "course": report_of_course,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_the_text_that_somebody_has_read(
    name: str, language: str, store: Store, options: Options
) -> None:
    report = REPORTS[name](Texts(language), store)
    text = "\n".join((report.title, *report_text(report), ""))
    check_golden_text(FOLDER / "reports" / f"{name}-{language}.txt", text, options)


KINDS = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
Schema = dict[str, Any]


def faults(schema: Schema, value: Any, whole: Schema, at: str = "$") -> Iterator[str]:
    """Yield what of a value contradicts a schema: the few words of JSON Schema that ours uses."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not [*faults(one, value, whole, at)]]
        if len(fitting) != 1:
            yield f"{at}: {len(fitting)} of oneOf fit"
    allowed = [schema["const"]] if "const" in schema else schema.get("enum", [value])
    if value not in allowed:
        yield f"{at}: {value!r} is none of {allowed}"
    types = schema.get("type", list(KINDS))
    kinds = [
        kind for name in ([types] if isinstance(types, str) else types) for kind in KINDS[name]
    ]
    if type(value) not in kinds:
        yield f"{at}: {value!r} is no {types}"
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from faults(schema.get("items", {}), inner, whole, f"{at}[{index}]")
    elif isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        yield from (f"{at}: {key} is missing" for key in schema["required"] if key not in value)
        yield from (f"{at}: {key} is not in the schema" for key in value if key not in known)
        for key in value.keys() & known.keys():
            yield from faults(known[key], value[key], whole, f"{at}.{key}")


SCHEMA = json.loads((ROOT / "docs" / "export.schema.json").read_text("utf-8"))


def exported(store: Store, of: str) -> Any:
    numbers = ("3",) if of == "course" else ()
    return lines(run("export", *numbers, "--of", of, "--json", "--store", store.path))[0]


@pytest.mark.parametrize("of", COLUMNS)
def test_what_is_exported_is_of_the_schema_of_the_documentation(of: str, store: Store) -> None:
    document = exported(store, of)
    assert document[of] or of == "evenings"
    assert [*faults(SCHEMA, document, SCHEMA)] == []


@pytest.mark.parametrize("of", COLUMNS)
def test_the_schema_refuses_a_row_with_a_key_more_or_one_fewer(of: str, store: Store) -> None:
    document = exported(store, of)
    for row in document[of][:1]:
        for spoilt in ({**row, "surprise": 1}, dict(list(row.items())[1:])):
            assert [*faults(SCHEMA, {**document, of: [spoilt]}, SCHEMA)]


@pytest.mark.parametrize("of", COLUMNS)
def test_the_columns_of_a_table_are_the_keys_of_the_document(of: str, store: Store) -> None:
    for row in exported(store, of)[of][:1]:
        keys = {*row, *(key for seat in row.get("seats", ()) for key in seat)}
        assert set(COLUMNS[of]) <= keys
