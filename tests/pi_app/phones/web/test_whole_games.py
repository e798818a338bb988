"""Whole games from "My hand" alone, by touches: nightly.

Seventeen games in Chromium: in each, two phones and a tablet play at three levels of help, and from
game to game the levels move on by one device. So every game meets every level, every device, and
every level on every device; German and English take turns.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pi_app.settings.schema import HelpLevel
from tests.pi_app.phones.web.children import NAMES, Level, Match, play_whole, seated
from tests.pi_app.phones.web.fingers import ChromiumFinger, Finger
from tests.pi_app.phones.web.firefox import FirefoxFinger, opened_firefox

DEVICES = ((390, 844), (320, 568), (800, 1280))
PLAIN = tuple(Level(level) for level in HelpLevel)
LEVELS: dict[str, tuple[Level, ...]] = {
    "just4fun": PLAIN,
    "numeri": PLAIN,
    "sequence": PLAIN,
    "einmaleins": (*PLAIN, Level(HelpLevel.NONE, says=True)),
}
GAMES = [(game, first) for game, levels in LEVELS.items() for first in range(len(levels))]
IN_FIREFOX = list(zip(LEVELS, range(len(LEVELS)), strict=True))


@pytest.fixture(name="match")
def _match(request: pytest.FixtureRequest, place: Path) -> Iterator[Match]:
    game, first = request.param
    levels = LEVELS[game]
    mine = [levels[(first + device) % len(levels)] for device in range(len(DEVICES))]
    match = Match(place, game, mine, ("en", "de")[first % 2], seed=10 * len(game) + first)
    try:
        yield match
    finally:
        match.table.end()


@pytest.fixture(name="url")
def _url(match: Match) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.pi_app.phones.web.process", str(match.table.path)]
    with subprocess.Popen([*command, "unlimited"], stdout=subprocess.PIPE) as serving:
        assert serving.stdout is not None
        port = int(serving.stdout.readline())
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            serving.terminate()


@pytest.mark.nightly
@pytest.mark.parametrize("match", GAMES, indirect=True, ids=lambda each: "-".join(map(str, each)))
@pytest.mark.timeout(7200)  # each wait in a game ends after a minute without news
def test_children_play_a_whole_game_with_touches_alone(
    match: Match, url: str, browser: Browser
) -> None:
    def opened(seat: int, token: str) -> Finger:
        return ChromiumFinger(browser, url, DEVICES[seat], NAMES[seat], token)

    play(match, opened)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "match", IN_FIREFOX, indirect=True, ids=lambda each: "-".join(map(str, each))
)
@pytest.mark.timeout(7200)
def test_children_play_one_of_each_game_in_a_second_engine(match: Match, url: str) -> None:
    with opened_firefox() as session:

        def opened(seat: int, token: str) -> Finger:
            return FirefoxFinger(session, url, DEVICES[seat], NAMES[seat], token)

        play(match, opened)


def play(match: Match, opened: Callable[[int, str], Finger]) -> None:
    """Play a game to its end and write down what it took."""
    began = time.monotonic()
    with seated(match, opened) as children:
        play_whole(match, children)
    assert match.played == len(match.table.tokens())
    sys.stdout.write(f"{match.told()}, {time.monotonic() - began:.0f} s\n")


def test_every_pair_of_game_and_help_and_of_game_and_device_is_among_them() -> None:
    met = {
        (game, levels[(first + device) % len(levels)], DEVICES[device])
        for game, levels in LEVELS.items()
        for first in range(len(levels))
        for device in range(len(DEVICES))
    }
    assert met == {
        (g, level, d) for g, levels in LEVELS.items() for level in levels for d in DEVICES
    }
    assert len(GAMES) >= 16
