"""All installed games by the name of their `Game` tag; a game is imported on first use.

A game is one entry of the entry-point group `beisitzer.games`, in the `pyproject.toml` of its
distribution, that names a `Plugin`; the games shipped here have the same entry:

    [project.entry-points."beisitzer.games"]
    halma = "halma:PLUGIN"

    PLUGIN = Plugin(
        "halma", "halma.rules:GAME", "halma.presentation:PRESENTATION", "halma.turn:SCREENS"
    )

Each part is the name of what to import, so that records are read without any screen.
`GAMES` are the engines. Every other part has a mapping of its own, such as
`Parts[Presentation]("presentation")`: its keys are the games' names in the order of the menu,
and it imports a part on first use.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, Literal, TypeVar, get_args

from engines.game import Game

GROUP = "beisitzer.games"
GamePart = Literal["engine", "presentation", "screens", "ai"]


@dataclass(frozen=True, slots=True)
class Plugin:
    """Where a game's parts are, each as "module:attribute"; nothing is imported by this.

    `name` is the game's name in the `Game` tag and in its entry. `engine` is its
    `engines.game.Game`; `presentation` and `screens` are for the companion. `ai` is its
    `ai.GameAI`, or "".
    """

    name: str
    engine: str
    presentation: str = ""
    screens: str = ""
    ai: str = ""

    def load(self, part: GamePart) -> Any:
        """Import a part; ImportError, AttributeError or ValueError if it does not exist."""
        return _resolve(getattr(self, part))

    def fault(self) -> str:
        """Return why a part cannot be imported; "" if all can."""
        try:
            for part in get_args(GamePart):
                has_no_ai = part == "ai" and not self.ai
                if not has_no_ai:
                    self.load(part)
        except Exception as error:  # noqa: BLE001  # somebody else's game may raise anything
            return f"{type(error).__name__}: {error}"
        return ""


def _shipped_plugin(name: str) -> Plugin:
    return Plugin(
        name,
        engine=f"engines.{name}.rules:GAME",
        presentation=f"pi_app.games.{name}.presentation:PRESENTATION",
        screens=f"pi_app.games.{name}.turn:SCREENS",
        ai=f"ai.{name}:AI",
    )


JUST4FUN = _shipped_plugin("just4fun")
NUMERI = _shipped_plugin("numeri")
EINMALEINS = _shipped_plugin("einmaleins")
SEQUENCE = _shipped_plugin("sequence")
SHIPPED: Mapping[str, Plugin] = {
    plugin.name: plugin for plugin in (JUST4FUN, NUMERI, EINMALEINS, SEQUENCE)
}
"""Known without searching for entries: a source tree has none."""


def entries(folders: Iterable[str], group: str = GROUP) -> Iterator[tuple[str, str]]:
    """Yield name and value of a group's entries that are installed in these folders.

    `importlib.metadata` does the same and takes ten times as long, mostly to be imported.
    """
    for text in _entry_files(tuple(folders)):
        _, _, lines = text.partition(f"[{group}]\n")
        before_next_group = lines.partition("\n[")[0]
        for line in before_next_group.splitlines():
            name, equals, value = line.partition("=")
            # blank lines have no `=`, comments begin with `#`
            if equals and not name.startswith("#"):
                yield name.strip(), value.strip()


@cache
def _entry_files(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of all lists of entries that are installed in these folders."""
    from contextlib import suppress
    from pathlib import Path

    texts: list[str] = []
    for folder in folders:
        # *.dist-info of an installed distribution, *.egg-info of a source tree
        for file in sorted(Path(folder).glob("*-info/entry_points.txt")):
            with suppress(OSError):
                # "replace": another distribution's file need not be UTF-8
                texts.append(file.read_text("utf-8", "replace"))
    return tuple(texts)


def find_plugins(entries: Iterable[tuple[str, str]]) -> dict[str, Plugin]:
    """Return the plugins of these entries, those shipped first, then by name.

    A game that cannot be loaded is logged and left out: the others can still be played.
    """
    by_name = dict(SHIPPED)
    for name, value in sorted(entries, key=itemgetter(0)):
        if name in SHIPPED:  # this distribution's own entry, or one that would replace it
            continue
        try:
            # of two entries with one name the first counts, as when Python imports a module
            by_name.setdefault(name, _plugin_of(name, value))
        except Exception:  # noqa: BLE001  # somebody else's game may raise anything
            _log_failure(f"the game {name} is left out: {value} cannot be loaded")
    return by_name


def _log_failure(sentence: str) -> None:
    """Log a sentence with the exception that is being handled."""
    import logging

    logging.getLogger(__name__).exception(sentence)


def _resolve(name: str) -> Any:
    """Import "module:attribute"; ImportError, AttributeError or ValueError if it does not exist."""
    import pkgutil

    return pkgutil.resolve_name(name)


def _plugin_of(name: str, value: str) -> Plugin:
    """Load an entry's plugin and its engine, which must have the entry's name."""
    plugin: Plugin = _resolve(value)
    if not plugin.name == plugin.load("engine").name == name:
        raise ValueError("the entry, its plugin and its game must have one name")
    return plugin


@cache
def plugins() -> Mapping[str, Plugin]:
    """Return every installed game's plugin by its name, in the order of the menu."""
    return find_plugins(entries(sys.path))


def find_plugin(name: str) -> Plugin | None:
    """Return a game's plugin, or None; entries are read only if the game is not shipped."""
    return SHIPPED.get(name) or plugins().get(name)


def has_ai(name: str) -> bool:
    """Tell whether a game has an AI: its own, or the general one for games that hide nothing."""
    plugin = find_plugin(name)
    return plugin is not None and (bool(plugin.ai) or GAMES[name].hides_nothing)


T = TypeVar("T")


class Parts(Mapping[str, T]):
    """One part of every game, by the game's name, imported on first use.

    If another distribution's part cannot be imported, its game is left out and logged.
    """

    def __init__(self, part: GamePart) -> None:
        self.part: GamePart = part
        self._loaded: dict[str, T] = {}
        self._left_out: set[str] = set()

    def __getitem__(self, name: str) -> T:
        # an error in a shipped part is raised: only other distributions' games are left out
        if name not in self._loaded and name in SHIPPED:
            self._loaded[name] = SHIPPED[name].load(self.part)
        # `in` (__contains__) loads the part of a game of another distribution
        if name not in self:
            raise KeyError(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in SHIPPED or name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        """Return the games that have this part: a game may have only an engine."""
        with_part = {
            name: plugin for name, plugin in plugins().items() if getattr(plugin, self.part)
        }
        # shipped parts exist, so they are imported only when somebody asks for them
        return [name for name in with_part if name in SHIPPED or self._loads(with_part[name])]

    def _loads(self, plugin: Plugin) -> bool:
        """Import this game's part unless that was tried before; tell whether it is there."""
        name = plugin.name
        if name not in self._loaded and name not in self._left_out:
            try:
                self._loaded[name] = plugin.load(self.part)
            except Exception:  # noqa: BLE001  # the same
                _log_failure(f"the game {name} is left out: no {self.part} to be loaded")
                self._left_out.add(name)
        return name in self._loaded


GAMES: Mapping[str, Game] = Parts("engine")
