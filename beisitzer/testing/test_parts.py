"""A missing part of a game is reported in one sentence, and fails no other test."""

import pytest

from beisitzer.testing.parts import MissingPartError, find_parts


def test_every_part_of_the_game_is_there(game: str, pytestconfig: pytest.Config) -> None:
    try:
        find_parts(game, pytestconfig.getini("beisitzer_samples"))
    except MissingPartError as error:
        pytest.fail(str(error), pytrace=False)
