"""A server and its companion for each test that wants them."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.pi_app.phones.web.canned import ANSWERS
from tests.pi_app.phones.web.site import Site
from tests.pi_app.phones.web.stage import Stage


@pytest.fixture(name="place")
def _place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        yield Path(folder)


@pytest.fixture(name="site")
def _site(place: Path) -> Iterator[Site]:
    site = Site(place)
    site.start()
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture(name="stage")
def _stage(place: Path, browser: Browser) -> Iterator[Stage]:
    stage = Stage(place, browser)
    stage.start()
    try:
        yield stage
    finally:
        stage.stop()


@pytest.fixture(name="canned")
def _canned(stage: Stage) -> None:
    """Let the companion show a game of Just 4 Fun, and answer every request."""
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
