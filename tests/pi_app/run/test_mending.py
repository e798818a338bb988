"""Damage that somebody beside the loop meets: the loop mends it and tells the table, once."""

from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from pi_app.store.archive import ReadFile, find_damage, list_games
from pi_app.store.store import Reader, Store
from tests.pi_app.pilot import Pilot, store_games
from tests.stand_ins.waiting import PATIENCE_S, wait_for

GAME = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5+11+13 9 12\n'
ROW = (
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 9 33; red 1 14 30"]\n9 12+12\n'
)


def stored(folder: Path) -> Path:
    """Return a store that was closed, with a finished game and one on the shelf."""
    path = folder / "games.db"
    store = Store(path)
    store_games(store, ROW, GAME)
    store.close()
    return path


def spoil(path: Path) -> None:
    """Alter the last move of the finished game."""
    path.write_bytes(path.read_bytes().replace(b"12+12played", b"12+13played", 1))


def alert(pilot: Pilot) -> str:
    pilot.program.show()
    return pilot.frame.alert.text if pilot.frame.alert else ""


def test_a_store_too_large_to_be_checked_at_a_start_is_checked_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("store.check", "run.mending"):
        monkeypatch.setattr(f"pi_app.{module}.CHECKED_BYTES", 1)
    path = stored(tmp_path)
    spoil(path)
    pilot = Pilot(store=path)
    assert not alert(pilot)
    loop = Thread(target=pilot.program.run)
    loop.start()
    try:
        wait_for(lambda: any(frame.alert for frame in pilot.recorder.frames))
    finally:
        pilot.program.keys.stop()
        loop.join(PATIENCE_S)
    assert "damaged" in alert(pilot)
    assert pilot.ctx.store.load(1).tokens == ("9",)
    assert len(list(tmp_path.glob("games.db.damaged-*"))) == 1


def test_a_sound_store_has_no_damage_and_the_whole_check_lets_others_go_first(
    tmp_path: Path,
) -> None:
    pauses: list[None] = []
    assert find_damage(stored(tmp_path), lambda: pauses.append(None)) is None
    assert pauses


def test_damage_that_two_readers_met_is_mended_once(tmp_path: Path) -> None:
    path = stored(tmp_path)
    pilot = Pilot(store=path)
    spoil(path)
    found = [find_damage(path, lambda: None) for _ in range(2)]
    for damage in found:
        assert damage is not None
        pilot.ctx.store.mend(damage)
    assert "damaged" in alert(pilot)
    assert len(list(tmp_path.glob("games.db.damaged-*"))) == 1
    assert find_damage(path, lambda: None) is None
    assert len(pilot.program.bulletin._alerts) == 1


def test_a_reader_of_a_damaged_file_knows_that_it_is_not_whole(tmp_path: Path) -> None:
    path = stored(tmp_path)
    spoil(path)
    with closing(ReadFile(path)) as file:
        games = Reader(file)
        assert len(list_games(games, 9)) == 2
        assert games.whole, "no list says a word of moves"
        assert games.load(1).tokens == ("9",)
        assert not games.whole
