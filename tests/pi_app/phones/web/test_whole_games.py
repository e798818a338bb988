"""Whole games from "My hand" alone, by touches, in Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.pi_app.phones.web.process import serving
from tests.players.touch import NAMES, Finger, Match

DEVICES = ((390, 844), (320, 568))


@pytest.fixture(name="match")
def _match(request: pytest.FixtureRequest, place: Path) -> Iterator[Match]:
    match = Match(place, request.param, seed=1)
    try:
        yield match
    finally:
        match.table.end()


@pytest.mark.nightly
@pytest.mark.parametrize("match", ["just4fun", "numeri", "einmaleins"], indirect=True)
@pytest.mark.timeout(3600)  # each wait in a game ends after a minute without news
def test_a_whole_game_is_played_by_touches_on_two_phones(match: Match, browser: Browser) -> None:
    with serving(match.table.path) as (_, url), ExitStack() as stack:
        match.play(
            [
                stack.enter_context(closing(Finger(browser, url, size, match.token(name))))
                for name, size in zip(NAMES, DEVICES, strict=False)
            ]
        )
    assert match.played == len(match.table.tokens()) > 5
