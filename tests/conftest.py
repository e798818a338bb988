"""What every test may rely on: compiled catalogues, no settings of the machine's owner."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from engines import games
from pi_app.screens.empty_chair import thoughts
from pi_app.texts.catalogues import compile_catalogues
from tests.options import Options, add_options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("beisitzer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("beisitzer")

MEMORY_FLOOR_BYTES = 2 * 1024**3
"""Bytes: some tests make images of cards."""

compile_catalogues()
os.environ["BEISITZER_BOARDS"] = str(Path(__file__).parent / "no-boards")
os.environ["BEISITZER_CONFIG"] = str(Path(__file__).parent / "settings.toml")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
# how well the companion plays is measured elsewhere (bench.strength): here it decides fast
thoughts.EFFORT_S = 0.01


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of these tests."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Let tests of the day keep their files in memory: each move is synced, and no plug is pulled.

    The store's tests take a third of the time that they need on a disk with other work.
    """
    memory = Path("/dev/shm")  # noqa: S108
    if not by_day(config) or not memory.exists():
        return
    found = os.statvfs(memory)
    if found.f_bavail * found.f_frsize > MEMORY_FLOOR_BYTES and not found.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)


def by_day(config: pytest.Config) -> bool:
    """Tell whether chaos, emulators and other tests of the night are left out."""
    return bool(config.option.markexpr == "not nightly")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the emulators' tests alone by day: each process took a second to read them."""
    return True if by_day(config) and collection_path == Path(__file__).parent / "machine" else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes for `-n auto`: two a core, as many tests wait.

    On two quiet cores four take 367 s, three 386 s and half a minute of processor time less.
    """
    return 2 * len(os.sched_getaffinity(0))


@pytest.fixture(name="options", scope="session")
def _options(pytestconfig: pytest.Config) -> Options:
    """Return what this run was asked for: sizes, seed, golden files."""
    return Options.of(pytestconfig)


@pytest.fixture(name="browser", scope="session")
def _browser() -> Iterator["Browser"]:
    """Open a browser for all pages; playwright allows one at a time in a process."""
    from tests.pi_app.phones.web.browsers import opened_browser

    with opened_browser() as browser:
        yield browser


@pytest.fixture
def open_databases(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function that counts the databases that were opened since and are still open."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_and_note(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **kwargs))
        return opened[-1]

    def is_open(connection: sqlite3.Connection) -> bool:
        with suppress(sqlite3.ProgrammingError):
            return connection.total_changes >= 0  # fails for a closed one
        return False

    monkeypatch.setattr("sqlite3.connect", connect_and_note)
    return lambda: sum(map(is_open, opened))


@pytest.fixture(name="locale", scope="session")
def _locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the catalogues of a companion that has one language more."""
    from tests.third_language import write_catalogues

    locale = tmp_path_factory.mktemp("third") / "locale"
    write_catalogues(locale)
    return locale


@pytest.fixture(scope="module")
def third_language(locale: Path) -> Iterator[str]:
    """Let a module's tests speak a third language too; the value is its two letters.

    To load the catalogues again for each test took a fifth of the tests' time.
    """
    from tests.third_language import spoken

    with spoken(locale) as letters:
        yield letters


@pytest.fixture
def only_shipped_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the test see the games of this project alone, whatever else is installed."""
    monkeypatch.setattr(games, "entries", lambda _: iter(()))
    games.plugins.cache_clear()
    yield
    games.plugins.cache_clear()
