"""Shared by all screens: texts, settings, store, clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from hardware.config import has_dial
from pi_app.past.evaluation import Evaluations
from pi_app.settings.schema import HelpLevel, Settings
from pi_app.store import Store
from pi_app.system.host import urls, utc_now
from pi_app.system.starts import Before
from pi_app.system.worker import Worker
from pi_app.table.players import find_player
from pi_app.texts.language import Texts


@dataclass(slots=True)
class Context:
    """One table's surroundings. `clock` counts seconds and never goes back."""

    texts: Texts
    settings: Settings
    store: Store
    clock: Callable[[], float]
    save: Callable[[str, object], object] = lambda _key, _value: None
    """Stores a setting that was changed at the table; may raise OSError or ValueError."""
    before: Before | None = None
    """How the previous run ended; None if that is not recorded."""
    appliance: bool = False
    """Whether the machine only runs the companion, so that the menu may switch it off."""
    urls: Callable[[int], tuple[str, ...]] = urls
    """Returns the addresses of this machine on a port, the most reliable first."""
    worker: Worker = field(default_factory=Worker)
    """Runs work, such as a tip, outside the loop."""
    evaluations: Evaluations | None = None
    """Evaluates games; None: no games are evaluated."""
    system_items: list[Callable[[], Sequence[tuple[str, Any]]]] = field(default_factory=list)
    """Functions that give more lines of the System menu (`screens.base.Item`)."""
    guests: list[Callable[[], Sequence[str]]] = field(default_factory=list)
    """Functions that give names of people who are here, to be offered for seats before others."""
    notices: list[Callable[[], str]] = field(default_factory=list)
    """Functions that give a sentence for the first screen and the System menu, or ""."""
    changed: list[tuple[str, object]] = field(default_factory=list)
    """The settings changed at the table since the start, each with its value before."""
    invites: Callable[[], bool] = bool
    """Whether a held MENU key shows how to join."""
    now: Callable[[], datetime] = utc_now
    """Returns the date and time with its zone, for tasks that are due after days."""

    @property
    def notice(self) -> str:
        """The sentence for the first screen and the System menu, or ""."""
        return next(filter(None, (notice() for notice in self.notices)), "")

    @property
    def dials(self) -> bool:
        """Whether the rig has a dial instead of digits: a prompt must not name keys it lacks."""
        return has_dial(self.settings)

    @property
    def speaks(self) -> bool:
        """Whether there is a voice: spoken sentences are made only then."""
        return self.settings.voice.level != "off"

    def help_level(self, name: str) -> HelpLevel:
        """Return the help level the player with this name chose, else the settings' one.

        Where the table allows no tips it is LEGAL at most.
        """
        level = find_player(self.store, name).help or self.settings.help.level
        if level is HelpLevel.TIPS and not self.settings.help.tips:
            return HelpLevel.LEGAL
        return level
