"""The first start: language, parts, Wi-Fi, clock and name; each can be skipped."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

from hardware.boards import known_boards
from hardware.keys import Key
from hardware.pads.search import find
from pi_app.card.helper import HelperError
from pi_app.card.machine import System
from pi_app.card.machine_pages import (
    clock_items,
    clock_line,
    moment,
    name_entry,
    wifi_screen,
)
from pi_app.screens.base import (
    OK,
    TICK,
    Action,
    Item,
    MenuScreen,
    Open,
    Push,
    Quit,
    Reset,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change
from pi_app.system.host import addresses
from pi_app.system.replace import write_safely
from pi_app.texts.language import LANGUAGES, Text, language_name
from pi_app.view.frame import Choices, Frame, SoftKey, Viewers

log = logging.getLogger(__name__)

DONE = "done"
POLL_S = 2.0
"""How often the first page checks for a network."""
ALONE_S = 30.0
"""How long the first page waits for keys and a network before the own Wi-Fi opens."""
GERMAN_ZONE = "Europe/Berlin"


def progress_file(store: Path) -> Path:
    """Return the file with the progress of the first start."""
    return store.with_name(f"{store.name}.first-start")


def read_progress(store: Path) -> str:
    """Return the first start's current step, DONE after it; "" before it."""
    try:
        return progress_file(store).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


@dataclass
class FirstStart:
    """The first start: its step and its callbacks.

    `serves_pages` tells whether phones could join here; `invite` makes the page for that, or None;
    `open_wifi` opens the table's own Wi-Fi for that, or is None; `finish` is called at its end.
    `has_parts` tells whether parts on the header were opened.
    """

    ctx: Context
    system: System
    store: Path
    serves_pages: bool = False
    invite: Callable[[], Screen] | None = None
    finish: Callable[[], None] = lambda: None
    open_wifi: Callable[[], None] | None = None
    has_parts: Callable[[], bool] = lambda: True

    def begin(self) -> Screen:
        """Return the current step's screen."""
        step = read_progress(self.store)
        return next((each for each in QUESTIONS if each.name == step), QUESTIONS[0])(self)

    def again(self) -> Action:
        """Begin from the first step on."""
        return self._ask(QUESTIONS)

    def after(self, question: Question) -> Action:
        """Go on with the next question that is open."""
        return self._ask(QUESTIONS[QUESTIONS.index(type(question)) + 1 :])

    def before(self, question: Question) -> Action:
        """Go back to the question before."""
        earlier = QUESTIONS[: QUESTIONS.index(type(question))]
        open_ones = [each for each in earlier if each.is_open(self)]
        return Reset(open_ones[-1](self)) if open_ones else Stay(TICK)

    def _ask(self, questions: Sequence[type[Question]]) -> Action:
        """Ask the first of these that is open; end if none is."""
        question = next((each for each in questions if each.is_open(self)), None)
        if question is None:
            return self.end()
        self.note(question.name)
        return Reset(question(self))

    def end(self) -> Action:
        """End the first start for good."""
        self.note(DONE)
        self.finish()
        return Open(OK)

    def note(self, step: str) -> None:
        """Store the current step, for a start after a power cut."""
        try:
            write_safely(progress_file(self.store), f"{step}\n".encode())
        except OSError as error:
            log.warning("the first start could not be noted: %s", error)


class Question(MenuScreen):
    """One question of the first start: ENTER takes the marked answer, STAR leaves out the rest.

    A die button chooses like a digit: there may be no other keys yet.
    """

    name = ""
    text: ClassVar[Text]
    """Its title."""

    def __init__(self, start: FirstStart) -> None:
        super().__init__(start.ctx, start.ctx.texts(self.text.slot, self.text.english))
        self.start = start

    @staticmethod
    def is_open(start: FirstStart) -> bool:
        """Tell whether nothing but a person can answer it."""
        del start
        return True

    def leave(self) -> Action:
        return self.start.before(self)

    def lines_above(self) -> tuple[str, ...]:
        """Return the lines above the answers."""
        return ()

    def frame(self) -> Frame:
        self.lines = self.lines_above()
        frame = super().frame()
        later = SoftKey(Key.STAR, self.tx("soft", "later"))
        return replace(frame, keys=frame.keys.with_keys(later))

    def press(self, key: Key) -> Action:
        if key is Key.STAR:
            return self.start.end()
        face = key.value.removeprefix("DIE")
        if face != key.value and int(face) <= len(self.items):
            return self._do(int(face) - 1)
        return super().press(key)

    def go_on(self) -> Action:
        """Go on with the next step."""
        return self.start.after(self)


class LanguageQuestion(Question):
    """Asks for the language; as soon as there is any network it also shows how a phone joins."""

    viewers = Viewers.ALL
    name = "language"
    text = Text("title", "Language · Sprache")

    def __init__(self, start: FirstStart) -> None:
        super().__init__(start)
        self.selected = LANGUAGES.index(start.ctx.texts.language)
        self._next_look: float | None = start.ctx.clock() if start.invite else None
        self._alone_at = start.ctx.clock() + ALONE_S

    def entries(self) -> tuple[Item, ...]:
        return tuple(
            (language_name(each), partial(self._choose_language, each)) for each in LANGUAGES
        )

    def press(self, key: Key) -> Action:
        self._next_look = None  # somebody has keys
        return super().press(key)

    def deadline(self) -> float | None:
        return self._next_look

    def expire(self) -> Action:
        ctx = self.ctx
        if not ctx.urls(80) or self.start.invite is None:
            self._next_look = ctx.clock() + POLL_S
            if self.start.open_wifi is not None and ctx.clock() >= self._alone_at:
                self.start.open_wifi()
                self._alone_at = float("inf")
            return Stay()
        self._next_look = None
        return Push(self.start.invite(), signals=())

    def _choose_language(self, language: str) -> Action:
        change(self.ctx, "language", language)
        system = self.start.system
        if language == "en" or not system.is_card() or system.zone() not in ("", "Etc/UTC", "UTC"):
            return self.go_on()

        def set_zone() -> None:
            with suppress(HelperError):  # the clock's page asks for it
                system.set_zone(GERMAN_ZONE)

        # waits, because a clock that is keyed meanwhile would be an hour off
        return Push(moment(self.ctx, self.title, set_zone, lambda _: self.go_on()))


class PartsQuestion(Question):
    """Asks which board is on the header, and lists the pads."""

    viewers = Viewers.ALL
    name = "parts"
    text = Text("title", "What is here?")

    def __init__(self, start: FirstStart) -> None:
        super().__init__(start)
        self._boards = known_boards()
        words = [board.word for board in self._boards]
        rig = self.ctx.settings.rig
        if rig.board in words:
            self.selected = 1 + words.index(rig.board)
        elif rig.enabled is False:
            self.selected = 1 + len(words)
        pads = find() if self.ctx.settings.pads.enabled else ()
        self._pads = tuple(device.name for device in pads if device.is_keyboard)

    def lines_above(self) -> tuple[str, ...]:
        return (self.tx("line", "Plugged in: {name}", name=self._pads[0]),) if self._pads else ()

    def entries(self) -> tuple[Item, ...]:
        tx, take = self.tx, self._choose_board
        return (
            (tx("item", "Parts wired singly"), partial(take, "none", "auto")),
            *((board.label, partial(take, board.word, "auto")) for board in self._boards),
            (tx("item", "Nothing on the pins"), partial(take, "none", enabled=False)),
        )

    def choices(self) -> Choices:
        names = [board.name for board in self._boards]
        return replace(super().choices(), sentences=("", *names, ""))

    def _choose_board(self, board: str, enabled: Literal["auto", False]) -> Action:
        ctx, rig = self.ctx, self.ctx.settings.rig
        changed: dict[str, object] = {}
        if board != rig.board:
            changed["rig.board"] = board
        if bool(enabled) != bool(rig.enabled):
            changed["rig.enabled"] = enabled
        for key, value in changed.items():
            change(ctx, key, value)
        following = self.go_on()
        # the devices are opened at a start, which goes on with the next step
        differs = bool(changed) and (enabled is not False or self.start.has_parts())
        return Quit(OK, "again") if differs and ctx.appliance else following


class WifiQuestion(Question):
    """Asks for Wi-Fi, which phones need."""

    viewers = Viewers.ALL
    name = "wifi"
    text = Text("title", "Wi-Fi")

    @staticmethod
    def is_open(start: FirstStart) -> bool:
        return start.serves_pages and not addresses()

    def lines_above(self) -> tuple[str, ...]:
        return (self.tx("line", "Phones need it. The table does not."),)

    def entries(self) -> tuple[Item, ...]:
        def choose() -> Action:
            return Push(wifi_screen(self.ctx, self.start.system, self.go_on))

        tx = self.tx
        return (
            (tx("item", "Without Wi-Fi"), self.go_on),
            (tx("item", "Choose a network"), choose),
        )


class ClockQuestion(Question):
    """Asks whether the clock is right."""

    viewers = Viewers.ALL
    name = "clock"
    text = Text("title", "Clock")

    @staticmethod
    def is_open(start: FirstStart) -> bool:
        return not start.system.follows_network_time()

    def lines_above(self) -> tuple[str, ...]:
        return (clock_line(self.ctx, self.start.system),)

    def entries(self) -> tuple[Item, ...]:
        items = clock_items(self.ctx, self.start.system)
        return ((self.tx("item", "It is right"), self.go_on), *items)


class NameQuestion(Question):
    """Asks for the table's name in the house."""

    viewers = Viewers.ALL
    name = "name"
    text = Text("title", "Name")

    @staticmethod
    def is_open(start: FirstStart) -> bool:
        return start.serves_pages and start.system.is_card()

    def lines_above(self) -> tuple[str, ...]:
        name = self.start.system.name()
        return (self.tx("line", "Phones find this table as {name}.local.", name=name),)

    def entries(self) -> tuple[Item, ...]:
        def ask_name() -> Action:
            return Push(name_entry(self.ctx, self.start.system, self.go_on))

        tx = self.tx
        return ((tx("item", "Keep"), self.go_on), (tx("item", "Another name"), ask_name))


QUESTIONS: Sequence[type[Question]] = (
    LanguageQuestion, PartsQuestion, WifiQuestion, ClockQuestion, NameQuestion,
)  # fmt: skip
"""All questions, in their order."""


class MachineMenu(MenuScreen):
    """Under System: the first start's questions, one by one or all."""

    viewers = Viewers.ALL

    def __init__(self, start: FirstStart) -> None:
        super().__init__(start.ctx, start.ctx.texts("title", "Machine"))
        self.start = start

    def frame(self) -> Frame:
        self.lines = (clock_line(self.ctx, self.start.system),)
        return super().frame()

    def entries(self) -> tuple[Item, ...]:
        tx, ctx, system = self.tx, self.ctx, self.start.system

        def stay() -> Action:
            return Stay(OK)

        items: tuple[Item, ...] = (
            (tx("title", "Wi-Fi"), lambda: Push(wifi_screen(ctx, system, stay))),
            *clock_items(ctx, system),
        )
        if system.is_card():
            name = (tx("title", "Name"), lambda: Push(name_entry(ctx, system, stay)))
            items = (*items, name)
        return (*items, (tx("item", "First start"), self.start.again))
