"""Screens, and the actions with which they answer keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Generic, TypeVar

from hardware.keys import Key
from pi_app.screens.context import Context
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Board,
    Body,
    Choices,
    Frame,
    Header,
    Picture,
    Signal,
    Viewers,
    clamp,
    scroll,
    soft,
)
from pi_app.view.keying import Marked, Wheel, choose, waiting

V = TypeVar("V")

# the signals of an action
TICK = (Signal.TICK,)
OK = (Signal.OK,)
BAD = (Signal.BAD,)
AGAIN = (Signal.AGAIN,)
ROW = (Signal.ROW,)
TURN = (Signal.TURN,)
WIN = (Signal.WIN,)


@dataclass(frozen=True, slots=True)
class Action:
    """The loop's action after a key: the screen to show, and the signal for lamp and buzzer."""

    signals: tuple[Signal, ...] = ()


class DeclinedError(Exception):
    """A request is declined; the text is the sentence that says why."""


class Stay(Action):
    """Show the same screen again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _ToScreen(Action):
    """An action that opens a screen; the key that led there ticks unless it says otherwise."""

    screen: Screen
    signals: tuple[Signal, ...] = field(default=TICK, kw_only=True)


class Push(_ToScreen):
    """Open a screen above this one."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Pop(Action):
    """Close this screen, then call `then` for the one below (None: closed without an answer)."""

    then: Callable[[], Action] | None = None


class Replace(_ToScreen):
    """Replace this screen by another one."""

    __slots__ = ()


class Reset(_ToScreen):
    """Clear the whole stack and start again with this screen."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Open(Action):
    """Open a screen of another room by its name in `run.loop.PLACES`.

    "home" and "table" (its turn, or its result where it is decided) clear the whole stack; others,
    such as "menu", lie above this screen.
    """

    to: str = "home"
    table: Table | None = None
    player: str = ""
    """The player whose moments are opened, if there is no table."""


class Uncover(Action):
    """Close every screen above the lowest one: the game, or the first menu."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Quit(Action):
    """End the program; `power` decides what the machine does then."""

    power: str = "stay"


class Screen(ABC):
    """One thing to look at and to press keys on. No key makes it raise."""

    viewers: ClassVar[Viewers] = Viewers.TABLE
    """Who may see an extra's or a plug-in's screen. Each class must set it: subclasses do not
    inherit it.

    For the core's screens the list in `pi_app.screens.secret` decides.
    """
    takes_held_menu = False
    """Whether this screen uses the held MENU key; otherwise it shows how a phone joins."""
    takes_digits = False
    """Whether digits mean something here without an entry."""

    busy_with = ""
    """The activity that a move from a phone must wait for, in words; "" if it need not wait."""
    ends_with_turn = False
    """Whether this screen belongs to one turn, so that a move from a phone closes it."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    @property
    def tx(self) -> Texts:
        """The texts in the table's current language."""
        return self.ctx.texts

    @property
    def viewed_as(self) -> type:
        """The class that says who may see the frame; for a wrapper, its inner screen's."""
        return type(self)

    @abstractmethod
    def frame(self) -> Frame:
        """Return what to show now."""

    @abstractmethod
    def press(self, key: Key) -> Action:
        """Take a key. BACK must lead out of every screen sooner or later."""

    def wheel(self) -> Wheel | None:
        """Return the dial's values now.

        None: the frame's list, its die buttons, or single digits for an entry. A list is walked
        where the wheel is NO_WHEEL too.
        """
        return None

    def tap(self, name: str) -> Action:  # noqa: ARG002  # for those with a picture
        """Take a tap on the picture's cell with this name (displays with a pointer only)."""
        return Stay(BAD)

    def type_text(self, text: str) -> Action:  # noqa: ARG002  # for those that key a text
        """Take a text that was typed whole, in place of its keys and ENTER (phones only)."""
        return Stay(BAD)

    def close(self) -> None:  # noqa: B027  # for those that let something work for them
        """End this screen's work: it will not be shown again."""

    def deadline(self) -> float | None:
        """Return when to call `expire`, in seconds on the context's clock; None: never."""
        return None

    def expire(self) -> Action:
        """Act at the deadline."""
        return Stay()


@dataclass(frozen=True, slots=True)
class Greyed:
    """Replaces the action of a menu line that cannot be chosen now; choosing it shows `why`."""

    why: str


def grey_if(why: str, act: Callable[[], Action]) -> Callable[[], Action] | Greyed:
    """Return a line's action, or `Greyed` if `why` is not empty."""
    return Greyed(why) if why else act


Item = tuple[str, Callable[[], Action] | Greyed]
"""One line of a menu: its text, and what choosing it does."""


class ListScreen(Screen):
    """A list: digits choose a row, UP and DOWN mark one, ENTER chooses it, BACK leaves.

    `choose(index)` is called with the chosen row; `items` may be a function that is called for
    every frame.
    """

    colour: str | None = None
    """The player colour of lamp and title."""
    digits: tuple[str, ...] = ()
    """The digits of each row if they are not its number: `4` chooses "4 players"."""

    def __init__(
        self,
        ctx: Context,
        title: str,
        items: Callable[[], tuple[str, ...]] | tuple[str, ...],
        choose: Callable[[int], Action],
        *,
        selected: int = 0,
        lines: tuple[str, ...] = (),
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.lines = lines
        self.selected = selected
        self.typed = ""
        """The digits keyed so far of a row that takes several."""
        self._items = items
        self._choose = choose

    @property
    def items(self) -> tuple[str, ...]:
        return self._items if isinstance(self._items, tuple) else self._items()

    def choices(self) -> Choices:
        """Return the list as it is now."""
        items = self.items
        return Choices(items, clamp(self.selected, items), digits=self.digits)

    def star(self) -> tuple[str, Callable[[], Action]] | None:
        """Return what STAR does besides, after its word; None: nothing."""
        return None

    def frame(self) -> Frame:
        choices, star = self.choices(), self.star()
        keys = [(Key.ENTER, self.tx("soft", "ok")), (Key.BACK, self.tx("soft", "back"))]
        return Frame(
            Header(self.title, colour=self.colour, corner=waiting(self.typed)),
            Body(lines=self.lines, choices=choices if choices.items else None),
            keys=soft(*keys, *(((Key.STAR, star[0]),) if star else ())),
        )

    def press(self, key: Key) -> Action:
        if key is Key.STAR and (star := self.star()) is not None:
            return star[1]()
        choices = self.choices()
        choice = choose(choices, Marked(choices.selected, self.typed), key)
        if isinstance(choice, Marked):
            self.selected, self.typed = choice.selected, choice.typed
            return Stay(TICK)
        if choice is not None:
            self.selected, self.typed = choice, ""
            return self._choose(choice)
        return self.leave() if key is Key.BACK else Stay(BAD)

    def leave(self) -> Action:
        """Answer BACK."""
        return Pop(TICK)


class ChoiceScreen(ListScreen, Generic[V]):
    """Asks for one of some values, each in words; `take` is called with the chosen one."""

    def __init__(
        self,
        ctx: Context,
        title: str,
        words: Mapping[V, str],
        current: V,
        take: Callable[[V], object],
        line: str = "",
    ) -> None:
        self._values = tuple(words)
        self._take = take
        at = self._values.index(current) if current in words else 0
        lines = (line,) if line else ()
        super().__init__(
            ctx, title, tuple(words.values()), self._take_row, selected=at, lines=lines
        )

    def _take_row(self, row: int) -> Action:
        self._take(self._values[row])
        return Pop(TICK)


class ConfirmScreen(ListScreen):
    """Confirms a loss: the first row keeps everything, the second calls `then`."""

    def __init__(
        self,
        ctx: Context,
        title: str,
        rows: tuple[str, str],
        then: Callable[[], Action],
        line: str = "",
    ) -> None:
        self._then = then
        super().__init__(ctx, title, rows, self._confirm, lines=(line,) if line else ())

    def _confirm(self, row: int) -> Action:
        return Pop(then=self._then) if row else Pop(TICK)


ROW_LIMIT = 10
"""The most rows of a menu or a form: with eleven the key 1 would wait for a second digit."""


class MenuScreen(ListScreen):
    """A list whose lines each have an action of their own; `entries` is called for every frame.

    A line that cannot be chosen now is greyed, so that the others keep their digits.
    """

    undoing: tuple[str, ...] = ()
    """The texts of the items that take something back."""

    def __init__(self, ctx: Context, title: str) -> None:
        super().__init__(ctx, title, lambda: tuple(text for text, _ in self.entries()), self._do)
        self._why = ""
        """Why the line chosen last cannot be chosen now."""

    @abstractmethod
    def entries(self) -> tuple[Item, ...]:
        """Return the lines as they are now."""

    def choices(self) -> Choices:
        entries = self.entries()  # once: a menu may look at much for its lines
        items = tuple(text for text, _ in entries)
        actions = enumerate(action for _, action in entries)
        return Choices(
            items,
            clamp(self.selected, items),
            digits=self.digits,
            greyed=frozenset(n for n, action in actions if isinstance(action, Greyed)),
            undoing=frozenset(n for n, text in enumerate(items) if text in self.undoing),
        )

    def frame(self) -> Frame:
        frame = super().frame()
        return replace(frame, body=replace(frame.body, lines=(self._why,))) if self._why else frame

    def press(self, key: Key) -> Action:
        self._why = ""
        return super().press(key)

    def _do(self, index: int) -> Action:
        action = self.entries()[index][1]
        if not isinstance(action, Greyed):
            return action()
        self._why = action.why
        return Stay(BAD)


class PageScreen(Screen):
    """Sentences to read: UP and DOWN scroll, any other key leaves."""

    picture: Picture | None = None
    """A board beside the sentences, if there is room."""
    keys: tuple[tuple[Key, str], ...] = ()
    """What other keys do, of a subclass that takes them."""

    def __init__(
        self, ctx: Context, title: str, lines: tuple[str, ...], colour: str | None = None
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.lines = lines
        self.colour = colour
        self.top = 0
        """The first line shown."""

    def frame(self) -> Frame:
        return Frame(
            Header(self.title, colour=self.colour),
            Body(lines=self.lines, top=self.top),
            board=Board(self.picture),
            keys=soft(
                *self.keys, (Key.BACK, self.tx("soft", "back")), scroll(self.tx("soft", "more"))
            ),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.lines)
            return Stay(TICK)
        return Pop(TICK)
