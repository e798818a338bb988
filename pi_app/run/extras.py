"""Optional outputs such as phones, imported only when they are wanted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TypeVar

from pi_app.screens.base import TICK, Item, Push, Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.texts.language import Text
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


T = TypeVar("T", bound=Output)


class Later(DeferredOutput[T]):
    """An output that is made when the settings switch it on.

    `make` imports and makes it; `is_wanted` tells whether the settings switch it on.
    """

    def __init__(
        self, settings: Settings, is_wanted: Callable[[Settings], bool], make: Callable[[], T]
    ) -> None:
        super().__init__(make)
        self._settings = settings
        self._switched_on = is_wanted

    def is_wanted(self) -> bool:
        return self._switched_on(self._settings)

    def configure(self, settings: Settings) -> None:
        self._settings = settings
        if self._made is not None:
            self._made.configure(settings)
        else:
            self.make_if_wanted()

    def poll(self) -> None:
        if self._made is not None:
            self._made.poll()

    def poll_every_s(self) -> float | None:
        return None if self._made is None else self._made.poll_every_s()


class LaterExtra(Later[Extra], Extra):
    """An extra that is also made when somebody opens its menu."""

    def menu(self) -> Screen:
        return self.make_now().menu()

    def invitation(self) -> Screen:
        return self.make_now().invitation()


def add_menu(ctx: Context, title: Text, make: Callable[[], Screen]) -> None:
    """Add a line to the System menu; `make` makes the screen that it opens."""

    def items() -> tuple[Item, ...]:
        line = ctx.texts(title.slot, title.english)
        return ((line, lambda: Push(TICK, screen=make())),)

    ctx.system_items.append(items)
