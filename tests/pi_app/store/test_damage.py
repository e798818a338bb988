"""A database that a dying card has truncated or overwritten."""

import logging
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import compress, product
from pathlib import Path

import pytest

from engines.game import Result
from hardware.keys import Key
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, first_screen
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import Settings
from pi_app.store.database import CHECKPOINT_PAGES
from pi_app.store.migrations import PAGE_BYTES
from pi_app.store.pages import salvage
from pi_app.store.recovery import Recovered, refill
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys
from tests.pi_app.store.faults import TAGS, Faults, games, play_games, reopened

MOVES = tuple(str(n) for n in range(2, 60))


def played(folder: Path, *, crashed: bool) -> Path:
    """Return a store with a long game, closed or as a power cut leaves it (log and all)."""
    folder.mkdir()
    store = Store(folder / "live.db")
    game = store.begin(TAGS)
    for n, token in enumerate(MOVES):
        store.append(game, n, token, None)
    if not crashed:
        store.close()
    path = folder / "t.db"
    shutil.copy(folder / "live.db", path)
    if crashed:
        shutil.copy(folder / "live.db-wal", folder / "t.db-wal")
        store.close()
    return path


def damaged(path: Path, chance: random.Random) -> str:
    """Truncate or overwrite one of the database's files; say how."""
    file = chance.choice([f for f in (path, path.with_name("t.db-wal")) if f.exists()])
    content = bytearray(file.read_bytes())
    at = chance.randrange(len(content))
    match chance.randrange(4):
        case 0 if file is path:  # a log cut short is what every power cut may leave
            del content[at:]
        case 1:
            content[at : at + 1] = bytes([chance.randrange(256)])
        case 2:
            size = min(chance.choice((16, 512, 4096)), len(content) - at)
            content[at : at + size] = chance.randbytes(size)
        case _:
            page = at - at % 4096
            content[page : page + 4096] = bytes(min(4096, len(content) - page))
    file.write_bytes(content)
    return f"{file.name} of {len(content)} bytes at {at}"


@pytest.mark.parametrize("crashed", [False, True])
def test_damage_at_random_places_never_alters_a_move_and_is_told(
    tmp_path: Path,
    crashed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    chance = random.Random(9)
    original = played(tmp_path / "whole", crashed=crashed)
    told_of = lost = kept = 0
    for number in range(100):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "t.db"
        for file in (original, original.with_name("t.db-wal")):
            if file.exists():
                shutil.copy(file, folder)
        where = damaged(path, chance)
        store = Store(path)
        news = store.news()
        tokens = games(store)[0][0] if games(store) else ()
        assert tokens == MOVES[: len(tokens)], where
        # the transaction written last may be one that a power cut interrupted: no damage
        if len(tokens) < len(MOVES) - crashed:
            assert news, where
        if news:
            (told,) = news
            assert told.aside is not None
            assert told.aside.exists(), where
            assert told.recovered is not None
            told_of += 1
            lost += len(tokens) < len(MOVES)
            kept += bool(tokens)
        game = store.begin(TAGS)
        store.append(game, 0, "5", None)
        store.close()
    assert told_of > 20, "the damage is too mild to prove anything"
    assert crashed or lost > 5
    assert kept > (told_of // 2 if crashed else lost // 4)


def test_everything_is_read_from_a_file_without_its_first_page(tmp_path: Path) -> None:
    path = played(tmp_path / "whole", crashed=False)
    content = path.read_bytes()
    path.write_bytes(bytes(PAGE_BYTES) + content[PAGE_BYTES:])
    store = Store(path)
    assert games(store) == [(MOVES, ())]
    (told,) = store.news()
    assert told.aside is not None
    assert told.aside.read_bytes()[PAGE_BYTES:] == content[PAGE_BYTES:]
    assert told.recovered is not None
    assert (told.recovered.games, told.recovered.moves, told.recovered.dropped) == (1, 58, 0)


def test_a_course_with_undo_and_rewriting_is_salvaged_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path / "live.db")
    expected = play_games(store)
    database = (tmp_path / "live.db").read_bytes()
    written = (tmp_path / "live.db-wal").read_bytes()
    (tmp_path / "t.db").write_bytes(b"\0" * len(database))
    (tmp_path / "t.db-wal").write_bytes(written)
    again = Store(tmp_path / "t.db")
    assert games(again) == expected
    assert again.recall("players") == "Anna, Ben"


def test_an_altered_move_is_noticed_though_the_structure_is_whole(tmp_path: Path) -> None:
    path = played(tmp_path / "whole", crashed=False)
    content = path.read_bytes()
    assert content.count(b"59played") == 1
    path.write_bytes(content.replace(b"59played", b"36played"))
    store = Store(path)
    assert games(store) == [(MOVES[:-1], ())]
    assert len(store.news()) == 1


def test_a_hole_ends_the_game_before_it_and_what_follows_is_kept_aside(tmp_path: Path) -> None:
    path = played(tmp_path / "whole", crashed=False)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"30played", b"31played"))
    store = Store(path)
    assert games(store) == [(MOVES[:28], ())]
    (told,) = store.news()
    assert told.recovered is not None
    assert (told.recovered.moves, told.recovered.dropped) == (28, 29)
    states = store._db.rows("SELECT state, count(*) FROM ply GROUP BY state ORDER BY state")
    assert states == [("played", 28), ("replaced", 29)]


def test_a_file_that_never_was_a_database_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_text("holiday photographs\n" * 999)
    store = Store(path)
    assert games(store) == []
    (told,) = store.news()
    assert told.aside is not None
    assert told.aside.read_text().startswith("holiday")
    assert told.aside.name.startswith("t.db.damaged-2")


def test_a_damaged_store_on_a_full_card_is_read_all_the_same(tmp_path: Path) -> None:
    content = bytearray(played(tmp_path / "whole", crashed=False).read_bytes())
    content[:100] = bytes(100)
    for first in range(1, 60):
        path = tmp_path / f"{first}.db"
        path.write_bytes(content)
        faults = Faults(first, sqlite3.SQLITE_FULL)
        store = Store(path, faults.connect)
        assert games(store) == [(MOVES, ())], first
        faults.first = None
        assert store.retry(), first
        store.close()
        assert reopened(path) == [(MOVES, ())], first


@pytest.mark.parametrize("hit", [0, 4, 10, 20, 31])
def test_a_damaged_row_of_what_is_remembered_takes_no_other_one_with_it(
    tmp_path: Path, hit: int
) -> None:
    """Two a page; the first of a page is hit, which tells the table of the page."""
    path = tmp_path / "t.db"
    store = Store(path)
    store.begin(TAGS)
    texts = {f"comments/{n:02}": f"{n:02}" * 200 for n in range(40)}
    for key, value in texts.items():
        store.remember(key, value)
    store.close()
    content = bytearray(path.read_bytes())
    content[:100] = bytes(100)
    page = content.index(f"comments/{hit:02}".encode()) // PAGE_BYTES * PAGE_BYTES
    content[page + 8 : page + 10] = bytes(2)
    path.write_bytes(content)
    store = Store(path)
    lost = [key for key, value in texts.items() if store.recall(key) != value]
    assert len(lost) == 1
    store.close()


def test_salvage_reads_any_junk() -> None:
    chance = random.Random(4)
    for _ in range(60):
        junk = bytearray(chance.randbytes(chance.randrange(9000)))
        starts = range(0, len(junk) - PAGE_BYTES, PAGE_BYTES)
        for at in starts:
            junk[at] = 0x0D
        pages = [bytes(junk[at : at + PAGE_BYTES]) for at in starts]
        assert salvage(pages, bytes(junk), bytes(junk)).games == {}


@pytest.mark.parametrize("games_played", [30, 300])
def test_a_rescue_takes_the_same_time_for_each_game(tmp_path: Path, games_played: int) -> None:
    """Measured in statements that SQLite carries out: a clock says little on a busy machine."""
    path = tmp_path / "t.db"
    store = Store(path)
    store.add_all([(TAGS, MOVES, "2026-01-01T20:00:00+00:00", None)] * games_played)
    store.close()
    path.write_bytes(bytes(1024) + path.read_bytes()[1024:])
    told: list[float] = []
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    db = sqlite3.connect(tmp_path / "new.db", isolation_level=None)
    db.set_progress_handler(step, 1000)
    recovered = refill(db, path, told.append)
    assert recovered == Recovered(games_played, games_played * len(MOVES), 0)
    assert steps * 1000 / recovered.moves < 120
    assert told == sorted(told)


def test_a_long_check_tells_again_and_again_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Systemd is asked to wait by that: it ends a start that says nothing for two minutes."""
    path = tmp_path / "t.db"
    store = Store(path)
    store.add_all([(TAGS, MOVES, "2026-01-01T20:00:00+00:00", None)] * 300)
    store.close()
    monkeypatch.setattr("pi_app.store.check._PROGRESS_STEPS", 1000)
    told: list[float] = []
    Store(path, progress=told.append).close()
    assert len(told) > 3
    assert set(told) == {0}


def test_damage_that_shows_only_when_a_game_is_read_is_mended_and_told(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    for _ in range(2):
        game = store.begin(TAGS)
        for n, token in enumerate(MOVES):
            ends = n == len(MOVES) - 1
            store.append(game, n, token, Result(("Anna",), "points", {}) if ends else None)
    store.close()
    store = Store(path)  # a small one that is damaged before is mended at once
    path.write_bytes(path.read_bytes().replace(b"30played", b"31played", 1))
    assert store.news() == []
    assert store.load(1).tokens == MOVES[:28]
    assert store.load(2).tokens == MOVES
    (told,) = store.news()
    assert told.recovered is not None
    assert told.recovered.dropped == 29 + 1 - 1
    assert store.trouble is None


def test_what_a_rescue_brought_back_is_told_at_each_start_until_the_table_plays_on(
    tmp_path: Path,
) -> None:
    path = played(tmp_path / "whole", crashed=False)
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    for _ in range(2):
        store = Store(path)
        assert len(store.news()) == 1
        store.close()
    store = Store(path)
    assert len(store.news()) == 1
    store.append(1, len(MOVES), "5", None)
    store.close()
    assert Store(path).news() == []


@pytest.mark.parametrize("met_by", ["move", "undo", "redo", "reading"])
@pytest.mark.parametrize("rest", ["nothing", "a hole"])
def test_a_game_whose_store_is_damaged_under_it_is_stored_anew_as_the_table_knows_it(
    tmp_path: Path, rest: str, met_by: str
) -> None:
    path = tmp_path / "t.db"
    faults = Faults(None, sqlite3.SQLITE_CORRUPT)
    store = Store(path, faults.connect)
    companion = at_a_table(store)
    companion.play_script(read_keys("5#6#7#8#9#"))
    companion.press(Key.BACK_HELD)
    for file in (path, path.with_name("t.db-wal")):
        content = file.read_bytes()
        spoilt = (
            bytes(len(content)) if rest == "nothing" else content.replace(b"6played", b"0played")
        )
        file.write_bytes(spoilt)
    faults.first = faults.count + 1
    undone: tuple[str, ...] = ("9",)
    tokens: tuple[str, ...] = ("5", "6", "7", "8")
    match met_by:
        case "move":
            companion.play_script(read_keys("10#"))
            tokens, undone = (*tokens, "10"), ()
        case "undo":
            companion.press(Key.BACK_HELD)
            tokens, undone = ("5", "6", "7"), ("8", "9")
        case "redo":
            screen = companion.screen
            assert isinstance(screen, TurnScreen)
            screen.redo()
            tokens, undone = (*tokens, "9"), ()
        case _:
            store.recall("anything")
            companion.show()
    faults.first = None
    assert store.retry()
    store.close()
    assert reopened(path) == [(tokens, undone)]
    assert tuple(Store(path).load(1).tags.items()) >= tuple(TAGS.items())


def at_a_table(store: Store) -> Companion:
    ctx = Context(Texts("en"), Settings(), store, lambda: 0.0)
    return Companion(ctx, first_screen(ctx, Wish(TAGS)), KeyQueue(), [])


def test_a_last_move_whose_id_became_another_games_is_noticed(tmp_path: Path) -> None:
    path = played(tmp_path / "whole", crashed=False)
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE ply SET id = id + (1 << 40) WHERE id = (SELECT max(id) FROM ply)")
    db.close()
    store = Store(path)
    assert len(store.news()) == 1
    assert games(store) == [(MOVES[:-1], ())]


def begun_anew(folder: Path) -> tuple[Store, int]:
    """Return a store whose log was begun anew in its game: old frames lie behind the new ones."""
    store = Store(folder / "t.db")
    game = store.begin(TAGS)
    for n in range(CHECKPOINT_PAGES + 10):
        store.append(game, n, MOVES[n % len(MOVES)], None)
    return store, game


def cut_off(folder: Path, before: bytes, log: bytes) -> tuple[object, bool]:
    """Return what a start finds, and whether it tells of damage, with this log of a power cut."""
    assert len(log) >= len(before)
    shutil.rmtree(place := folder / "state", ignore_errors=True)
    place.mkdir()
    (place / "t.db").write_bytes((folder / "t.db").read_bytes())
    (place / "t.db-wal").write_bytes(log)
    store = Store(place / "t.db")
    told = bool(store.news())
    found = games(store), store.recall("beside/2")
    store.close()
    return found, told


def changed_frames(before: bytes, after: bytes) -> list[int]:
    """Return where frames of a log begin that were written between these two states."""
    starts = range(32, len(after), 24 + PAGE_BYTES)
    return [at for at in starts if before[at : at + 24] != after[at : at + 24]]


def test_a_frames_header_before_a_page_of_the_earlier_log_is_no_damage(tmp_path: Path) -> None:
    store, game = begun_anew(tmp_path)
    store.mark(game, CHECKPOINT_PAGES + 9, "undone", None)
    expected = games(store), None
    before = (tmp_path / "t.db-wal").read_bytes()
    store.append(game, CHECKPOINT_PAGES + 9, "11", None)
    after = (tmp_path / "t.db-wal").read_bytes()
    at = changed_frames(before, after)[0]
    log = before[:at] + after[at : at + 24] + before[at + 24 :]
    assert cut_off(tmp_path, before, log) == (expected, False)
    store.close()


def test_of_an_interrupted_transaction_no_half_comes_back(tmp_path: Path) -> None:
    """Its last page came to the disk before the first one, which is in an earlier log's place."""
    store, _ = begun_anew(tmp_path)
    expected = games(store), None
    before = (tmp_path / "t.db-wal").read_bytes()
    store.begin(TAGS, {"beside": "x" * 3000})
    after = (tmp_path / "t.db-wal").read_bytes()
    first, second, *_ = changed_frames(before, after)
    log = after[:first] + before[first:second] + after[second:]
    assert cut_off(tmp_path, before, log) == (expected, False)
    store.close()


def parts_of(before: bytes, after: bytes) -> Iterator[bytes]:
    """Yield the log with every choice of a transaction's writes, at last all of them.

    Headers and pages of frames are written one by one, and may reach the disk in any order.
    """
    writes = [
        write
        for at in changed_frames(before, after)
        for write in (slice(at, at + 24), slice(at + 24, at + 24 + PAGE_BYTES))
    ]
    assert 6 <= len(writes) <= 8
    for arrived in product((False, True), repeat=len(writes)):
        log = bytearray(before)
        for write in compress(writes, arrived):
            log.extend(bytes(max(0, write.start - len(log))))
            log[write] = after[write]
        yield bytes(log)


BESIDE = {"beside": "x" * 1200}
"""What makes a transaction one of several pages."""


@pytest.mark.parametrize("is_anew", [False, True])
def test_whatever_part_of_a_transaction_a_power_cut_leaves_is_no_damage(
    tmp_path: Path, is_anew: bool
) -> None:
    store = begun_anew(tmp_path)[0] if is_anew else Store(tmp_path / "t.db")
    if not is_anew:
        store.append(store.begin(TAGS), 0, "5", None)
    old = games(store), None
    before = (tmp_path / "t.db-wal").read_bytes()
    store.begin(TAGS, BESIDE)
    new = games(store), BESIDE["beside"]
    after = (tmp_path / "t.db-wal").read_bytes()
    for log in parts_of(before, after):
        expected = new if log == after else old
        assert cut_off(tmp_path, before, log) == (expected, False)
    store.close()


def test_what_a_power_cut_leaves_behind_the_end_of_the_log_is_no_damage_after_the_next(
    tmp_path: Path,
) -> None:
    (folder := tmp_path / "first").mkdir()
    with closing(Store(folder / "t.db")) as store:
        store.append(store.begin(TAGS), 0, "5", None)
        before = (folder / "t.db-wal").read_bytes()
        store.begin(TAGS, BESIDE)
        (tmp_path / "t.db").write_bytes((folder / "t.db").read_bytes())
        after = (folder / "t.db-wal").read_bytes()
        (tmp_path / "t.db-wal").write_bytes(before + bytes(24) + after[len(before) + 24 :])
    with closing(Store(tmp_path / "t.db")) as store:
        assert not store.news()
        store.append(1, 1, "6", None)
        old = games(store), None
        before = (tmp_path / "t.db-wal").read_bytes()
        store.begin(TAGS, BESIDE)
        new = games(store), BESIDE["beside"]
        after = (tmp_path / "t.db-wal").read_bytes()
        for log in parts_of(before, after):
            expected = new if log == after else old
            assert cut_off(tmp_path, before, log) == (expected, False)


def test_frames_of_several_restarts_behind_an_interrupted_transaction_are_no_damage(
    tmp_path: Path,
) -> None:
    """The log is begun anew at different lengths: of the longest one a single frame may be left."""
    with closing(Store(tmp_path / "t.db")) as store:
        game = store.begin(TAGS)
        for number in range(90):
            old = games(store), None
            before = (tmp_path / "t.db-wal").read_bytes()
            if number % 3:
                store.append(game, number - number // 3 - 1, "5", None)
            else:
                store.begin(TAGS, {"other": "x" * (900 * (number % 5))})
            after = (tmp_path / "t.db-wal").read_bytes()
            last = changed_frames(before, after)[-1] + 24  # its header came, its page did not
            log = after[:last] + before[last:].ljust(len(after) - last, b"\0")
            assert cut_off(tmp_path, before, log) == (old, False), number


@pytest.mark.parametrize("count", [2, 3, 5])
def test_moves_that_are_erased_at_the_end_of_the_log_are_told(tmp_path: Path, count: int) -> None:
    store = Store(tmp_path / "t.db")
    game = store.begin(TAGS)
    for n, token in enumerate(MOVES[:10]):
        store.append(game, n, token, None)
    before = (tmp_path / "t.db-wal").read_bytes()
    erased = count * (24 + PAGE_BYTES)
    log = before[:-erased] + bytes(erased)
    assert cut_off(tmp_path, before, log) == (([(MOVES[: 10 - count], ())], None), True)
    store.close()
