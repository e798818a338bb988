"""A game that was just written by `beisitzer new-game`, as if it was installed."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from engines import games
from tests.pi_app.commands.called import run

NUMBERS = count()


def install(folder: Path, name: str) -> None:
    """Let a folder on Python's path have the entry of a game, as pip would."""
    entry = folder / f"{name}-0.1.0.dist-info" / "entry_points.txt"
    entry.parent.mkdir()
    entry.write_text(f"[beisitzer.games]\n{name} = {name}:PLUGIN\n")


@pytest.fixture
def new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the package of a game of a name that no test before had."""
    name = f"halma{next(NUMBERS)}"
    monkeypatch.chdir(tmp_path)
    assert run("new-game", name).exit_code == 0
    install(tmp_path / name, name)
    monkeypatch.syspath_prepend(tmp_path / name)
    games.plugins.cache_clear()
    yield tmp_path / name / name
    games.plugins.cache_clear()
