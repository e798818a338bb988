"""What every screen may use: texts, settings, the store, the clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pi_app.files.host import urls, utc_now
from pi_app.files.starts import Before
from pi_app.files.worker import Worker
from pi_app.past.reckoning import Evaluations
from pi_app.settings.schema import HelpLevel, Settings
from pi_app.store.store import Store
from pi_app.table.players import find_player
from pi_app.texts.language import Texts


def _forget(key: str, value: object) -> None:
    """Keep nothing: a table of the moment."""


@dataclass(slots=True)
class Context:
    """One table's surroundings. `clock` counts seconds and never goes back."""

    texts: Texts
    settings: Settings
    store: Store
    clock: Callable[[], float]
    save: Callable[[str, object], object] = _forget
    """Keeps a setting changed at the table for the next start; may raise OSError or ValueError."""
    before: Before | None = None
    """How the run before this one ended; None where nothing is noted."""
    appliance: bool = False
    """Whether the machine is ours, to be switched off from the menu."""

    urls: Callable[[int], tuple[str, ...]] = urls
    """How browsers reach this machine on a port, the surest address first."""

    worker: Worker = field(default_factory=Worker)
    """What works beside the loop, on a tip for one."""

    evaluations: Evaluations | None = None
    """What works out how games went; None where nothing is worked out beside the loop."""

    now: Callable[[], datetime] = utc_now
    """What time it is, with its zone, for what is to be asked again in days."""

    @property
    def web_port(self) -> int:
        """The port on which pages are served: the system's on an appliance."""
        return 80 if self.appliance else self.settings.web.port

    @property
    def speaks(self) -> bool:
        """Whether there is a voice: sentences for the ear are made only then."""
        return self.settings.voice.level != "off"

    def help_level(self, name: str) -> HelpLevel:
        """Return the help level the player with this name chose, else the settings' one.

        Where the table allows no tips it is LEGAL at most.
        """
        level = find_player(self.store, name).help or self.settings.help.level
        if level is HelpLevel.TIPS and not self.settings.help.tips:
            return HelpLevel.LEGAL
        return level
