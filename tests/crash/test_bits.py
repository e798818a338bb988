"""Single flipped bits: the same game, or damage that is told; never a dead start.

The figures of a whole run are in docs/measurements/reliability.md.
"""

import logging
import random
import shutil
from collections import Counter
from pathlib import Path
from types import FunctionType

import pytest

from engines.game import Result
from pi_app.store.archive import count_games, games_with_moves, list_games
from pi_app.store.migrations import PAGE_BYTES
from pi_app.store.recovery import LOST
from pi_app.store.store import Store
from tests.options import Options
from tests.pi_app.store.faults import TAGS, games

BITS = 250
"""How many bits of each store are flipped, usually."""
MOVES = tuple(str(n) for n in range(2, 26))
Games = list[tuple[tuple[str, ...], tuple[str, ...]]]


def unfinished(store: Store) -> None:
    """Play most of a game, with a move taken back and a text remembered."""
    store.remember("players", "Anna, Ben")
    game = store.begin(TAGS)
    for n, token in enumerate(MOVES):
        store.append(game, n, token, None)
    store.mark(game, len(MOVES) - 1, "undone", None)


def finished(store: Store) -> None:
    """Play three games to their ends: their moves are not read at a start."""
    for _ in range(3):
        game = store.begin(TAGS)
        for n, token in enumerate(MOVES):
            ends = n == len(MOVES) - 1
            result = Result(("Anna",), "points", {"points": {"Anna": 9, "Ben": 2}})
            store.append(game, n, token, result if ends else None)


def tried(size: int, options: Options) -> list[int]:
    """Return the bits to flip: the header's more often, as it says most."""
    count = BITS * options.times
    if count >= size * 8:
        return list(range(size * 8))
    chance = random.Random(options.seed)
    return [chance.randrange(800) for _ in range(count // 3)] + [
        chance.randrange(size * 8) for _ in range(count - count // 3)
    ]


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def cut_off(folder: Path) -> tuple[bytes, bytes]:
    """Return database and log of an unfinished game as a power cut leaves them."""
    store = Store(folder / "live.db")
    unfinished(store)
    database, log = ((folder / name).read_bytes() for name in ("live.db", "live.db-wal"))
    store.close()
    return database, log


def everything(store: Store) -> tuple[Games, int, list[str], str | None]:
    """Return all that a table or the history can see of a store."""
    listed = [f"{entry}" for entry in list_games(store, 99)]
    listed += [f"{entry} {moves}" for entry, moves in games_with_moves(store, finished=True)]
    listed += [body for (body,) in store.read(lambda ask: ask("SELECT body FROM outbox", ()))]
    return games(store), count_games(store), listed, store.recall("players")


def judged(path: Path, before: tuple[Games, int, list[str], str | None]) -> str:
    """Open a store with a flipped bit and play on; return what became of it."""
    store = Store(path)
    seen = everything(store)
    news = store.news()
    assert store.trouble is None
    on_table = store.game_on_table()
    store.append(store.begin(TAGS), 0, "5", None)
    store.close()
    again = Store(path)
    assert again.trouble is None
    assert on_table is None or on_table > 0
    again.close()
    told = any(one.recovered is not None for one in news)
    if seen == before:
        return "told, all there" if told else "the same"
    assert told, "another game, untold"
    for tokens, _ in seen[0]:
        assert tokens in [played[: len(tokens)] for played, _ in before[0]]
    events = [body for body in seen[2] if body.startswith("{")]
    assert {*events, LOST} <= {*before[2], LOST}
    assert len(events) == sum(body.startswith("{") for body in before[2]), "missing, not lost"
    return "told, moves lost"


@pytest.mark.parametrize("play", [unfinished, finished])
def test_a_flipped_bit_is_damage_or_nothing(
    tmp_path: Path, play: FunctionType, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    caplog.set_level(logging.CRITICAL)
    store = Store(tmp_path / "whole.db")
    play(store)
    before = everything(store)
    store.close()
    content = (tmp_path / "whole.db").read_bytes()
    found: Counter[str] = Counter()
    bits = tried(len(content), options)
    for number, bit in enumerate(bits):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "t.db").write_bytes(flipped(content, bit))
        try:
            found[judged(folder / "t.db", before)] += 1
        except BaseException as error:
            error.add_note(f"bit {bit} of {len(content) * 8}")
            raise
        shutil.rmtree(folder)
    print(f"{play.__name__}: {len(bits)} bits of {len(content)} bytes, {dict(found)}")  # noqa: T201
    assert found["told, all there"] + found["told, moves lost"] > len(bits) // 20


def test_a_flipped_bit_in_the_log_of_a_power_cut_costs_the_last_move_at_most(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    """The last transaction may be one that the cut interrupted; all others were confirmed."""
    caplog.set_level(logging.CRITICAL)
    database, log = cut_off(tmp_path)
    found: Counter[str] = Counter()
    bits = tried(len(log), options)
    for number, bit in enumerate(bits):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "t.db").write_bytes(database)
        (folder / "t.db-wal").write_bytes(flipped(log, bit))
        store = Store(folder / "t.db")
        told = bool(store.news())
        seen = games(store)
        store.close()
        if seen == [(MOVES[:-1], MOVES[-1:])]:
            found["the same"] += 1
        elif told:
            found["told"] += 1
            assert all(tokens == MOVES[: len(tokens)] for tokens, _ in seen), bit
        else:
            assert seen == [(MOVES, ())], f"bit {bit}: {seen}"
            found["as before the last step"] += 1
        shutil.rmtree(folder)
    print(f"log: {len(bits)} bits of {len(log)} bytes, {dict(found)}")  # noqa: T201


def test_a_row_that_looks_like_another_tables_brings_no_game_that_nobody_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One bit in a page's first move makes its second value an empty text, as a game's is."""
    caplog.set_level(logging.CRITICAL)
    database, log = cut_off(tmp_path)
    tried = 0
    for page in range(32 + 24, len(log), 24 + PAGE_BYTES):
        row = page + int.from_bytes(log[page + 8 : page + 10], "big")
        kinds = row + 1 + 4 + 1  # behind the row's length, its id and the size of what follows
        if log[page] != 13 or log[kinds : kinds + 2] != b"\0\x09":
            continue
        folder = tmp_path / str(page)
        folder.mkdir()
        (folder / "t.db").write_bytes(database)
        (folder / "t.db-wal").write_bytes(flipped(log, (kinds + 1) * 8 + 2))
        store = Store(folder / "t.db")
        assert [tokens == MOVES[: len(tokens)] for tokens, _ in games(store)] == [True]
        store.close()
        tried += 1
    assert tried > 10
