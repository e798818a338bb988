"""A club with a hub of its own, for tests from outside."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from club.hub.broker import program
from tests.club.parts import Club, SimTable


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Yield a running hub with its own broker; it and the tables end with the test."""
    if program() is None:
        pytest.skip("Mosquitto is not installed")
    made = Club(tmp_path / "club")
    tables: list[SimTable] = []
    add_table = made.add_table

    def added(store: str = "") -> SimTable:
        tables.append(add_table(store))
        return tables[-1]

    made.add_table = added  # type: ignore[method-assign]
    made.start()
    yield made
    for table in tables:
        table.close()
    made.stop()
    shutil.rmtree(made.state, ignore_errors=True)
