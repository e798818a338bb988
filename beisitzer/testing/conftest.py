"""Chooses the games to test, and provides the fixtures of their tests."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from beisitzer.testing.fixtures import open_databases
from beisitzer.testing.parts import folder_of, missing_parts
from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples, samples_of
from engines.games import GAMES, SHIPPED, plugins
from pi_app.screens.playing.games import bot_seat_of
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.catalogues import compile_catalogues
from pi_app.texts.language import other_locales

__all__ = ["open_databases"]

WITH: dict[str, tuple[str, Callable[[str], object]]] = {
    "ai": ("an AI", lambda game: plugins()[game].ai),
    "bot_seat": ("a seat for the companion", bot_seat_of),
    "board": ("boards of its own", lambda game: GAMES[game].board),
    "score": ("a score", lambda game: GAMES[game].score),
    "slots": ('places for "Check table"', lambda game: PRESENTATIONS[game].lists_places()),
}
"""The parts a test may require of a game, by the word in its marker: their names, who has them."""


def games_of(config: pytest.Config) -> list[str]:
    """Return the games that this run tests."""
    names = cast("list[str]", config.getoption("--game"))
    shipped = config.getini("beisitzer_samples")
    # without their samples, which only the source has, the shipped games cannot be tested
    return names or [name for name in plugins() if shipped or name not in SHIPPED]


def pytest_collection_modifyitems(config: pytest.Config) -> None:
    """End the run if there is no game to test."""
    if not games_of(config):
        raise pytest.UsageError("no game but those shipped is installed: name one with --game")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for the games that have the part it requires, and for incomplete games."""
    if "game" not in metafunc.fixturenames:
        return
    games = games_of(metafunc.config)
    shipped = metafunc.config.getini("beisitzer_samples")
    for marker in metafunc.definition.iter_markers("game_with"):
        part, has = WITH[marker.args[0]]
        # `has` would fail for an incomplete game, which `_skip_incomplete_game` skips later
        games = [game for game in games if missing_parts(game, shipped) or has(game)]
        if not games:  # one skipped test, so that the reason is shown
            none = pytest.mark.skip(reason=f"no tested game has {part}: that is fine")
            metafunc.parametrize("game", [pytest.param("none", marks=none)], scope="session")
            return
    metafunc.parametrize("game", games, scope="session")


@pytest.fixture(scope="session", autouse=True)
def _hide_owners_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("owner")
    (folder / "settings.toml").write_text("# the defaults\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "BEISITZER_CONFIG", str(folder / "settings.toml"))
        patch.setitem(os.environ, "BEISITZER_BOARDS", str(folder / "boards"))
        yield


@pytest.fixture(scope="session")
def shipped(pytestconfig: pytest.Config) -> str:
    """Return the package with the samples of the shipped games; "" if they are not tested."""
    return str(pytestconfig.getini("beisitzer_samples"))


@pytest.fixture(autouse=True)
def _skip_incomplete_game(request: pytest.FixtureRequest) -> None:
    """Skip a game that lacks a part, except in `test_parts`: one cause, one failure."""
    if "game" in request.fixturenames and "every_part" not in request.fixturenames:
        shipped = request.config.getini("beisitzer_samples")
        if missing_parts(request.getfixturevalue("game"), shipped):
            pytest.skip("a part of the game is missing: test_parts says which")


@pytest.fixture
def samples(game: str, shipped: str) -> Samples:
    """Return the game's samples."""
    return samples_of(game, shipped)


@pytest.fixture
def package(game: str) -> Path:
    """Return the folder of the game's texts."""
    return folder_of(plugins()[game])


@pytest.fixture
def presentation(game: str) -> AnyPresentation:
    """Return the game's presentation."""
    return PRESENTATIONS[game]


@pytest.fixture
def pilot(game: str, samples: Samples) -> Pilot:
    """Return a pilot with the game just begun."""
    return Pilot(samples.record_tags(game))


@pytest.fixture
def pilot_after_two_moves(pilot: Pilot, samples: Samples) -> Pilot:
    """Return the pilot after the moves of the samples."""
    for keys in samples.keys:
        pilot.key(keys)
    assert pilot.tokens() == samples.tokens
    return pilot


# compile the catalogues now: they are read once, at the first German text
for _folder in other_locales():
    compile_catalogues(_folder)
