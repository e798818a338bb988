"""A club with a hub of its own, for tests from outside."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club import postgres
from tests.club.parts import Club


def _running(folder: Path, *words: str) -> Iterator[Club]:
    club = Club(folder / "club", *words)
    try:
        yield club.start()
    finally:
        club.end()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Yield a running hub with SQLite."""
    yield from _running(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """Yield a running hub on each kind of database."""
    if request.param == "sqlite":
        yield from _running(tmp_path)
        return
    if missing := postgres.missing():
        pytest.skip(missing)
    with postgres.postgres() as server:
        for club in _running(tmp_path, "--database", server.url):
            club.server = server
            yield club


@pytest.fixture(scope="module")
def shared_club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Yield a running hub that all tests of a module use."""
    yield from _running(tmp_path_factory.mktemp("shared"))
