"""A table with a game, and one on which nothing is played."""

from collections.abc import Iterator

import pytest

from tests.pi_app.link.tables import OVER_SOON, table
from tests.pi_app.phones.client import Table


@pytest.fixture(name="game")
def _game() -> Iterator[Table]:
    with table(OVER_SOON) as opened:
        yield opened


@pytest.fixture(name="idle")
def _idle() -> Iterator[Table]:
    with table(new_game=True) as opened:
        yield opened
