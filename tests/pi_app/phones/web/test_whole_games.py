"""Whole games from "Play" alone, by touches, in Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.pi_app.phones.web.browsers import TELEVISION, Device
from tests.pi_app.phones.web.process import serving
from tests.players.touch import NAMES, Finger, Match

SMALL, LARGE = ((390, 844), (320, 568)), ((768, 1024), (1024, 768))


@pytest.fixture(name="match")
def _match(request: pytest.FixtureRequest, place: Path) -> Iterator[Match]:
    game, language = request.param
    match = Match(place, game, seed=1, language=language)
    try:
        yield match
    finally:
        match.table.end()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("match", "sizes"),
    [
        ((game, language), sizes)
        for game in ("just4fun", "numeri", "einmaleins", "sequence")
        for language, sizes in (("en", SMALL), ("de", LARGE))
    ],
    indirect=["match"],
)
@pytest.mark.timeout(7200)  # each wait in a game ends after a minute without news
def test_a_whole_game_is_played_by_touches_whatever_happens_beside_it(
    match: Match, sizes: tuple[tuple[int, int], ...], browser: Browser
) -> None:
    """Most moves are taken back; pages go and come back; somebody opens menus all the time."""
    with serving(match.table.path) as (_, url), ExitStack() as stack:
        fingers = [
            stack.enter_context(closing(Finger(browser, url, size, match.token(name))))
            for name, size in zip(NAMES, sizes, strict=False)
        ]
        television = stack.enter_context(closing(Device(browser, url, TELEVISION)))
        television.open()
        with match.meddled():
            match.play(fingers)
        match.table.press("BACK")
        expect(television.page.locator(".verdict.win, .seat.winner").first).to_be_visible()
    assert match.played == len(match.table.tokens()) > 5
