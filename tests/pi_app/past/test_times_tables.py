"""What players know of the times tables: answers, the scheduler, the store, other programs."""

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beisitzer.testing.pilot import NOW
from pi_app.past.times_tables import (
    DAY_LIMIT,
    TASKS,
    Day,
    Mastery,
    Task,
    all_tables,
    count_wrong_answer,
    forget_tables,
    store_answer,
    tables_of,
)
from pi_app.screens.players_and_settings.times_tables_words import find_task, tables_picture
from pi_app.store import Store
from tests.pi_app.commands.called import printed


def standing(store: Store, task: Task, now: datetime = NOW) -> Mastery:
    return tables_of(store, "Anna").standing(task, now)


def answer(store: Store, task: Task, *right: bool, now: datetime = NOW, name: str = "Anna") -> None:
    for one in right:
        store_answer(store, name, task, now, right=one)


# --- how a task stands


def test_the_same_answers_give_the_same_days() -> None:
    """The scheduler could spread them by chance: then no record of answers told what comes when."""
    store = Store(":memory:")
    tasks = sorted(TASKS)[:12]
    for task in tasks:
        for day in (0, 3, 12, 40):
            answer(store, task, True, now=NOW + timedelta(days=day))
    known = tables_of(store, "Anna").tasks
    assert len({known[task].due for task in tasks}) == 1


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((), Mastery.NEW),
        ((True,), Mastery.SHAKY),
        ((True, True), Mastery.KNOWN),
        ((False,), Mastery.PRACTISE),
        ((False, True), Mastery.SHAKY),
        ((True, True, False), Mastery.PRACTISE),
        ((True, True, False, True), Mastery.KNOWN),
    ],
)
def test_a_task_sits_from_the_second_right_answer_on(
    answers: tuple[bool, ...], expected: Mastery
) -> None:
    store = Store(":memory:")
    answer(store, (4, 9), *answers)
    assert standing(store, (4, 9)) is expected


def test_what_sat_wavers_when_it_is_due_and_sits_longer_after_each_right_answer() -> None:
    store = Store(":memory:")
    answer(store, (4, 9), True, True)
    first = tables_of(store, "Anna").tasks[4, 9]
    due = datetime.fromtimestamp(first.due, UTC)
    assert due - NOW >= timedelta(days=1)
    assert standing(store, (4, 9), due - timedelta(seconds=1)) is Mastery.KNOWN
    assert standing(store, (4, 9), due) is Mastery.SHAKY
    answer(store, (4, 9), True, now=due)
    second = tables_of(store, "Anna").tasks[4, 9]
    assert second.due - second.last > first.due - first.last


def test_answers_are_counted_and_a_second_wrong_one_is_only_counted() -> None:
    store = Store(":memory:")
    answer(store, (4, 9), True, False)
    before = tables_of(store, "Anna").tasks[4, 9]
    count_wrong_answer(store, "Anna", (4, 9), NOW + timedelta(days=1))
    after = tables_of(store, "Anna").tasks[4, 9]
    assert (before.right, before.wrong) == (1, 1)
    assert (after.right, after.wrong) == (1, 2)
    assert (after.state, after.step, after.last, after.due) == (
        before.state,
        before.step,
        before.last,
        before.due,
    )


def test_what_was_wrong_is_asked_first_then_what_is_due_then_what_is_new() -> None:
    store = Store(":memory:")
    answer(store, (2, 3), True, True)
    answer(store, (7, 8), False)
    answer(store, (6, 7), True, now=NOW - timedelta(hours=1))
    weakest = tables_of(store, "Anna").weakest(NOW, len(TASKS))
    assert weakest[:3] == ((7, 8), (6, 7), (10, 10))
    assert weakest[-1] == (2, 3)
    assert sorted(weakest) == sorted(TASKS)


def test_of_two_that_were_wrong_the_one_forgotten_sooner_is_asked_first() -> None:
    store = Store(":memory:")
    answer(store, (7, 8), False, now=NOW - timedelta(days=1))
    answer(store, (6, 7), False, now=NOW - timedelta(days=20))
    assert tables_of(store, "Anna").weakest(NOW, 2) == ((6, 7), (7, 8))


@given(st.lists(st.tuples(st.sampled_from(TASKS), st.booleans(), st.integers(-40, 40))))
def test_any_course_of_answers_reads_back_and_can_be_asked(
    history: list[tuple[Task, bool, int]],
) -> None:
    """The clock may go back, as on a machine without a battery."""
    store = Store(":memory:")
    for task, right, hours in history:
        answer(store, task, right, now=NOW + timedelta(hours=24 * hours))
    tables = tables_of(store, "Anna")
    asked = [task for task, _, _ in history]
    assert set(tables.tasks) == set(asked)
    for task, learnt in tables.tasks.items():
        assert learnt.right + learnt.wrong == asked.count(task)
    assert len(tables.weakest(NOW)) == 10
    days = [one.day for one in tables.history]
    assert days == sorted(set(days))
    assert sum(tables.counts(NOW).values()) == len(TASKS)


# --- over time


def test_the_course_has_one_entry_a_day_and_a_clock_that_goes_back_changes_the_last_one() -> None:
    store = Store(":memory:")
    answer(store, (1, 2), True, now=NOW)
    answer(store, (1, 3), False, now=NOW)
    answer(store, (1, 2), True, now=NOW + timedelta(days=2))
    today = NOW.astimezone().date()
    then = today + timedelta(days=2)
    assert tables_of(store, "Anna").history == (Day(today, 0, 1, 1), Day(then, 1, 0, 1))
    answer(store, (1, 4), False, now=NOW)
    history = tables_of(store, "Anna").history
    assert [one.day for one in history] == [today, then]
    assert history[-1].practise == 2


def test_a_long_course_keeps_its_first_and_its_latest_days() -> None:
    store = Store(":memory:")
    for day in range(150):
        answer(store, (1, 2), True, now=NOW + timedelta(days=day))
    history = tables_of(store, "Anna").history
    first = NOW.astimezone().date()
    assert len(history) <= DAY_LIMIT
    assert history[0].day == first
    assert [one.day for one in history[-20:]] == [
        first + timedelta(days=n) for n in range(130, 150)
    ]


def test_every_row_in_the_store_lies_on_one_page() -> None:
    """A row that goes on elsewhere is lost with either page."""
    store = Store(":memory:")
    name = "Maximilian-Josef"
    for day in range(120):
        for task in TASKS[day % 5 :: 5]:
            answer(store, task, day % 3 > 0, now=NOW + timedelta(days=day), name=name)
    rows = store.recall_under("tables/")
    assert len(rows) == len(TASKS) + 1
    assert max(len("tables/" + key) + len(value) for key, value in rows.items()) < 1024 - 60


# --- the store


def test_players_are_kept_apart_whatever_their_names() -> None:
    store = Store(":memory:")
    names = ("Anna", "Anna/2x3", "Ann", "4x9", "/", "Ann%", "ÄÖÜß")
    for name in names:
        answer(store, (4, 9), True, name=name)
        answer(store, (4, 9), True, name=name)
    found = all_tables(store)
    assert [one.name for one in found] == list(names)
    assert [one.number for one in found] == [1, 2, 3, 4, 5, 6, 7]
    assert {one.tasks[4, 9].right for one in found} == {2}
    assert all(tables_of(store, name).tasks.keys() == {(4, 9)} for name in names)


def test_whoever_is_forgotten_leaves_a_number_that_nobody_gets() -> None:
    store = Store(":memory:")
    for name in ("Anna", "Ben"):
        answer(store, (4, 9), True, name=name)
    forget_tables(store, "Ben")
    forget_tables(store, "Nobody")
    answer(store, (4, 9), True, name="Cara")
    answer(store, (2, 2), True, name="Ben")
    found = {one.name: one.number for one in all_tables(store)}
    assert found == {"Anna": 1, "Ben": 2, "Cara": 3}
    assert tables_of(store, "Ben").tasks.keys() == {(2, 2)}
    assert len(tables_of(store, "Ben").history) == 1


JUNK = (
    *("", "x", "[]", "{}", "[1]", "[" * 9999),
    "[1, 0, 9, 0, 1, 5, 0, 0]",
    "[1, 0, 2, 0, 1, 5, 0, 0]",
    "[1, 0, 1, 7, 1, 5, 0, 0]",
    "[1, 0, 3, 1, 1, 5, 0, 0]",
    "[1, 0, 2, null, NaN, 5, 0, 0]",
    "[-1, 0, 2, null, 1, 5, 0, 0]",
    "[1, 0, 2, null, 1, 11, 0, 0]",
    "[1, 0, 2, null, 1, 5, 0, 1e18]",
    "[[], 0, 2, null, 1, 5, 0, 0]",
    "[1, 0, [], 0, 1, 5, 0, 0]",
)


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_in_the_store_is_a_task_that_nobody_asked(junk: str) -> None:
    store = Store(":memory:")
    answer(store, (4, 9), True)
    store.remember_all({"tables/Anna/2x3": junk, "tables/Anna/course": junk})
    tables = tables_of(store, "Anna")
    assert tables.tasks.keys() == {(4, 9)}
    assert tables.history == ()
    answer(store, (2, 3), True)
    assert tables_of(store, "Anna").tasks.keys() == {(4, 9), (2, 3)}


def test_small_things_are_kept_all_or_none() -> None:
    store = Store(":memory:")
    store.remember("a", "1")
    with pytest.raises(Exception):  # noqa: B017, PT011  # whatever the database says of it
        store.remember_all({"a": "2", "b": None})  # type: ignore[dict-item]
    assert store.recall_under("") == {"a": "1"}


# --- the picture


def test_the_picture_is_the_table_of_products_told_apart_without_colour() -> None:
    store = Store(":memory:")
    answer(store, (4, 9), True, True)
    answer(store, (7, 8), False)
    answer(store, (10, 10), True)
    picture = tables_picture(tables_of(store, "Anna"), NOW)
    cells = {cell.name: cell for cell in picture.cells}
    assert (picture.kind, picture.columns, len(cells)) == ("table", 10, 100)
    assert {cells[name].text for name in ("4x9", "9x4")} == {"36+"}
    assert {cells[name].text for name in ("7x8", "8x7")} == {"56-"}
    assert (cells["10x10"].text, cells["6x6"].text) == ("100~", "36")
    assert len({cells[name].shade for name in ("4x9", "7x8", "10x10", "6x6")}) == 4
    assert all(find_task(name) in TASKS for name in cells)
    assert [find_task(name) for name in ("", "x", "4x", "11x2", "0x3", "open")] == [None] * 6


# --- the command


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games"
    kept = Store(path)
    answer(kept, (4, 9), True, True)
    answer(kept, (7, 8), True, False)
    answer(kept, (2, 2), False, name="Ben")
    kept.close()
    return path


def told(store: Path, *words: str) -> str:
    return printed(*words, "--store", store)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text)))


OF = pytest.mark.parametrize("of", ["tables", "days"])


@OF
def test_a_teachers_export_holds_no_names_unless_asked(store: Path, of: str) -> None:
    text = told(store, "export", "--csv", "--of", of)
    assert "Anna" not in text
    assert "Ben" not in text
    named = rows(told(store, "export", "--csv", "--of", of, "--names"))
    assert {row[0] for row in named[1:]} == {"Anna", "Ben"}
    assert [row[1:] for row in named] == [row[1:] for row in rows(text)]


def test_csv_has_every_task_that_was_asked_and_every_day(store: Path) -> None:
    _, *found = rows(told(store, "export", "--csv", "--of", "tables"))
    assert [row[:3] + row[4:6] for row in found] == [
        ["1", "4x9", "36", "2", "0"],
        ["1", "7x8", "56", "1", "1"],
        ["2", "2x2", "4", "0", "1"],
    ]
    assert found[1][3] == "practise"
    assert {row[6] for row in found} == {NOW.isoformat()}
    _, *found = rows(told(store, "export", "--csv", "--of", "days"))
    day = NOW.astimezone().date().isoformat()
    assert found == [["1", day, "1", "0", "1"], ["2", day, "0", "0", "1"]]


@OF
def test_no_name_is_a_formula_in_a_list_of_the_times_tables(tmp_path: Path, of: str) -> None:
    games = Store(tmp_path / "t.db")
    for name in ("-1+2", "@SUM(A1)"):
        store_answer(games, name, (2, 3), NOW, right=True)
    games.close()
    _, *found = rows(told(tmp_path / "t.db", "export", "--csv", "--of", of, "--names"))
    assert [row[0] for row in found] == ["'-1+2", "'@SUM(A1)"]


def test_one_player_is_shown_by_name_or_number(store: Path) -> None:
    text = told(store, "show", "tables", "Anna", "--lang", "en")
    assert text.splitlines()[0] == "Anna"
    assert text.splitlines()[1].split() == [str(column) for column in range(1, 11)]
    assert text.splitlines()[8].startswith(" 7|")
    assert "  56-" in text.splitlines()[8]
    assert len(text.splitlines()) == 16
    assert told(store, "show", "tables", "1", "--lang", "en") == text
    assert text in told(store, "show", "tables", "--lang", "en")
