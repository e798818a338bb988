"""Asks for a number; a refused one stays, with the reason, until BACK deletes it."""

from collections.abc import Callable

from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.view.frame import Body, Frame, Header, soft
from pi_app.view.keying import NumberKeying, Wheel


class NumberScreen(Screen):
    """Keys a number; `done` gets it and returns the action."""

    def __init__(
        self,
        ctx: Context,
        title: str,
        line: str,
        number: NumberKeying,
        done: Callable[[int], Action],
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.line = line
        self.number = number
        self.done = done

    def frame(self) -> Frame:
        tx, number = self.tx, self.number
        entry = number.entry(tx) if number else None
        back = tx("soft", "delete") if number else tx("soft", "back")
        return Frame(
            Header(self.title),
            Body(entry=entry, lines=(self.line,) if entry is None else ()),
            keys=soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, back)),
        )

    def wheel(self) -> Wheel | None:
        return self.number.wheel()

    def press(self, key: Key) -> Action:
        if key is Key.BACK_HELD and self.number.digits and not self.number.fresh:
            self.number = self.number.cleared()
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD) and (key is Key.BACK_HELD or not self.number):
            return Pop(TICK)
        number = self.number.after(key)
        if number is None:
            return Stay(BAD)
        if number.done is not None:
            return self.done(int(number.done))
        self.number = number
        return Stay(TICK)
