"""The loop: passes keys to the screen on top and shows the new frame everywhere.

A resumed game begins with its turn. To show that sooner, the loop imports menus and result screens
only after the first frame.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Literal, TypeVar

from hardware.errors import Backoff
from hardware.keys import DIAL_KEYS, Key
from pi_app.run.alerts import Bulletin, fault_text, lost_text, news_text, stuck_text
from pi_app.run.dial import Dial
from pi_app.screens.base import (
    BAD,
    TICK,
    Action,
    Open,
    Pop,
    Push,
    Quit,
    Replace,
    Reset,
    Screen,
    Stay,
    Uncover,
)
from pi_app.screens.context import Context
from pi_app.screens.playing.games import turn_screen
from pi_app.screens.secret import VIEWERS
from pi_app.store import News
from pi_app.table.players import BotSeats
from pi_app.table.table import Table
from pi_app.view.frame import Body, Frame, Header, Signal, Viewers, soft
from pi_app.view.inputs import Errand, KeyQueue, Tap
from pi_app.view.output import RETRY_S, FaultTolerantOutput, Output

log = logging.getLogger(__name__)

T = TypeVar("T")

SECRET_S = 120.0
"""How long a secret frame stays without a key before the game appears again, as phones and
televisions show nothing meanwhile. Many screens have shorter deadlines of their own.
"""


class Companion:
    """One table's program: a stack of screens, a queue of keys, any number of outputs."""

    def __init__(
        self, ctx: Context, first: Screen | None, keys: KeyQueue, outputs: Sequence[Output]
    ) -> None:
        """Prepare the program; without a `first` screen `begin` has to show one."""
        self.ctx = ctx
        self.keys = keys
        self.dial = Dial(ctx)
        self.outputs = outputs
        self.inputs = 0
        """Counts the frames that followed an input: a key, a tap, a move, a deadline's action."""
        self._has_input = False
        """Whether there was an input since the last frame."""
        self.stack = [] if first is None else [first]
        self.frame: Frame | None = None
        self.quit: Quit | None = None
        self.places = dict(PLACES)
        """Opens screens by name; extras add their own."""
        self.invitation: Callable[[], Screen] | None = None
        """Makes the screen that a held MENU key opens while `Context.invites`."""
        self.beginning: list[Callable[[], None]] = []
        """What extras do as soon as the first screen is there."""
        self.offered: dict[str, Any] = {}
        """What extras offer to each other, by their names."""
        self.display: Literal["needed", "useful", "replaced"] = "needed"
        """Whether a display is needed besides what shows the game already."""
        self.bulletin = Bulletin(ctx.clock)
        self._settings = ctx.settings
        """The settings that the outputs have."""
        self._dials = ctx.dials
        """Whether these settings have a dial in place of digits."""
        self._store_backoff = Backoff((RETRY_S,), ctx.clock)
        self._keyed_at = 0.0
        """When the last key was pressed, in seconds on the context's clock."""
        self._stuck: set[Key] = set()
        """The stuck keys that an alert was shown for."""

    @property
    def screen(self) -> Screen:
        return self.stack[-1]

    def begin(self, first: Screen) -> None:
        """Put the first screen on the stack, then call the extras' waiting functions."""
        self.stack = [first]
        for act in self.beginning:
            act()

    def follow(self, output: Output) -> None:
        """Add an output, guarded against its own failures."""
        self.outputs = [*self.outputs, FaultTolerantOutput(output, self.ctx.clock)]

    def press(self, key: Key) -> None:
        """Let the screen on top answer a key, then show the new frame."""
        self._note_key()
        if key in DIAL_KEYS:
            self._handle(lambda: self._answer_dial(key))
            return
        if self.dial.used:
            self.dial.forget()
        self._handle(lambda: self._answer_key(key))

    def _answer_dial(self, key: Key) -> Action:
        """Let the screen answer all the keypad's keys that a key of the dial stands for.

        Only the last answer is returned: people hear one signal, as for one key.
        """
        if isinstance(self.screen, FaultScreen):
            return self.screen.press(key)
        action: Action = Stay(TICK)
        for keypad_key in self.dial.press(key, self.screen, self.screen.frame()):
            action = self._answer_key(keypad_key)
            if not isinstance(action, Stay):  # the other keys belong to this screen
                break
        return action

    def _answer_key(self, key: Key) -> Action:
        """Return the screen's answer to a key.

        A held MENU key opens the invitation, unless the screen uses this key itself.
        """
        invite = self.invitation if self.ctx.invites() else None
        if key is Key.MENU_HELD and invite is not None and not self.screen.takes_held_menu:
            return Push(invite())
        return self.screen.press(key)

    def tap(self, name: str) -> None:
        """Let the screen on top answer a tap on a cell that it shows; no other name reaches it."""
        self._note_key()
        picture = self.frame.board.picture if self.frame else None
        shown = picture is not None and name in {cell.name for cell in picture.cells if cell.name}
        self._handle(lambda: self.screen.tap(name) if shown else Stay(BAD))

    def do(self, answer: Callable[[], Action]) -> None:
        """Carry out an action that no key caused, such as a move made elsewhere."""
        self._note_key()
        self._handle(answer)

    def act_on_lowest(self, action: Callable[[], Action]) -> None:
        """Carry out an action of the lowest screen: a move from a phone.

        Screens above it stay open, unless they belong to the turn.
        """
        self._note_key()
        above = self.stack[1:]
        del self.stack[1:]
        self._catch_fault(lambda: self._carry_out(action()))
        self.stack += [screen for screen in above if not screen.ends_with_turn]
        for screen in above:
            if screen.ends_with_turn:
                screen.close()
        self.frame = None  # outputs must learn of the move even if the frame stays the same
        self.show()

    def _note_key(self) -> None:
        self._has_input = True
        if self.bulletin.alerts:
            self.bulletin.note_key()
        self._keyed_at = self.ctx.clock()
        for output in self.outputs:
            output.note_key()

    def _handle(self, answer: Callable[[], Action]) -> None:
        """Carry out a screen's answer, then show the new frame."""
        self._catch_fault(lambda: self._carry_out(answer()))
        if self.quit is None:
            self.show()

    def _catch_fault(self, act: Callable[[], T]) -> T | None:
        """Call the screen on top; None if it fails. No other function catches faults of screens.

        A screen that fails is removed: the log gets the reason, the table an alert. If it was the
        last screen, a `FaultScreen` replaces it.
        """
        try:
            return act()
        except Exception:
            log.exception("the screen %s failed", type(self.screen).__name__)
        self.stack.pop()
        if not self.stack:
            self.stack.append(FaultScreen(self.ctx))
        self.bulletin.tell(fault_text(self.ctx.texts))
        self._signal(Signal.BAD)
        return None

    def _make_frame(self) -> Frame:
        """Return the frame of the screen on top; screens that fail to make one are removed."""
        while not isinstance(self.screen, FaultScreen):
            frame = self._catch_fault(self.screen.frame)
            if frame is not None:
                break
        else:
            frame = self.screen.frame()
        kind = self.screen.viewed_as
        # our list decides who may see it; a plug-in's class decides for itself, not its base class
        said = vars(kind).get("viewers", Viewers.TABLE)
        viewers = VIEWERS.get(f"{kind.__module__}.{kind.__qualname__}", said)
        return replace(frame, viewers=viewers)

    def _deadline(self) -> float | None:
        """Return when the screen on top acts next, in seconds on the context's clock, or None."""
        top = self.screen
        due = self._catch_fault(top.deadline)
        if due is None and self.frame is not None and self.frame.secret:
            return self._keyed_at + SECRET_S
        if self.screen is not top:  # it failed
            self.show()
        return due

    def _carry_out(self, action: Action) -> None:
        for signal in action.signals:
            self._signal(signal)
        match action:  # a Stay has nothing to do
            case Push(screen=screen):
                self.stack.append(screen)
            case Open():
                self._open(action)
            case Replace(screen=screen):
                screen.ends_with_turn = self.screen.ends_with_turn
                self.stack[-1] = screen
            case Pop(then=then):
                self._pop()
                if then is not None:
                    self._carry_out(then())
            case Quit():
                self.quit = action
            case Reset(screen=screen):
                self._begin_stack(screen)
            case Uncover():
                self._begin_stack(self.stack[0])

    def _open(self, asked: Open) -> None:
        """Open a screen by its name, above this one or in place of all; ignore unknown names."""
        if asked.to not in self.places:  # of an extra that is not attached
            self._signal(Signal.BAD)
            return
        screen = self.places[asked.to](self.ctx, asked)
        if asked.to in BOTTOM:
            self._begin_stack(screen)
        else:
            self.stack.append(screen)

    def _pop(self) -> None:
        """Close the screen on top; below the last one is the first menu."""
        if len(self.stack) > 1:
            self.stack.pop()
        else:
            self._open(Open())

    def _begin_stack(self, screen: Screen) -> None:
        """Leave all screens for this one."""
        left, self.stack = self.stack, [screen]
        for other in left:
            if other is not screen:
                other.close()

    def _signal(self, signal: Signal) -> None:
        for output in self.outputs:
            output.signal(signal)

    def show(self) -> None:
        """Show the frame of the screen on top if it changed.

        News of the store become alerts first, and outputs get changed settings.
        """
        self._note_changes()
        plain = self._make_frame()
        if self.bulletin.alerts:
            plain = self.bulletin.lay_over(plain)
        # `plain` is for outputs that hear keys of their own, `frame` also shows the dial
        frame = plain
        if self._dials or self.dial.used:
            frame = self._catch_fault(partial(self.dial.lay_over, self.screen, plain)) or plain
        if self.ctx.store.trouble is not None:
            plain, frame = _warned(plain), _warned(frame)
        has_input, self._has_input = self._has_input, False
        if frame == self.frame:
            return
        self.frame = frame
        self.inputs += has_input
        for output in self.outputs:
            output.show(frame if output.dials else plain)

    def _note_changes(self) -> None:
        """Make alerts of the store's news, and give changed settings to the outputs."""
        for news in self.ctx.store.news():
            if news is News.WRITTEN:  # alerts of the trouble are out of date
                for trouble in set(News) - {News.FORGOTTEN}:
                    self.bulletin.withdraw(news_text(self.ctx.texts, trouble)[0])
            self.bulletin.tell(*news_text(self.ctx.texts, news))
        if self.ctx.settings is not self._settings:
            self._settings, self._dials = self.ctx.settings, self.ctx.dials
            for output in self.outputs:
                output.configure(self._settings)

    def run(self) -> Quit:
        """Show the first frame, then answer keys until a screen or the queue ends the run."""
        self.show()
        self.ctx.worker.attach(self._post)
        self.keys.open()  # keys pressed before the first frame do not count
        import_menus()
        store = self.ctx.store
        self.ctx.worker.begin(lambda job: store.check_index(job.pause), store.end_check, idle=True)
        while self.quit is None and not self.keys.stopped:
            self.step(self._longest_wait())
        self.ctx.worker.close()
        return self.quit or Quit()

    def _post(self, act: Errand) -> bool:
        """Let the loop call `act` when no key waits, then show the new frame; for any thread.

        Return whether the queue had room.
        """

        def act_and_stay() -> Action:
            act()
            return Stay()

        return self.keys.post(lambda: self._handle(act_and_stay))

    def play_script(self, keys: Iterable[Key]) -> None:
        """Press keys one after the other until the last one or until one quits."""
        self.show()
        for key in keys:
            self.press(key)
            if self.quit is not None:
                return

    def step(self, timeout_s: float | None) -> None:
        """Wait for the next input and answer it, then do what is due; jobs pause meanwhile."""
        task = self.keys.get(timeout_s)
        with self.ctx.worker.pause_jobs():
            match task:
                case Tap(name=name):
                    self.tap(name)
                case Key():
                    self.press(task)
                case None:
                    pass
                case _:
                    task()
            self.expire()
            self._retry_store()
            for output in self.outputs:
                output.poll()
            # show an alert for lost keys, and for each key down too long for a finger
            lost = sum(output.lost_keys() for output in self.outputs)  # asking resets them
            if lost:
                self.bulletin.tell(lost_text(self.ctx.texts))
            stuck = {key for output in self.outputs for key in output.stuck_keys()}
            for key in sorted(stuck - self._stuck):
                self.bulletin.tell(stuck_text(self.ctx.texts, key))
            if lost or stuck - self._stuck:
                self.show()
            self._stuck = stuck

    def _retry_store(self) -> None:
        """Every RETRY_S, try to write data that a failing store holds in memory."""
        if self.ctx.store.trouble is None or not self._store_backoff.due:
            return
        self._store_backoff.note_failure()
        if self.ctx.store.retry():
            self.show()

    def expire(self) -> None:
        """Let the screen on top act if its deadline has passed."""
        deadline = self._deadline()
        if deadline is not None and self.ctx.clock() >= deadline:
            self._handle(self._expire)

    def _expire(self) -> Action:
        action = Uncover() if self.screen.deadline() is None else self.screen.expire()
        self._has_input = action != Stay()  # Stay: keys still mean the same
        return action

    def _longest_wait(self) -> float | None:
        """Return the longest time to wait for a key, in seconds; None: no limit."""
        waits = [wait for output in self.outputs if (wait := output.poll_every_s()) is not None]
        deadline = self._deadline()
        if deadline is not None:
            waits.append(max(0.0, deadline - self.ctx.clock()))
        if self.ctx.store.trouble is not None:
            waits.append(RETRY_S)
        return min(waits, default=None)


class FaultScreen(Screen):
    """Replaces a first screen that failed; each key leads to the first menu."""

    def frame(self) -> Frame:
        lines = (
            self.tx("line", "A fault in the program. Any key leads to the menu."),
            self.tx("line", "beisitzer report writes down what helps to mend it."),
        )
        return Frame(
            Header("Beisitzer"), Body(lines=lines), keys=soft((Key.ENTER, self.tx("soft", "menu")))
        )

    def press(self, key: Key) -> Action:
        del key
        return Open()


def _warned(frame: Frame) -> Frame:
    """Return the frame with the mark for a store that cannot write."""
    return replace(frame, header=replace(frame.header, corner=f"!{frame.header.corner}"))


Opener = Callable[[Context, Open], Screen]
"""Makes the screen that an action asks for."""


def table_screen(ctx: Context, table: Table) -> Screen:
    """Return the screen of the current turn, or of the result if the game is over."""
    if table.position.result is None:
        return turn_screen(ctx, table)
    from pi_app.screens.playing.result import ResultScreen

    BotSeats(ctx.store, table.id).forget_cards()
    return ResultScreen(ctx, table)


def _open_table(ctx: Context, asked: Open) -> Screen:
    return home(ctx) if asked.table is None else table_screen(ctx, asked.table)


def _later(module: str) -> Opener:
    """Return a function that imports a module when needed, and calls its `open_screen`."""

    def open_screen(ctx: Context, asked: Open) -> Screen:
        screen: Screen = import_module(module).open_screen(ctx, asked)
        return screen

    return open_screen


_MENUS = {
    "home": "pi_app.screens.starting.home",
    "menu": "pi_app.screens.playing.menu",
    "moments": "pi_app.screens.starting.moments",
}
PLACES: Mapping[str, Opener] = {
    "table": _open_table,
    **{name: _later(module) for name, module in _MENUS.items()},
}
"""Functions that open screens of higher rooms, by the name in `Open`."""
BOTTOM = {"home", "table"}
"""The places that clear the whole stack; other screens open above the current one."""


def home(ctx: Context) -> Screen:
    """Return the first menu."""
    return PLACES["home"](ctx, Open())


def import_menus() -> None:
    """Import the most used screens before they are needed."""
    for module in (_MENUS["home"], _MENUS["menu"], "pi_app.screens.playing.result"):
        import_module(module)
