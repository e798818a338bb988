"""Each missing part of a game is reported in one sentence, and fails no other test."""

import pytest

from beisitzer.testing.parts import missing_parts
from beisitzer.testing.texts import fail_for


@pytest.fixture
def every_part() -> None:
    """Run a test even if parts are missing."""


@pytest.mark.usefixtures("every_part")
def test_every_part_of_the_game_is_there(game: str, shipped: str) -> None:
    fail_for(missing_parts(game, shipped))
