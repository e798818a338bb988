"""The pages of a club, and a browser, for each test that wants them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.club.web.site import ClubSite
from tests.pi_app.phones.web.browsers import SHELL, opened_browser


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[ClubSite]:
    with ClubSite(tmp_path) as site:
        yield site


@pytest.fixture(name="browser", scope="session")
def _browser() -> Iterator[Browser]:
    with opened_browser(SHELL) as browser:
        yield browser
