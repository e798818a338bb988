"""A table with a game, one on which nothing is played, and a club's hub."""

from collections.abc import Iterator

import pytest

from tests.pi_app.link.tables import OVER_SOON, table
from tests.pi_app.phones.client import Table
from tests.stand_ins.hub import FakeHub


@pytest.fixture(name="game")
def _game() -> Iterator[Table]:
    with table(OVER_SOON) as opened:
        yield opened


@pytest.fixture(name="idle")
def _idle() -> Iterator[Table]:
    with table(new_game=True) as opened:
        yield opened


@pytest.fixture(name="hub")
def _hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeHub]:
    with FakeHub(tmp_path_factory.mktemp("hub")) as hub:
        yield hub
