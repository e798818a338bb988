"""A table for tests: the companion with a store in memory and a stopped clock."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from beisitzer.testing.by_name import choose, press
from engines.record import begin, parse
from engines.replay import steps
from hardware.keys import Key
from pi_app.phones.menu import PairScreen, PhoneMenu
from pi_app.phones.pairing import Pairing
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import HelpLevel, HelpSettings, Settings
from pi_app.store.store import PlayedElsewhere, Store
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Signal
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import Output

TWO = "Anna yellow, Ben red"
NOW = datetime(2026, 4, 1, 15, tzinfo=UTC)
"""The time in every test, unless it sets another."""


def at_home(port: int) -> tuple[str, ...]:
    """Return the addresses at which browsers reach the table."""
    return (f"http://192.168.178.20:{port}", f"http://beisitzer.local:{port}")


def store_games(store: Store, *records: str) -> None:
    """Store records as past games, one a day."""
    games: list[PlayedElsewhere] = []
    for day, text in enumerate(records, 1):
        record = parse(text)
        _, position = begin(record)
        for step in steps(position, record.tokens):
            position = step.after
        began = f"2026-03-{day:02}T12:00:00+00:00"
        games.append((record.tags, record.tokens, began, position.result))
    store.add_all(games)


class Clock:
    """A clock in seconds that a test advances."""

    def __init__(self) -> None:
        self.now: float = 100.0

    def __call__(self) -> float:
        return self.now


class Recorder(Output):
    """Records every frame and signal."""

    name = "recorder"

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.signals: list[Signal] = []

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)

    def signal(self, signal: Signal) -> None:
        self.signals.append(signal)


class Pilot:
    """A companion whose keys come from scripts; `frame` is what the table sees."""

    def __init__(
        self,
        tags: dict[str, str] | None = None,
        language: str = "en",
        store: Store | Path | None = None,
    ) -> None:
        self.clock: Clock = Clock()
        self.recorder: Recorder = Recorder()
        opened = store if isinstance(store, Store) else Store(store or ":memory:")
        self.today = NOW
        self.ctx: Context = Context(
            Texts(language), Settings(), opened, self.clock, urls=at_home, now=lambda: self.today
        )
        self.pairing: Pairing = Pairing(None, self.clock, digits=lambda: "482913")
        first = first_screen(self.ctx, Wish(tags))
        self.program: Companion = companion(self.ctx, first, KeyQueue(), [self.recorder])
        self.program.phones = lambda: PhoneMenu(self.ctx, self.pairing)
        self.program.invitation = lambda: PairScreen(self.ctx, self.pairing)
        self.program.show()

    @classmethod
    def game(cls, game: str, players: str = TWO, language: str = "en", **tags: str) -> Self:
        """Return a pilot with a game just begun."""
        return cls({"Game": game, "Players": players, **tags}, language)

    def give_tips(self) -> None:
        """Give tips to everybody who has not chosen another help level."""
        self.ctx.settings = replace(self.ctx.settings, help=HelpSettings(HelpLevel.TIPS))
        self.restart()

    def key(self, script: str | Iterable[Key]) -> Frame:
        """Press keys, or a script that may choose by name; return the frame after them.

        A script is text as in docs/play.md, "Key scripts": `5#` keys 5 and ENTER, `<` is C (BACK),
        `<<` C held, `?` D (MENU).
        """
        if isinstance(script, str):
            press(self.program, script)
        else:
            for key in script:
                self.program.press(key)
        return self.frame

    def restart(self) -> None:
        """Begin the turn again, as after a restart of the companion."""
        self.program.stack = [first_screen(self.ctx, Wish())]
        self.program.show()

    def choose(self, *words: str) -> Frame:
        """Choose entries of lists, one after the other, by their English words."""
        for word in words:
            choose(self.program, word)
        return self.frame

    def wait(self, seconds: float) -> Frame:
        """Advance the clock without a key."""
        self.clock.now += seconds
        self.program.expire()
        return self.frame

    @property
    def frame(self) -> Frame:
        frame = self.program.frame
        if frame is None:
            raise AssertionError("nothing was shown")
        return frame

    @property
    def table(self) -> Table:
        """The table whose turn is on the screen."""
        screen = self.program.screen
        assert isinstance(screen, TurnScreen), f"no turn is shown, but {type(screen).__name__}"
        return screen.table

    def tokens(self) -> tuple[str, ...]:
        """Return the stored moves of the latest game."""
        game = self.ctx.store.latest_game()
        return () if game is None else self.ctx.store.load(game).tokens
