"""What was worked out of games: never wrong, never an error, whatever becomes of its file."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Result
from pi_app.store.archive import content_keys, finished_games
from pi_app.store.derived import Derived
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, play_games

KEYS = tuple(f"key {n}" for n in range(200))
VALUES = {key: (key * 40).encode() for key in KEYS}


def filled(path: Path) -> Derived:
    derived = Derived(path)
    derived.put_many("facts", 1, VALUES)
    return derived


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["chances", "facts"]),
            st.integers(1, 2),
            st.sampled_from(KEYS[:3]),
            st.binary(max_size=20),
        )
    )
)
def test_what_was_put_last_is_what_is_got(puts: list[tuple[str, int, str, bytes]]) -> None:
    """An older version's value is not there any more, a newer one's is not taken for ours."""
    derived = Derived(None)
    known: dict[tuple[str, str], tuple[int, bytes]] = {}
    for kind, version, key, value in puts:
        derived.put(kind, version, key, value)
        known[kind, key] = (version, value)
    for kind in ("chances", "facts"):
        for version in (1, 2):
            expected = {
                key: value
                for (of, key), (by, value) in known.items()
                if (of, by) == (kind, version)
            }
            assert derived.get_many(kind, version, KEYS) == expected
            assert {key: derived.get(kind, version, key) for key in expected} == expected


def test_it_is_there_in_the_next_run_and_looking_makes_no_file(tmp_path: Path) -> None:
    derived = Derived.of_store(tmp_path / "games.db")
    assert derived.get("facts", 1, "a") is None
    assert not list(tmp_path.iterdir())
    derived.put("facts", 1, "a", b"1")
    derived.close()
    assert [path.name for path in tmp_path.iterdir()] == ["games.db.derived"]
    assert Derived.of_store(tmp_path / "games.db").get("facts", 1, "a") == b"1"


def test_damage_at_random_places_never_alters_a_value_nor_ends_its_use(tmp_path: Path) -> None:
    chance = random.Random(4)
    filled(tmp_path / "whole").close()
    whole = (tmp_path / "whole").read_bytes()
    lost = kept = 0
    for number in range(300):
        path = tmp_path / str(number)
        content = bytearray(whole)
        at = chance.randrange(len(content))
        match number % 4:
            case 0:
                del content[at:]
            case 1:
                content[at] ^= 1 << chance.randrange(8)
            case 2:
                content[at : at + 512] = chance.randbytes(len(content[at : at + 512]))
            case _:
                content[at : at + 4096] = bytes(len(content[at : at + 4096]))
        path.write_bytes(content)
        derived = Derived(path)
        found = derived.get_many("facts", 1, KEYS)
        assert found.items() <= VALUES.items(), (number, at)
        lost += len(KEYS) - len(found)
        kept += len(found)
        derived.put_many("facts", 1, VALUES)
        derived.put_many("facts", 1, VALUES)  # what is spoiled may be met only when it is written
        assert derived.get_many("facts", 1, KEYS) == VALUES, (number, at)
        derived.close()
    assert lost > 1000
    assert kept > 1000


def _nothing(path: Path) -> None:
    path.write_bytes(b"")


def _no_database(path: Path) -> None:
    path.write_text("nothing of ours\n" * 500)


def _another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=9")


def _another_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE more (id)")


def _deleted(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "spoil", [_nothing, _no_database, _another_version, _another_table, _deleted]
)
def test_a_file_that_is_not_ours_is_begun_anew(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = tmp_path / "derived"
    filled(path).close()
    spoil(path)
    derived = Derived(path)
    assert derived.get_many("facts", 1, KEYS) == {}
    derived.put_many("facts", 1, VALUES)
    assert Derived(path).get_many("facts", 1, KEYS) == VALUES


def test_a_file_deleted_while_it_is_open_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "derived"
    derived = filled(path)
    path.unlink()
    assert derived.get_many("facts", 1, KEYS) == {}
    derived.put("facts", 1, "a", b"1")
    assert Derived(path).get("facts", 1, "a") == b"1"


@pytest.mark.parametrize("lock", ["EXCLUSIVE", "IMMEDIATE"])
def test_a_locked_file_is_not_waited_for(tmp_path: Path, lock: str) -> None:
    path = tmp_path / "derived"
    derived = filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {lock}")
        began = monotonic()
        derived.put("facts", 1, KEYS[0], b"other")
        found = derived.get("facts", 1, KEYS[0])
        assert monotonic() - began < 5  # SQLite's own patience would do; a hang would not
        assert found in ((None,) if lock == "EXCLUSIVE" else (VALUES[KEYS[0]],))
        other.execute("ROLLBACK")
    assert derived.get_many("facts", 1, KEYS) == VALUES


@pytest.mark.parametrize("where", ["missing/derived", "folder", "broken"])
def test_where_no_file_can_be_nothing_is_kept(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken").symlink_to(tmp_path / "missing" / "derived")
    derived = Derived(tmp_path / where)
    derived.put_many("facts", 1, VALUES)
    assert derived.get_many("facts", 1, KEYS) == {}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_may_not_be_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "derived"
    filled(path).close()
    path.chmod(0o400)
    derived = Derived(path)
    derived.put("facts", 1, KEYS[0], b"other")
    assert derived.get_many("facts", 1, KEYS) == VALUES


def test_the_oldest_are_forgotten_when_it_grows_too_large(tmp_path: Path) -> None:
    path = tmp_path / "derived"
    derived = Derived(path, most_bytes=200_000)
    for round_ in range(20):
        derived.put_many("facts", 1, {f"{round_} {key}": bytes(500) for key in KEYS[:50]})
    found = derived.get_many("facts", 1, [f"{n} {key}" for n in range(20) for key in KEYS[:50]])
    assert len({key for key in found if key.startswith("19 ")}) == 50
    assert not any(key.startswith("0 ") for key in found)
    assert path.stat().st_size < 300_000
    derived.put("facts", 1, "huge", bytes(400_000))
    derived.put("facts", 1, "small", b"1")
    assert derived.get("facts", 1, "small") == b"1"


def test_a_rescue_of_the_store_leaves_nothing_that_was_worked_out_before(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = Store(path)
    play_games(store)
    store.close()
    derived = Derived.of_store(path)
    derived.put("facts", 1, "a", b"1")
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    assert Store(path).news()
    assert derived.get("facts", 1, "a") is None


def test_threads_share_it(tmp_path: Path) -> None:
    derived = Derived(tmp_path / "derived")

    def work(number: int) -> None:
        for key in KEYS[number::4]:
            while derived.get("facts", 1, key) is None:  # another one had it too long
                derived.put("facts", 1, key, VALUES[key])

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert derived.get_many("facts", 1, KEYS) == VALUES


def keys_of(store: Store) -> dict[int, str]:
    return content_keys(store, finished_games(store))


def test_a_finished_games_key_changes_with_its_content_and_only_then() -> None:
    store = Store(":memory:")
    over = Result(("Anna",), "row")
    began = "2026-03-01T20:00:00+00:00"
    one, two, running = store.add_all(
        [(TAGS, ("5", "6", "7"), began, result) for result in (over, over, None)]
    )
    seen = [keys_of(store)]
    assert list(seen[0]) == [one, two]
    assert seen[0][one] != seen[0][two]
    steps: tuple[Callable[[], object], ...] = (
        lambda: store.append(one, 3, "8", over),
        lambda: store.rewrite(one, ("5", "7", "6", "8"), over),
        lambda: store.rewrite(one, ("5", "7", "6", "9"), over),
        lambda: store.rewrite(one, ("5", "7", "6", "9"), Result(("Ben",), "row")),
    )
    for step in steps:
        step()
        seen.append(keys_of(store))
    assert len({keys[two] for keys in seen}) == 1
    assert len({keys[one] for keys in seen}) == len(seen)
    store.mark(one, 3, "undone", None)
    store.append(running, 3, "8", over)
    assert finished_games(store) == [two, running]
    renamed = {**TAGS, "Players": "Anna yellow, Otto red"}
    elsewhere = Store(":memory:")
    (other,) = elsewhere.add_all([(renamed, ("5", "6", "7"), began, over)])
    assert other == one
    assert keys_of(elsewhere)[one] != seen[0][one]


def test_a_finished_game_that_lost_a_move_has_another_key_whichever_it_was() -> None:
    store = Store(":memory:")
    began = "2026-03-01T20:00:00+00:00"
    store.add_all([(TAGS, ("5", "6", "7"), began, Result(("Anna",), "row"))])
    seen = {keys_of(store)[1]}
    for n in range(3):
        store._db.execute("SAVEPOINT whole")
        store._db.execute("DELETE FROM ply WHERE n=?", (n,))
        seen.add(keys_of(store)[1])
        store._db.execute("ROLLBACK TO whole")
    assert len(seen) == 4
