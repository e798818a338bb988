"""Adds the suite's option, setting and marker to every run of pytest.

It is loaded wherever Beisitzer is installed, so it imports only pytest and the standard library.
"""

from importlib.util import find_spec

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Name missing requirements before the suite fails to import them."""
    lacking = [name for name in ("babel", "hypothesis") if find_spec(name) is None]
    if lacking and any(word.startswith("beisitzer.testing") for word in args):
        how = "pip install 'beisitzer[testing]'"
        raise pytest.UsageError(f"beisitzer.testing needs {' and '.join(lacking)}: {how}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare `--game`, and where the samples of the shipped games are."""
    parser.getgroup("beisitzer", "Beisitzer").addoption(
        "--game",
        action="append",
        default=[],
        metavar="NAME",
        help="a game that beisitzer.testing tries; may be repeated (every one that is installed)",
    )
    parser.addini(
        "beisitzer_samples",
        "the package with the samples of the shipped games: with it, they are tried too",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker for tests that apply to some games only."""
    words = "game_with(part): a test for games with an AI, bot seat, board, score or slots"
    config.addinivalue_line("markers", words)
