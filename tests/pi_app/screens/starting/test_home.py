"""The first menu: what waits is known without a look at every game for each frame."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from engines.game import Result
from hardware.keys import Key
from pi_app.screens.context import Context
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import Settings
from pi_app.store.archive import ReadFile
from pi_app.store.database import connect_to
from pi_app.store.store import Reader, Store, StoredGame
from pi_app.texts.language import Texts

NUMERI = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
SEQUENCE = {"Game": "sequence", "Players": "Anna blue, Ben green"}


def test_the_games_are_looked_through_once_until_something_is_stored(tmp_path: Path) -> None:
    asked: list[str] = []
    store = Store(tmp_path / "games.db")
    store.begin(NUMERI)
    store.close()

    def looks() -> int:
        found = sum("FROM game WHERE result IS NULL" in sql for sql in asked)
        asked.clear()
        return found

    def connect(name: str) -> Connection:
        db = connect_to(name)
        db.set_trace_callback(asked.append)
        return db

    store = Store(tmp_path / "games.db", connect)
    screen = HomeScreen(Context(Texts("en"), Settings(), store, lambda: 0.0))
    for _ in range(3):
        assert screen.items[0] == "Continue: numeri"
        screen.frame()
        screen.press(Key.DOWN)
    assert looks() == 1
    store.begin(SEQUENCE)
    assert screen.items[0] == "Continue: Sequence"
    assert looks() == 1
    store.close()


def test_what_waits_is_what_the_file_says_after_each_change(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    won = Result(("Anna",), "points")
    found = []
    changes: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: store.begin(NUMERI),
        lambda: store.append(1, 0, "3", None),
        lambda: store.begin(SEQUENCE),
        lambda: store.append(2, 0, "5", won),
        lambda: store.shelve(1, shelved=False),
        lambda: store.mark(2, 0, "undone", None),
        lambda: store.rewrite(2, ["5"], won),
        lambda: store.add_all([(NUMERI, (), "2026-03-01T12:00:00+00:00", None)]),
        lambda: store.restore(StoredGame(2, SEQUENCE, (), ()), None),
    )
    for change in changes:
        change()
        with closing(ReadFile(tmp_path / "games.db")) as file:
            fresh = Reader(file)
            wanted = (fresh.game_to_resume(), fresh.game_on_table(), fresh.latest_game())
        found.append((store.game_to_resume(), store.game_on_table(), store.latest_game()))
        assert found[-1] == wanted
    assert len(set(found)) > 4
    store.close()


def test_a_table_that_was_left_before_its_first_move_is_not_gone_on_with() -> None:
    store = Store(":memory:")
    empty = store.begin(NUMERI)
    assert (store.game_to_resume(), store.game_on_table()) == (empty, empty)
    store.append(store.begin(SEQUENCE), 0, "QH", Result(("Anna",), "conceded"))
    assert (store.game_to_resume(), store.game_on_table()) == (None, None)


def test_a_table_that_was_keyed_in_waits_also_before_its_first_move() -> None:
    store = Store(":memory:")
    keyed = store.begin({**NUMERI, "Position": "Anna 1 2 3"})
    store.append(store.begin(SEQUENCE), 0, "QH", Result(("Anna",), "conceded"))
    assert store.game_to_resume() == keyed
