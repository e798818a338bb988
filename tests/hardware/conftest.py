"""The rig that the tests of its parts share."""

import pytest

from tests.hardware.rig_bench import Bench


@pytest.fixture
def bench() -> Bench:
    """Return a rig as it comes, on simulated devices."""
    return Bench()
