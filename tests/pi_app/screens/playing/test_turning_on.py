"""A key that turns on to the next sentence comes round; in Sequence it opens the hand."""

import pytest

from hardware.keys import Key
from tests.pi_app.pilot import Pilot
from tests.samples import samples_of


@pytest.mark.parametrize("game", ["just4fun", "numeri"])
def test_turning_on_shows_each_sentence_once_and_comes_back(game: str) -> None:
    samples = samples_of(game)
    pilot = Pilot({"Game": game, "Players": samples.players, **samples.tags})
    body = pilot.key(samples.keys[0]).body
    tops = [pilot.key([Key.DOWN]).body.top for _ in body.lines]
    assert tops == [*range(1, len(body.lines)), 0]


def test_the_hand_opens_in_sequence_also_after_turning_on() -> None:
    pilot = Pilot.game("sequence", "Anna blue, Ben green")
    offered = pilot.key([Key.DOWN]).keys.soft
    assert any(key.key is Key.UP and key.label == "other" for key in offered)
    assert pilot.key([Key.UP]).body.choices is not None
