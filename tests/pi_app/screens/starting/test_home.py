"""The first menu: what waits is known without a look at every game for each frame."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from engines.game import Result
from hardware.keys import Key
from pi_app.screens.base import TICK, Quit
from pi_app.screens.context import Context
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import Settings
from pi_app.store import Reader, Store
from pi_app.store.journal import FactLines
from pi_app.texts.language import Texts
from tests.pi_app.pilot import Pilot, add_games, choices_of

NUMERI = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
SEQUENCE = {"Game": "sequence", "Players": "Anna blue, Ben green"}


def resumed(store: Store) -> int | None:
    return next((game.id for game in store.waiting_games()), None)


def test_no_frame_reads_the_games_again_until_something_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, read = Store(":memory:"), Mock(wraps=FactLines)
    for _ in range(3):
        store.append(store.begin(NUMERI), 0, "3", Result(("Anna",), "points"))
    store.append(store.begin(NUMERI), 0, "3", None)
    store.put_on_table(None)
    screen = HomeScreen(Context(Texts("en"), Settings(), store, lambda: 0.0))
    monkeypatch.setattr("pi_app.store.game.FactLines", read)
    opened = Mock(wraps=store._disk.read)
    monkeypatch.setattr(store._disk, "read", opened)
    for _ in range(3):
        assert screen.items[0] == "Continue: numeri"
        screen.frame()
        screen.press(Key.DOWN)
    assert (read.call_count, opened.call_count) == (0, 0)
    store.begin(SEQUENCE)
    assert screen.items[0] == "Continue: 2 games"


def test_a_start_reads_no_game_but_the_one_on_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Store(tmp_path / "games")
    before.append(before.begin(NUMERI), 0, "3", None)
    on_table = before.begin(SEQUENCE)
    before.close()
    store = Store(tmp_path / "games")
    opened = Mock(wraps=store._disk.read)
    monkeypatch.setattr(store._disk, "read", opened)
    assert store.game_on_table() == on_table
    assert opened.call_count == 1
    assert [game.id for game in store.waiting_games()] == [2, 1]
    store.close()


def test_what_waits_is_what_the_file_says_after_each_change(tmp_path: Path) -> None:
    store = Store(tmp_path / "games")
    won = Result(("Anna",), "points")
    found = []
    changes: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: store.begin(NUMERI),
        lambda: store.append(1, 0, "3", None),
        lambda: store.begin(SEQUENCE),
        lambda: store.append(2, 0, "5", won),
        lambda: store.put_on_table(1),
        lambda: store.mark(2, 0, "undone", None),
        lambda: store.rewrite(2, ["5"], won),
        lambda: add_games(store, [(NUMERI, (), "2026-03-01T12:00:00+00:00", None)]),
    )
    for change in changes:
        change()
        with closing(Reader.of(tmp_path / "games")) as fresh:
            wanted = (fresh.waiting_games(), fresh.game_on_table(), fresh.latest_game())
        found.append((store.waiting_games(), store.game_on_table(), store.latest_game()))
        assert found[-1] == wanted
    assert len({(*(game.id for game in waiting[:1]), *rest) for waiting, *rest in found}) > 4
    store.close()


def test_a_table_that_was_left_before_its_first_move_is_not_gone_on_with() -> None:
    store = Store(":memory:")
    empty = store.begin(NUMERI)
    assert (resumed(store), store.game_on_table()) == (empty, empty)
    store.append(store.begin(SEQUENCE), 0, "QH", Result(("Anna",), "conceded"))
    assert (resumed(store), store.game_on_table()) == (None, None)


def test_a_table_that_was_keyed_in_waits_also_before_its_first_move() -> None:
    store = Store(":memory:")
    keyed = store.begin({**NUMERI, "Position": "Anna 1 2 3"})
    store.append(store.begin(SEQUENCE), 0, "QH", Result(("Anna",), "conceded"))
    assert resumed(store) == keyed


def test_a_new_game_says_which_one_is_put_aside_and_continue_shows_all_that_wait() -> None:
    pilot = Pilot.game("just4fun", "Anna yellow, Ben red")
    assert pilot.frame.body.lines == Pilot.game("just4fun").frame.body.lines
    pilot.key("5# ?")
    assert pilot.choose("New game").body.choices == replace(
        choices_of(pilot.frame), sentences=("Continue: Just 4 Fun (Anna, Ben)",)
    )
    frame = pilot.choose("Sequence", "Start")
    assert '"Continue" brings back Just 4 Fun (Anna, Ben).' in frame.body.lines
    pilot.key("7*1#?")
    frame = pilot.choose("New game")
    assert choices_of(frame).items[0] == "Continue: 2 games"
    assert choices_of(frame).sentences == (
        "Continue: Sequence (Anna, Ben); Just 4 Fun (Anna, Ben)",
    )
    frame = pilot.choose("Continue")
    assert choices_of(frame).items == ("Sequence (Anna, Ben)", "Just 4 Fun (Anna, Ben)")
    pilot.choose("Just 4 Fun")
    assert pilot.ctx.store.game_on_table() == 1
    assert not any("Continue" in line for line in pilot.frame.body.lines)


def test_the_first_screen_says_how_to_stop_and_asks_first() -> None:
    pilot = Pilot()
    assert (Key.BACK, "stop") in {(key.key, key.label) for key in pilot.frame.keys.soft}
    assert pilot.key("<").header.title == "Stop?"
    assert pilot.key("1").header.title == "Beisitzer"
    assert pilot.key("<<").header.title == "Beisitzer"
    pilot.key("< 2")
    assert pilot.program.quit == Quit(TICK)
