"""What a screen is, and what it may answer to a key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.keys import Key
from pi_app.screens.context import Context
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices, Frame, Signal, clamp, scroll, soft


@dataclass(frozen=True, slots=True)
class Action:
    """What the loop does after a key: where to go, and what lamp and buzzer say to it."""

    signals: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True)
class Stay(Action):
    """Show the same screen anew."""


@dataclass(frozen=True, slots=True)
class Push(Action):
    """Lay a screen on top."""

    screen: Screen = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Pop(Action):
    """Leave this screen; `then` is done on the one below (None: left without an answer)."""

    then: Callable[[], Action] | None = None


@dataclass(frozen=True, slots=True)
class Replace(Action):
    """Put another screen in this one's place."""

    screen: Screen = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Reset(Action):
    """Clear the whole stack and start anew with this screen."""

    screen: Screen = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class ToTable(Action):
    """Clear the whole stack and show a table: its turn, or its result where it is decided."""

    table: Table = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class ToMenu(Action):
    """Lay the menu of a running or finished game on top."""

    table: Table = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Home(Action):
    """Clear the whole stack and start anew with the first screen."""


@dataclass(frozen=True, slots=True)
class Quit(Action):
    """End the program; `power` says what the machine does then."""

    power: str = "stay"


TICK = (Signal.TICK,)
OK = (Signal.OK,)
BAD = (Signal.BAD,)
AGAIN = (Signal.AGAIN,)
WIN = (Signal.WIN,)


class Screen(ABC):
    """One thing to look at and to key into. Never raises on a key, whatever it is."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    @property
    def tx(self) -> Texts:
        """The texts in the language the table speaks now."""
        return self.ctx.texts

    @abstractmethod
    def frame(self) -> Frame:
        """Return what to show now."""

    @abstractmethod
    def press(self, key: Key) -> Action:
        """Take a key. BACK must lead out of every screen sooner or later."""

    def tap(self, name: str) -> Action:  # noqa: ARG002  # for those with a picture
        """Take a tap on the picture's cell with this name (displays with a pointer only)."""
        return Stay(BAD)

    def deadline(self) -> float | None:
        """Say when `expire` wants to be called, in seconds on the context's clock."""
        return None

    def expire(self) -> Action:
        """Do what was due at the deadline."""
        return Stay()


class ListScreen(Screen):
    """A list to choose from: UP and DOWN move, a digit jumps, ENTER chooses, BACK leaves.

    `choose(index)` answers the choice; `items` may be a function, asked anew for every frame.
    """

    def __init__(
        self,
        ctx: Context,
        title: str,
        items: Callable[[], tuple[str, ...]] | tuple[str, ...],
        choose: Callable[[int], Action],
        *,
        selected: int = 0,
        lines: tuple[str, ...] = (),
        colour: str | None = None,
        leave: Callable[[], Action] | None = None,
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.lines = lines
        self.colour = colour
        self.selected = selected
        self._items = items
        self._choose = choose
        self._leave = leave

    @property
    def items(self) -> tuple[str, ...]:
        return self._items if isinstance(self._items, tuple) else self._items()

    def frame(self) -> Frame:
        return Frame(
            self.title,
            colour=self.colour,
            lines=self.lines,
            choices=Choices(self.items, clamp(self.selected, self.items)),
            softkeys=soft((Key.ENTER, self.tx("soft", "ok")), (Key.BACK, self.tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        count = len(self.items)
        self.selected = clamp(self.selected, self.items)  # the list may have become shorter
        if key in (Key.UP, Key.DOWN):
            self.selected = (self.selected + key.step) % max(1, count)
        elif key.digit and key.digit <= count:
            self.selected = key.digit - 1
        elif key is Key.ENTER and count:
            return self._choose(self.selected)
        elif key is Key.BACK:
            return self._leave() if self._leave else Pop(TICK)
        else:
            return Stay(BAD)
        return Stay(TICK)


Item = tuple[str, Callable[[], Action]]
"""One line of a menu: its text, and what choosing it does."""


class MenuScreen(ListScreen):
    """A list whose lines each do something of their own, asked anew for every frame."""

    def __init__(
        self,
        ctx: Context,
        title: str,
        *,
        colour: str | None = None,
        leave: Callable[[], Action] | None = None,
    ) -> None:
        super().__init__(
            ctx,
            title,
            lambda: tuple(text for text, _ in self.entries()),
            lambda index: self.entries()[index][1](),
            colour=colour,
            leave=leave,
        )

    @abstractmethod
    def entries(self) -> tuple[Item, ...]:
        """Return the lines as they are now."""


class PageScreen(Screen):
    """Sentences to read: UP and DOWN scroll, any other key leaves."""

    def __init__(
        self, ctx: Context, title: str, lines: tuple[str, ...], colour: str | None = None
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.lines = lines
        self.colour = colour
        self.top = 0

    def frame(self) -> Frame:
        return Frame(
            self.title,
            colour=self.colour,
            lines=self.lines,
            top=self.top,
            softkeys=soft((Key.BACK, self.tx("soft", "back")), scroll(self.tx("soft", "more"))),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.lines)
            return Stay(TICK)
        return Pop(TICK)
