"""Whether a machine's clock can be believed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pi_app.system.host import FIRST_YEAR, clock_is_sure


@pytest.mark.parametrize(
    ("year", "there", "sure"),
    [
        (FIRST_YEAR, (), True),  # nobody asks the network: somebody keeps the clock
        (FIRST_YEAR, ("run/systemd/timesync/other",), False),
        (FIRST_YEAR, ("run/systemd/timesync/synchronized",), True),
        (FIRST_YEAR, ("run/systemd/timesync/other", "sys/class/rtc/rtc0"), True),
        (FIRST_YEAR, ("run/systemd/timesync/other", "sys/class/rtc/other"), False),
        (FIRST_YEAR - 1, ("run/systemd/timesync/synchronized", "sys/class/rtc/rtc0"), False),
    ],
)
def test_a_clock_is_sure_if_the_network_has_set_it_or_a_chip_has_kept_it(
    tmp_path: Path, year: int, there: tuple[str, ...], *, sure: bool
) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert clock_is_sure(datetime(year, 6, 1, tzinfo=UTC), tmp_path) is sure
