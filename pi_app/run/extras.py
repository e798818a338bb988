"""How extras and displays attach themselves: the two protocols, and their callers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pi_app.registry import load_all
from pi_app.run.loop import Companion
from pi_app.screens.base import Item, Push, Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.texts.language import Text, Texts
from pi_app.view.output import Output

if TYPE_CHECKING:
    from click import Option

log = logging.getLogger(__name__)


class UnavailableError(Exception):
    """A part named on the command line is not available here; the text says what to do."""


class NoDisplayError(UnavailableError):
    """There is no display; the text says which options exist."""


@dataclass(frozen=True, slots=True)
class Start:
    """This start as given on the command line.

    `options` has the values of all its options by name. `scripted`: the keys come from a script.
    `ends`: the script is a file, so that nobody waits for answers. `fresh`: a start without a
    wish, which may begin with questions of its own.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    scripted: bool = False
    ends: bool = False
    fresh: bool = True


class Extra:
    """An optional part of the program; most import their modules in `attach`."""

    options: Sequence[Option] = ()
    """Its options of the command `play`."""

    def wanted(self, settings: Settings, start: Start) -> bool:
        """Tell whether this table has this extra, or could switch it on."""
        return True

    def attach(self, program: Companion, start: Start) -> None:
        """Add its outputs, menus and places, before the first game; UnavailableError says why not.

        What needs the first screen goes into `program.beginning`.
        """
        raise NotImplementedError


class Display:
    """A way to show frames in addition to the rig's own; at most one of them is opened."""

    name = ""
    options: Sequence[Option] = ()

    def is_asked(self, start: Start) -> bool:
        """Tell whether the command line asks for this display."""
        return bool(start.options.get("display") == self.name)

    def wanted(self, settings: Settings) -> bool:
        """Tell whether to try it if no display was named."""
        return False

    def open(self, program: Companion, start: Start) -> Output:
        """Open it; NoDisplayError says what is missing."""
        raise NotImplementedError


def attach_extras(program: Companion, start: Start) -> None:
    """Attach the wanted extras; UnavailableError if a requested one is missing."""
    for extra in load_all("extras"):
        if extra.wanted(program.ctx.settings, start):
            extra.attach(program, start)


def open_display(program: Companion, start: Start) -> None:
    """Open the display that is asked for, else the first one that is wanted and can be opened.

    NoDisplayError if that is none, unless the rig or a panel shows the game.
    """
    word, settings = start.options.get("display"), program.ctx.settings
    for display in load_all("displays"):
        if display.is_asked(start):
            program.follow(display.open(program, start))
            return
    if word == "none" or (word is None and (start.scripted or program.display == "replaced")):
        return
    for display in load_all("displays"):
        if display.wanted(settings):
            try:
                program.follow(display.open(program, start))
            except NoDisplayError as error:
                log.warning("no %s: %s", display.name, error)
            else:
                return
    if word is not None or program.display == "needed":
        raise no_display(program.ctx.texts)


def no_display(tx: Texts) -> NoDisplayError:
    """Return the error that says what to do without any display."""
    return NoDisplayError(
        tx(
            "cli",
            "there is neither a screen nor a terminal: use --display none with a rig, "
            "--keys FILE --shots DIR, or start it in a terminal",
        )
    )


def add_menu(ctx: Context, title: Text, make: Callable[[], Screen]) -> None:
    """Add a line to the System menu; `make` makes the screen that it opens."""

    def items() -> tuple[Item, ...]:
        line = ctx.texts(title.slot, title.english)
        return ((line, lambda: Push(make())),)

    ctx.system_items.append(items)
