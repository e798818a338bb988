"""What a game lacks is said in one sentence for each missing part; nothing else fails for it."""

import pytest

from beisitzer.testing.parts import missing_parts
from beisitzer.testing.texts import fail_for


@pytest.fixture
def every_part() -> None:
    """Let a test be run while parts are missing."""


@pytest.mark.usefixtures("every_part")
def test_every_part_of_the_game_is_there(game: str, shipped: str) -> None:
    fail_for(missing_parts(game, shipped))
