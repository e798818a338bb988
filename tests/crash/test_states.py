"""States of a power cut, rebuilt from system calls: while playing, and amid a rescue."""

import logging
import random
import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.store.store import Store
from pi_app.table.players import BotSeats
from tests.crash.states import Call, after, traced
from tests.options import Options
from tests.pi_app.store.faults import TAGS, games

pytestmark = pytest.mark.nightly

STATES = 150
"""How many states of each power cut are tried, usually."""
MOVES = tuple(str(n) for n in range(2, 40))
needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")

PLAY = """
import os, sys
from pi_app.store.store import Store
from tests.crash.test_states import MOVES
from tests.pi_app.store.faults import TAGS
store = Store(sys.argv[1])
game = store.begin(TAGS)
os.write(1, b"0")
for n, token in enumerate(MOVES):
    store.append(game, n, token, None)
    os.write(1, b"%d" % (n + 1))
store.close()
"""
SIT_DOWN = """
import sys
from pathlib import Path
from pi_app.screens.playing.rematch import play_again
from tests.pi_app.pilot import Pilot
pilot = Pilot(store=Path(sys.argv[1]))
pilot.choose("numeri")
pilot.key("4 6 3 <")
pilot.choose("Start")
pilot.ctx.store.remember("rematch", "next")
play_again(pilot.ctx, pilot.program.screen.table)
pilot.ctx.store.close()
"""
LOAD = """
import os, sys
from pathlib import Path
from pi_app.store.store import Store
store = Store(sys.argv[1])
store.replace_all(Path(sys.argv[2]))
os.write(1, b"1")
store.close()
"""
RESCUE = """
import sys
from pi_app.store.store import Store
Store(sys.argv[1]).close()
"""


def played(folder: Path, *, log: bool) -> dict[str, bytes]:
    """Return the files of a damaged store: closed, or as a power cut leaves it."""
    store = Store(folder / "t.db")
    game = store.begin(TAGS)
    for n, token in enumerate(MOVES):
        store.append(game, n, token, None)
    files = {name: (folder / name).read_bytes() for name in ("t.db", "t.db-wal")}
    store.close()
    if not log:
        files = {"t.db": (folder / "t.db").read_bytes()}
    for file in folder.iterdir():
        file.unlink()
    return files


def spoilt(files: dict[str, bytes], which: str) -> dict[str, bytes]:
    """Return the files with one of them damaged."""
    content = bytearray(files[which])
    at = 0 if which == "t.db" else 32 + 1048 * 20
    content[at : at + 24] = b"\xff" * 24
    return files | {which: bytes(content)}


DAMAGE = [("t.db", False), ("t.db", True), ("t.db-wal", True)]


def check_state(folder: Path, *, told: bool, least: int = len(MOVES)) -> str:
    """Start on a state; hold it to the promise; return what was found."""
    store = Store(folder / "t.db")
    news = [one for one in store.news() if one.recovered is not None]
    found = games(store)
    store.close()
    assert store.trouble is None
    tokens = found[0][0] if found else ()
    assert tokens == MOVES[: len(tokens)]
    assert len(tokens) >= least, (found, sorted(file.name for file in folder.iterdir()))
    assert news or not told, "nobody was told"
    return "told" if news else "untold"


@needs_strace
@pytest.mark.parametrize(("which", "log"), DAMAGE)
def test_a_rescue_that_the_power_cut_interrupts_loses_nothing(
    tmp_path: Path, which: str, log: bool, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    caplog.set_level(logging.CRITICAL)
    folder = tmp_path / "live"
    folder.mkdir()
    before = spoilt(played(folder, log=log), which)
    for name, content in before.items():
        (folder / name).write_bytes(content)
    calls = traced(RESCUE, folder, str(folder / "t.db"))
    least = rescued(tmp_path / "whole", before)
    assert sum(call.kind == "rename" for call in calls) >= 2, "nothing was rescued"
    chance = random.Random(5)
    found: Counter[str] = Counter()
    states = STATES * options.times
    for number in range(states):
        point = chance.randint(0, len(calls))
        state = after(before, calls[:point], chance if number % 3 else None)
        place = tmp_path / "state"
        place.mkdir()
        state.put(place)
        try:
            found[check_state(place, told=True, least=least)] += 1
        except BaseException as error:
            error.add_note(f"state {number}, cut at call {point}: {calls[point - 5 : point]}")
            raise
        shutil.rmtree(place)
    print(f"{which}, log {log}: {states} states of {len(calls)} calls: {dict(found)}")  # noqa: T201


def rescued(folder: Path, before: dict[str, bytes]) -> int:
    """Return how many moves a rescue brings back that nobody interrupts."""
    folder.mkdir()
    for name, content in before.items():
        (folder / name).write_bytes(content)
    store = Store(folder / "t.db")
    count = len(games(store)[0][0])
    store.close()
    return count


@needs_strace
def test_a_power_cut_while_playing_loses_no_confirmed_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    caplog.set_level(logging.CRITICAL)
    folder = tmp_path / "live"
    folder.mkdir()
    calls = traced(PLAY, folder, str(folder / "t.db"))
    assert sum(call.kind == "said" for call in calls) == len(MOVES) + 1
    chance = random.Random(6)
    found: Counter[str] = Counter()
    states = STATES * options.times
    for number in range(states):
        point = chance.randint(0, len(calls))
        state = after({}, calls[:point], chance if number % 3 else None)
        place = tmp_path / "state"
        place.mkdir()
        state.put(place)
        try:
            found[check_state(place, told=False, least=confirmed(calls[:point]))] += 1
        except BaseException as error:
            error.add_note(f"state {number}, cut at call {point}: {calls[point - 5 : point]}")
            raise
        shutil.rmtree(place)
    print(f"playing: {states} states of {len(calls)} calls: {dict(found)}")  # noqa: T201
    assert set(found) == {"untold"}, "a power cut is no damage"


@needs_strace
def test_a_power_cut_while_loading_leaves_all_games_from_before_or_all_loaded_ones(
    tmp_path: Path, options: Options
) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    before = played(folder, log=False)
    with closing(Store(folder / "t.db")) as store:
        store.append(store.begin(TAGS), 0, "40", None)
        loaded = games(store)
    before["new.db"] = (folder / "t.db").read_bytes()
    for name, content in before.items():
        (folder / name).write_bytes(content)
    with closing(Store(folder / "t.db")) as store:
        kept = games(store)
    calls = traced(LOAD, folder, str(folder / "t.db"), str(folder / "new.db"))
    chance = random.Random(7)
    found: Counter[str] = Counter()
    for number in range(STATES * options.times):
        point = chance.randint(0, len(calls))
        place = tmp_path / "state"
        place.mkdir()
        after(before, calls[:point], chance if number % 3 else None).put(place)
        with closing(Store(place / "t.db")) as store:
            assert not store.news(), point
            stored = games(store)
        shutil.rmtree(place)
        assert stored == loaded or (stored == kept and not confirmed(calls[:point])), point
        found["loaded" if stored == loaded else "kept"] += 1
    assert set(found) == {"kept", "loaded"}, found


def confirmed(calls: list[Call]) -> int:
    """Return how many moves the process had said to be stored."""
    return max((int(call.data) for call in calls if call.kind == "said"), default=0)


@needs_strace
def test_no_power_cut_leaves_a_game_without_the_seat_it_was_set_up_with(tmp_path: Path) -> None:
    """At every call of the set-up and of the next game at the same table, killed or cut off."""
    folder = tmp_path / "live"
    folder.mkdir()
    calls = traced(SIT_DOWN, folder, str(folder / "t.db"))
    found: Counter[int] = Counter()
    for point in range(len(calls) + 1):
        for number, chance in enumerate((None, random.Random(point))):
            place = tmp_path / f"{point}-{number}"
            place.mkdir()
            after({}, calls[:point], chance).put(place)
            store = Store(place / "t.db")
            begun = store.latest_game() or 0
            for game in range(1, begun + 1):
                assert list(BotSeats(store, game).strengths().values()) == ["club"], (point, game)
            store.close()
            found[begun] += 1
    assert set(found) == {0, 1, 2}, "no cut came before, between and after"
