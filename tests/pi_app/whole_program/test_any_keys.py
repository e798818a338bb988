"""Whatever is keyed while a game is set up, nothing fails."""

from hypothesis import given

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.test_keys import PRESSES, Press, press_all


@given(PRESSES)
def test_no_keys_and_taps_make_the_set_up_fail(presses: list[Press]) -> None:
    press_all(Pilot(), presses)
