"""The rules agree with themselves: what is listed is legal, what is described reads back."""

from functools import cache

import pytest

from beisitzer.testing.rules import (
    find_illegal,
    find_misplaced,
    find_omitted,
    find_unreadable,
    find_wrong_seats,
)
from beisitzer.testing.samples import Samples, samples_of
from beisitzer.testing.texts import fail_for
from beisitzer.testing.walks import Walks, walk
from pi_app.table.presentation import AnyPresentation


@cache
def _walks(game: str, shipped: str) -> Walks:
    return walk(game, samples_of(game, shipped))


@pytest.fixture
def walks(game: str, shipped: str) -> Walks:
    """Return what random games and the golden records of the game came by; walked once."""
    return _walks(game, shipped)


def test_every_listed_move_is_legal(walks: Walks) -> None:
    fail_for(find_illegal(walks))


def test_every_legal_move_is_listed(walks: Walks, samples: Samples) -> None:
    fail_for(find_omitted(walks, samples))


def test_a_described_position_reads_back(walks: Walks, presentation: AnyPresentation) -> None:
    fail_for(find_unreadable(walks, presentation))


@pytest.mark.game_with("slots")
def test_the_places_of_a_position_give_it_back(walks: Walks, presentation: AnyPresentation) -> None:
    fail_for(find_misplaced(walks, presentation))


def test_the_seat_of_a_game_that_is_over_is_the_last_movers(walks: Walks) -> None:
    fail_for(find_wrong_seats(walks))
