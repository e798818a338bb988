"""Chooses the games to test; a test gets them one by one as `candidate`, with all their parts."""

import os
from typing import cast

import pytest
from hypothesis import settings

from beisitzer.testing.parts import Candidate, MissingPartError, find_parts
from engines.games import SHIPPED, plugins
from pi_app.texts.catalogues import compile_catalogues
from pi_app.texts.language import other_locales

settings.register_profile("beisitzer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("beisitzer")


def games_of(config: pytest.Config) -> list[str]:
    """Return the games that this run tests."""
    names = cast("list[str]", config.getoption("--game"))
    shipped = config.getini("beisitzer_samples")
    # the shipped games need their samples, which only a source checkout has
    return names or [name for name in plugins() if shipped or name not in SHIPPED]


def pytest_collection_modifyitems(config: pytest.Config) -> None:
    """End the run if there is no game to test."""
    if not games_of(config):
        raise pytest.UsageError("no game but those shipped is installed: name one with --game")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for every game."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games_of(metafunc.config), scope="session")


@pytest.fixture(scope="session")
def candidate(game: str, pytestconfig: pytest.Config) -> Candidate:
    """Return a game with all its parts; skip the test if one is missing."""
    try:
        return find_parts(game, pytestconfig.getini("beisitzer_samples"))
    except MissingPartError:
        pytest.skip("a part of the game is missing: test_parts says which")


@pytest.fixture(autouse=True)
def _hide_owners_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for owned in ("BEISITZER_CONFIG", "BEISITZER_BOARDS"):
        monkeypatch.setenv(owned, os.devnull)


# compile the catalogues now: they are read once, at the first German text
for _folder in other_locales():
    compile_catalogues(_folder)
