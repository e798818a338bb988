"""A pilot that prepares scenes: games that were played before, their evaluations, tips."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

import pytest

from ai.evaluation import Evaluation, Mistake, Point, Turn
from beisitzer.testing import pilot
from beisitzer.testing.pilot import Clock, choose
from engines.game import AnyPosition, Result, Step, attempt, steps
from engines.games import GAMES
from engines.record import begin, parse
from hardware.keys import Key
from pi_app.past.evaluation import Evaluations
from pi_app.phones.menu import PairScreen, PhoneMenu
from pi_app.phones.pairing import Pairing
from pi_app.phones.protocol import WebSettings
from pi_app.screens import tips
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.tips import Tip
from pi_app.settings.file import ENVIRONMENT, save
from pi_app.settings.schema import HelpLevel, HelpSettings
from pi_app.store import Store, new_file
from pi_app.system.worker import Worker
from pi_app.table.table import Table
from pi_app.view.frame import Choices, Entry, Frame, Mark, Picture, Signal
from pi_app.view.keying import keys_of_character
from pi_app.view.output import Output
from tests.pi_app.learnt import learn
from tests.scenes import Scene

__all__ = ["Clock"]

TWO = "Anna yellow, Ben red"


def at_home(port: int) -> tuple[str, ...]:
    """Return the addresses at which browsers reach the table."""
    return (f"http://192.168.178.20:{port}", f"http://beisitzer.local:{port}")


PlayedElsewhere = tuple[Mapping[str, str], Sequence[str], str, Result | None]
"""Tags, moves, when it began (ISO format) and how it ended."""


def add_games(store: Store, games: Iterable[PlayedElsewhere]) -> list[int]:
    """Store games that were played elsewhere, as an import does; return their numbers."""
    files = (
        new_file(0, tags, began, tokens=tokens, result=result)
        for tags, tokens, began, result in games
    )
    before = store.latest_game() or 0
    store.add_files(files)
    return list(range(before + 1, (store.latest_game() or 0) + 1))


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
    add_games(store, games)


def choices_of(frame: Frame) -> Choices:
    """Return the list that a frame has to show."""
    assert frame.body.choices is not None
    return frame.body.choices


def entry_of(frame: Frame) -> Entry:
    """Return what a frame has to show of what is keyed."""
    assert frame.body.entry is not None
    return frame.body.entry


def picture_of(frame: Frame) -> Picture:
    """Return the board that a frame has to show."""
    assert frame.board.picture is not None
    return frame.board.picture


def marked(frame: Frame, mark: Mark) -> set[str]:
    """Return the cells of a frame's board that have this mark."""
    return {cell.name for cell in picture_of(frame).cells if mark in cell.marks}


def at_once(work: Callable[[], None]) -> bool:
    """Do beside the loop what can be done before it goes on."""
    work()
    return True


def evaluation_in(scene: Scene, game: int) -> Evaluation:
    """Return how a game of a scene went."""
    told = scene.evaluations[game]
    shares = [(chance / 100, 1 - chance / 100) for chance in told["chances"]]
    spreads: list[tuple[float, ...]] = [(each / 100,) * 2 for each in told.get("spreads", ())]
    spreads = spreads or [()] * len(shares)
    points = [
        Point(move, chances, spread)
        for move, (chances, spread) in enumerate(zip(shares, spreads, strict=True))
    ]
    turns = [Turn(move, seat, fell / 100, *better) for move, seat, fell, *better in told["turns"]]
    moments = [
        Mistake(
            move, seat, lost / 100, tuple(right), tuple((code, facts) for code, facts in reasons)
        )
        for move, seat, lost, right, reasons in told.get("moments", ())
    ]
    return Evaluation(tuple(points), tuple(turns), tuple(moments))


def known_evaluations(scene: Scene) -> Evaluations:
    """Return the evaluations of a scene's games."""
    evaluations = Evaluations(Worker())
    for index, text in enumerate(scene.games):
        record = parse(text)
        evaluations.remember(record.tags, record.tokens, evaluation_in(scene, index))
    return evaluations


def tips_of(
    told: Iterable[tuple[str, float]], game: str, position: AnyPosition, given: object
) -> tuple[Tip, ...]:
    """Return these moves with these chances as tips; the reasons are true."""
    from ai import AI  # a pilot without tips does without ai

    found = []
    for token, chance in told:
        step, move = attempt(position, token), position.parse(token)
        assert isinstance(step, Step)
        reasons = tuple(AI[game].reasons(position, move, given))
        found.append(Tip(step, chance, 100, reasons))
    return tuple(found)


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


class Pilot(pilot.Pilot):
    """A pilot that records frames, lets phones in, and on which scenes are prepared."""

    def __init__(
        self,
        tags: dict[str, str] | None = None,
        language: str = "en",
        store: Store | Path | None = None,
    ) -> None:
        super().__init__(tags, language, store)
        self.recorder = Recorder()
        self.told: tuple[tuple[str, float], ...] = ()
        """The moves and chances that tips are; () for what the AI finds."""
        self.ctx.urls = at_home
        self.pairing = Pairing(None, self.clock, digits=lambda: "482913")
        self.ctx.invites = lambda: self.ctx.settings.of(WebSettings).enabled
        self.program.invitation = invitation = lambda: PairScreen(self.ctx, self.pairing)
        self.program.places["phones"] = lambda *_: PhoneMenu(self.ctx, self.pairing, invitation)
        self.program.follow(self.recorder)
        self.program.show()

    def key(self, script: str | Iterable[Key]) -> Frame:
        if not self.told:
            return super().key(script)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(tips, "find_tips", partial(tips_of, self.told))
            return super().key(script)

    @classmethod
    def game(cls, game: str, players: str = TWO, language: str = "en", **tags: str) -> Self:
        """Return a pilot with a game just begun."""
        return cls({"Game": game, "Players": players, **tags}, language)

    @classmethod
    def after(cls, *records: str) -> Self:
        """Return a pilot at a table on which these records were played before."""
        store = Store(":memory:")
        store_games(store, *records)
        return cls(store=store)

    @property
    def turn_screen(self) -> TurnScreen:
        """The screen, which must be that of a turn."""
        screen = self.program.screen
        assert isinstance(screen, TurnScreen), f"no turn is shown, but {type(screen).__name__}"
        return screen

    @property
    def table(self) -> Table:
        """The table of the turn on the screen."""
        return self.turn_screen.table

    def give_tips(self) -> None:
        """Give tips to everybody who has not chosen another help level."""
        self.ctx.settings = replace(self.ctx.settings, help=HelpSettings(HelpLevel.TIPS))
        self.restart()

    def choose(self, *words: str) -> Frame:
        """Choose entries of lists, one after the other, by their English words."""
        for word in words:
            choose(self.program, word)
        return self.frame

    def write(self, text: str) -> Frame:
        """Key a text by the keys of its characters."""
        for character in text:
            keys = keys_of_character(character)
            assert keys, character
            self.key(keys)
        return self.frame

    def keep_settings(self, file: Path) -> dict[str, str]:
        """Keep settings in this file from now on; return the environment that names it."""
        file.touch()
        environ = {ENVIRONMENT: str(file)}
        self.ctx.save = lambda key, value: save(key, value, environ)
        return environ

    def wait(self, seconds: float) -> Frame:
        """Advance the clock without a key."""
        self.clock.now += seconds
        self.program.expire()
        return self.frame

    @classmethod
    def scene(cls, scene: Scene, language: str) -> Self:
        """Return a pilot on which a scene has just been prepared, before its keys."""
        store = Store(":memory:")
        store_games(store, *scene.games)
        if scene.learnt:
            learn(store)
        ready = cls(scene.tags or None, language, store)
        if scene.evaluations:
            ready.ctx.evaluations = known_evaluations(scene)
        if scene.tips:
            ready.give_tips()
            ready.told = scene.tips
        return ready

    def play_tokens(self, tokens: Iterable[str]) -> None:
        """Play the moves of a record on the screen of the turn, the last one too."""
        screen = self.turn_screen
        for token in tokens:
            self.program.do(partial(screen.turn.play_token, token))


_FRAMES: dict[tuple[str, ...], Frame] = {}


def frame_of(scene: Scene, language: str) -> Frame:
    """Return what a scene shows after its keys; it is played once a process."""
    key = (scene.name, language, *GAMES)
    if key not in _FRAMES:
        _FRAMES[key] = Pilot.scene(scene, language).key(scene.keys)
    return _FRAMES[key]
