"""Finds the parts of a game, or says in a sentence which part is missing and how to write it.

The sentences are for authors of games, so they are in English only.
"""

import pkgutil
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NoReturn

from beisitzer.testing.samples import Samples
from engines.game import Game
from engines.games import GROUP, SHIPPED, Plugin, entries
from engines.record import Record, begin_game, parse
from pi_app.screens.playing.games import GameScreens
from pi_app.table.presentation import AnyPresentation, Presentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.language import Texts

PARTS: dict[Literal["engine", "presentation", "screens"], type] = {
    "engine": Game,
    "presentation": Presentation,
    "screens": GameScreens,
}


class MissingPartError(Exception):
    """A game lacks a part that all other tests need."""


def _miss(sentence: str) -> NoReturn:
    raise MissingPartError(f"{sentence}; see: python -m pydoc beisitzer.plugin")


@dataclass(frozen=True, eq=False)
class Candidate:
    """A game to test, all its parts there."""

    name: str
    plugin: Plugin
    presentation: AnyPresentation
    samples: Samples

    @property
    def folder(self) -> Path:
        """The folder of the game's presentation and its texts."""
        where = self.plugin.presentation.partition(":")[0]
        return Path(import_module(where).__file__ or "").parent

    @property
    def tags(self) -> dict[str, str]:
        """The tags that begin a game of the samples."""
        return {"Game": self.name, "Players": self.samples.players, **self.samples.tags}

    def full_tags(self) -> dict[str, str]:
        """Return the tags that begin a game with the most players."""
        game = self.presentation.game
        seats = self.presentation.seats(Texts("en"), max(game.player_counts), None)
        return SetupDraft(seats, tags=dict(self.samples.tags)).record_tags(game)

    def records(self) -> dict[Path, Record]:
        """Return the golden records of this game; the folder may have other games' too."""
        paths = sorted(self.samples.records.glob("*.txt"))
        records = {path: parse(path.read_text("utf-8")) for path in paths}
        return {path: it for path, it in records.items() if it.tags.get("Game") == self.name}


@cache
def find_parts(game: str, shipped: str = "") -> Candidate:
    """Return a game with its parts; MissingPartError at the first one that is missing.

    `shipped` is the package with the samples of the shipped games.
    """
    plugin = SHIPPED.get(game) or _find_plugin(game)
    for part, kind in PARTS.items():
        if not getattr(plugin, part):
            _miss(f"PLUGIN names no {part}: write where it is")
        _load(getattr(plugin, part), kind)
    turn = plugin.load("screens").turn
    if methods := sorted(getattr(turn, "__abstractmethods__", ())):
        _miss(f"{turn.__name__} has no {' and no '.join(methods)}: write it, as GameTurn says")
    package = plugin.presentation.partition(":")[0].rpartition(".")[0]
    module = f"{shipped}.{game}" if game in SHIPPED else f"{package}.samples"
    samples: Samples = _load(f"{module}:SAMPLES", Samples)
    candidate = Candidate(game, plugin, plugin.load("presentation"), samples)
    if not candidate.records():
        how = "write a game record there, then: beisitzer check --golden FILE"
        _miss(f"there is no record NAME.txt of {game} in {samples.records}: {how}")
    try:
        begin_game(candidate.tags)
    except Exception as error:  # noqa: BLE001  # a game may raise anything
        _miss(f"no game begins with the players and tags of the samples ({error!r})")
    return candidate


def _find_plugin(game: str) -> Plugin:
    value = dict(entries(sys.path)).get(game)
    if value is None:
        entry = f'[project.entry-points."{GROUP}"] {game} = "{game}:PLUGIN"'
        how = f"write {entry} into its pyproject.toml and install it with pip install -e"
        _miss(f"no game called {game} is installed: {how}")
    plugin: Plugin = _load(value, Plugin)
    names = {plugin.name, _load(plugin.engine, Game).name}
    if names != {game}:
        _miss(f"Plugin and Game must be called {game}, not {' and '.join(sorted(names))}")
    return plugin


def _load(where: str, kind: type) -> Any:
    """Import "module:NAME", which must be of this type; MissingPartError if it is not."""
    try:
        value = pkgutil.resolve_name(where)
    except SyntaxError as error:
        _miss(f"{error.filename}:{error.lineno} cannot be compiled: {error.msg}: mend it")
    except Exception as error:  # noqa: BLE001  # a module may raise anything
        _miss(f"{where} cannot be imported ({error!r}): write it, a {kind.__name__}")
    if not isinstance(value, kind):
        _miss(f"{where} is a {type(value).__name__}: it must be a {kind.__name__}")
    return value
