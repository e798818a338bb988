"""What every screen may use: texts, settings, the store, the clock."""

from collections.abc import Callable
from dataclasses import dataclass

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
