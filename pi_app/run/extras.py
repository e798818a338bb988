"""Optional outputs such as phones, imported only when they are wanted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from pi_app.screens.base import Screen
from pi_app.settings.schema import Settings
from pi_app.view.output import DeferredOutput, Output


class Extra(Output):
    """An output with a menu of its own at the table."""

    dials = False

    @abstractmethod
    def menu(self) -> Screen:
        """Return its menu."""

    @abstractmethod
    def invitation(self) -> Screen:
        """Return the screen that shows how a phone joins; a held MENU key opens it anywhere."""


class Later(DeferredOutput[Extra], Extra):
    """An extra that is made when the settings switch it on or somebody opens its menu.

    `make` imports and makes it; `is_wanted` tells whether the settings switch it on.
    """

    def __init__(
        self, settings: Settings, is_wanted: Callable[[Settings], bool], make: Callable[[], Extra]
    ) -> None:
        super().__init__(make)
        self._settings = settings
        self._switched_on = is_wanted

    def menu(self) -> Screen:
        return self.make_now().menu()

    def invitation(self) -> Screen:
        return self.make_now().invitation()

    def is_wanted(self) -> bool:
        return self._switched_on(self._settings)

    def configure(self, settings: Settings) -> None:
        self._settings = settings
        if self._made is not None:
            self._made.configure(settings)
        else:
            self.make_if_wanted()
