"""What every screen may use: texts, settings, the store, the clock, the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_app.files.starts import Before
from pi_app.settings.schema import Settings
from pi_app.store.store import Store
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from pi_app.table.faces import AnyFace


def _forget(key: str, value: object) -> None:
    """Keep nothing: a table of the moment."""


@dataclass(slots=True)
class Context:
    """One table's surroundings. `clock` counts seconds and never goes back."""

    texts: Texts
    settings: Settings
    store: Store
    clock: Callable[[], float]
    faces: Mapping[str, AnyFace]
    """The games by their names, in the order of the menu."""
    save: Callable[[str, object], object] = _forget
    """Keeps a setting changed at the table for the next start; may raise OSError or ValueError."""
    before: Before | None = None
    """How the run before this one ended; None where nothing is noted."""
    appliance: bool = False
    """Whether the machine is ours, to be switched off from the menu."""
