"""What one player alone should see, such as a hand: it hides by itself."""

from __future__ import annotations

from abc import abstractmethod

from hardware.keys import Key
from pi_app.screens.base import TICK, Action, Pop, Screen
from pi_app.screens.context import Context

HIDE_AFTER_S = 20.0
"""What is secret leaves the displays when no key came for this long, in seconds."""


class SecretScreen(Screen):
    """Leaves by itself when it is left alone. A subclass adds `key`; nothing of it is kept."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self._until = ctx.clock() + HIDE_AFTER_S

    @abstractmethod
    def key(self, key: Key) -> Action:
        """Take a key that is neither MENU nor BACK held: those leave at once."""

    def press(self, key: Key) -> Action:
        self._until = self.ctx.clock() + HIDE_AFTER_S
        return Pop(TICK) if key in (Key.BACK_HELD, Key.MENU, Key.MENU_HELD) else self.key(key)

    def deadline(self) -> float:
        return self._until

    def expire(self) -> Action:
        return Pop()
