"""Finds the parts that a game still lacks: a sentence for each one says what to write.

The sentences are for authors of games, so they are in English only.
"""

import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples, samples_module, samples_of
from beisitzer.testing.turns import note_errors
from engines.game import Game
from engines.games import GROUP, SHIPPED, Plugin, entries, plugins
from engines.record import begin_game
from pi_app.screens.playing.games import GameScreens
from pi_app.table.presentation import Presentation

PARTS: dict[Literal["engine", "presentation", "screens"], tuple[type, str, str]] = {
    "engine": (Game, "rules:GAME", "a Game, whose begin makes the first Position"),
    "presentation": (
        Presentation,
        "presentation:PRESENTATION",
        "a Presentation: what is said of the game and how it looks",
    ),
    "screens": (GameScreens, "turn:SCREENS", "GameScreens with the TurnScreen that takes keys"),
}
"""The type of each part, where it usually is, and what it is."""


@cache
def missing_parts(game: str, shipped: str = "") -> tuple[str, ...]:
    """Return a sentence for each part that a game lacks; without them nothing else can be tested.

    `shipped` is the package with the samples of the shipped games.
    """
    plugin, why = _find_plugin(game)
    if plugin is None:
        return (why,)
    lacking = [why for part in PARTS for why in _part_faults(plugin, part)]
    if lacking:
        return tuple(lacking)
    lacking = [*_screen_faults(plugin), *_sample_faults(plugin, shipped)]
    return tuple(lacking or _move_faults(plugin, samples_of(game, shipped)))


def folder_of(plugin: Plugin) -> Path:
    """Return the folder of the game's presentation and its texts."""
    return Path(import_module(plugin.presentation.partition(":")[0]).__file__ or "").parent


def _where_to_read(part: str, where: str) -> str:
    return f"; see {part!r} in: python -m pydoc {where}"


def _describe(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno} cannot be compiled: {error.msg}"
    return f"{type(error).__name__}: {error}"


def _find_plugin(game: str) -> tuple[Plugin | None, str]:
    """Return a game's plugin, or why there is none."""
    if game in plugins():
        return plugins()[game], ""
    see = _where_to_read("Plugin", "beisitzer.plugin")
    value = dict(entries(sys.path)).get(game)
    if value is None:
        entry = f'[project.entry-points."{GROUP}"] {game} = "{game}:PLUGIN"'
        how = f"write {entry} into its pyproject.toml and install it with pip install -e"
        return None, f"no game called {game} is installed: {how}{see}"
    try:
        plugin = pkgutil.resolve_name(value)
    except Exception as error:  # noqa: BLE001  # a module may raise anything
        how = "mend it" if isinstance(error, SyntaxError) else "write PLUGIN there"
        return None, f"{value} cannot be imported ({_describe(error)}): {how}{see}"
    if not isinstance(plugin, Plugin):
        names = ", ".join(f'"{game}.{usual}"' for _, usual, _ in PARTS.values())
        return None, f'{value} is no Plugin: write PLUGIN = Plugin("{game}", {names}){see}'
    lacking = [*_part_faults(plugin, "engine")]
    if lacking:
        return None, lacking[0]
    # `plugins()` left out an entry that can be loaded: only its names can be wrong
    names = f"{game!r}, {plugin.name!r} and {plugin.load('engine').name!r}"
    return None, f"the entry, its Plugin and its Game must have one name, not {names}{see}"


def _part_faults(
    plugin: Plugin, part: Literal["engine", "presentation", "screens"]
) -> Iterator[str]:
    """Yield why a part cannot be used."""
    kind, usual, what = PARTS[part]
    see = _where_to_read(part, "beisitzer.plugin")
    where = getattr(plugin, part)
    if not where:
        yield f'PLUGIN names no {part}: write {part}="{plugin.name}.{usual}" into it, {what}{see}'
        return
    try:
        value = plugin.load(part)
    except Exception as error:  # noqa: BLE001  # a module may raise anything
        how = "mend it" if isinstance(error, SyntaxError) else f"write it, {what}"
        yield f"{where} cannot be imported ({_describe(error)}): {how}{see}"
        return
    if not isinstance(value, kind):
        yield f"{where} is a {type(value).__name__}: it must be {what}{see}"


# what the docstring of `keying` does not say: what happens if it returns the wrong answer
KEYING = (
    "return whether something is keyed that holding C clears; "
    "while it returns False, holding C takes back the last move"
)


def _screen_faults(plugin: Plugin) -> Iterator[str]:
    """Yield a sentence for each method that the turn screen lacks."""
    turn: Callable[..., Any] = plugin.load("screens").turn
    for name in sorted(getattr(turn, "__abstractmethods__", ())):
        method = inspect.getattr_static(turn, name)
        what = KEYING if name == "keying" else (inspect.getdoc(method) or "").partition("\n")[0]
        see = "; see: python -m pydoc beisitzer.plugin.screens.TurnScreen"
        yield f"{turn.__name__} has no {name}: write it ({what}){see}"


def _sample_faults(plugin: Plugin, shipped: str) -> Iterator[str]:
    """Yield why there are no samples, or why no game can begin with them."""
    see = "; see: python -m pydoc beisitzer.testing.samples.Samples"
    if plugin.name in SHIPPED and not shipped:
        yield f"the samples of {plugin.name}, a shipped game, are with the source of Beisitzer only"
        return
    module = samples_module(plugin.name, shipped)
    try:
        samples = import_module(module).SAMPLES
    except Exception as error:  # noqa: BLE001  # a module may raise anything
        syntax = isinstance(error, SyntaxError)
        wants = "mend it" if syntax else "write SAMPLES = Samples(...) there"
        yield f"{module} has no SAMPLES ({_describe(error)}): {wants}{see}"
        return
    if not isinstance(samples, Samples):
        yield f"{module}.SAMPLES is no Samples: write SAMPLES = Samples(...){see}"
        return
    if not any(samples.records.glob("*.txt")):
        wants = "write a game record there, then: beisitzer check --golden FILE"
        yield f"there is no record NAME.txt in {samples.records}: {wants}{see}"
    try:
        begin_game(samples.record_tags(plugin.name))
    except Exception as error:  # noqa: BLE001  # a game may raise anything
        yield f"no game begins with the players and tags of the samples ({_describe(error)}){see}"


def _move_faults(plugin: Plugin, samples: Samples) -> Iterator[str]:
    """Yield a sentence if the keys of the samples do not make their moves."""
    see = "; see: python -m pydoc beisitzer.testing.samples.Samples"
    other_keys, other_token = samples.other
    scripts = ((samples.keys, samples.tokens), ((other_keys,), (other_token,)))
    for keys, tokens in scripts:
        pilot = Pilot(samples.record_tags(plugin.name))
        try:
            with note_errors(folder_of(plugin)) as errors:
                for script in keys:
                    pilot.key(script)
            stored = pilot.tokens()
        except Exception as error:  # noqa: BLE001  # a game may raise anything
            yield f"the keys {' '.join(keys)!r} of the samples fail ({_describe(error)}){see}"
            return
        finally:
            pilot.ctx.store.close()
        if errors:
            yield f"the keys {' '.join(keys)!r} of the samples fail ({errors[0]})"
            return
        if stored != tokens:
            yield f"the keys {' '.join(keys)!r} of the samples make {stored}, not {tokens}{see}"
            return
