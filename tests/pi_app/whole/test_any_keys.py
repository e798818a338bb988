"""Whatever is keyed while a game is set up, nothing fails."""

import pytest
from hypothesis import given

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.test_keys import KEYS, press_all
from hardware.keys import Key


def test_no_key_sequence_makes_the_set_up_fail(caplog: pytest.LogCaptureFixture) -> None:
    @given(KEYS)
    def check(keys: list[Key]) -> None:
        press_all(Pilot(), keys, caplog)

    check()
