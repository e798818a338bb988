"""The pages of a club, and a browser, for each test that wants them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club.web.site import ClubSite


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[ClubSite]:
    with ClubSite(tmp_path) as site:
        yield site
