"""A turn screen answers `C` and taps as people expect."""

from pathlib import Path

from beisitzer.testing.samples import Samples
from beisitzer.testing.texts import fail_for
from beisitzer.testing.turns import find_bad_taps, find_undeleted


def test_back_deletes_all_that_is_keyed(game: str, samples: Samples) -> None:
    fail_for(find_undeleted(game, samples))


def test_a_tap_on_any_cell_is_answered(game: str, samples: Samples, package: Path) -> None:
    fail_for(find_bad_taps(game, samples, package))
