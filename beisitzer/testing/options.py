"""Adds the suite's option and setting to every run of pytest.

It is loaded wherever Beisitzer is installed, so it imports only pytest and the standard library.
"""

import pytest


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
