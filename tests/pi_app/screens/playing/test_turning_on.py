"""In Sequence a key that turns on elsewhere opens the hand."""

from hardware.keys import Key
from tests.pi_app.pilot import Pilot


def test_the_hand_opens_in_sequence_also_after_turning_on() -> None:
    pilot = Pilot.game("sequence", "Anna blue, Ben green")
    offered = pilot.key([Key.DOWN]).keys.soft
    assert any(key.key is Key.UP and key.label == "other" for key in offered)
    assert pilot.key([Key.UP]).body.choices is not None
