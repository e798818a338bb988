"""Optional outputs such as phones, imported only when they are wanted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from pi_app.screens.base import Screen
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Signal
from pi_app.view.output import Output


class Extra(Output):
    """An output with a menu of its own at the table."""

    dials = False

    @abstractmethod
    def menu(self) -> Screen:
        """Return its menu."""

    @abstractmethod
    def invitation(self) -> Screen:
        """Return the screen that shows how a phone joins; a held MENU key opens it anywhere."""


class Later(Extra):
    """An extra that is made when the settings switch it on or somebody opens its menu.

    `make` imports and makes it; `is_wanted` tells whether the settings switch it on.
    """

    def __init__(
        self, settings: Settings, is_wanted: Callable[[Settings], bool], make: Callable[[], Extra]
    ) -> None:
        self._settings = settings
        self._is_wanted = is_wanted
        self._make = make
        self._made: Extra | None = None
        self._frame: Frame | None = None

    def menu(self) -> Screen:
        return self._extra().menu()

    def invitation(self) -> Screen:
        return self._extra().invitation()

    def _extra(self) -> Extra:
        if self._made is None:
            self._made = self._make()
            self.name = self._made.name
            if self._frame is not None:
                self._made.show(self._frame)  # what it missed
        return self._made

    def show(self, frame: Frame) -> None:
        self._frame = frame
        if self._made is not None:
            self._made.show(frame)
        else:
            self.configure(self._settings)  # with the first frame, one that is wanted is made

    def signal(self, signal: Signal) -> None:
        if self._made is not None:
            self._made.signal(signal)

    def configure(self, settings: Settings) -> None:
        self._settings = settings
        if self._made is not None:
            self._made.configure(settings)
        elif self._frame is not None and self._is_wanted(settings):
            self._extra()

    def close(self) -> None:
        if self._made is not None:
            self._made.close()
