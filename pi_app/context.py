"""What every screen may use: texts, settings, the store, the clock."""

from collections.abc import Callable
from dataclasses import dataclass

from pi_app.runstate import Before
from pi_app.settings_schema import Settings
from pi_app.store import Store
from pi_app.texts import Texts


@dataclass(slots=True)
class Context:
    """One table's surroundings. `clock` counts seconds and never goes back."""

    texts: Texts
    settings: Settings
    store: Store
    clock: Callable[[], float]
    before: Before | None = None
    """How the run before this one ended; None where nothing is noted."""
    appliance: bool = False
    """Whether the machine is ours, to be switched off from the menu."""
