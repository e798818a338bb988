"""A pilot that prepares scenes: games that were played before, their evaluations, tips."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Self, TypeVar, cast

from ai.evaluation import Evaluation, Mistake, Point, Turn
from beisitzer.testing import pilot
from beisitzer.testing.pilot import TWO, Clock, Recorder, store_games
from engines.game import AnyPosition
from engines.record import parse
from engines.replay import Step, attempt
from pi_app.files.worker import Job, Worker
from pi_app.past.evaluation import content_key, store_evaluation
from pi_app.past.reckoning import Evaluations
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.tips import Tip
from pi_app.store.derived import Derived
from pi_app.store.store import Store
from tests.pi_app.learnt import learn
from tests.scenes import Scene

__all__ = ["TWO", "Clock", "Pilot", "Recorder", "at_once", "store_games"]

T = TypeVar("T")


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
        Point(move, chances, (0.0, 0.0), spread)
        for move, (chances, spread) in enumerate(zip(shares, spreads, strict=True))
    ]
    turns = [Turn(move, seat, fell / 100, *better) for move, seat, fell, *better in told["turns"]]
    moments = [
        Mistake(
            move, seat, lost / 100, tuple(right), tuple((code, facts) for code, facts in reasons)
        )
        for move, seat, lost, right, reasons in told.get("moments", ())
    ]
    return Evaluation(200, tuple(points), tuple(turns), tuple(moments))


def known_evaluations(scene: Scene) -> Evaluations:
    """Return the stored evaluations of a scene's games."""
    derived = Derived(None)
    for index, text in enumerate(scene.games):
        record = parse(text)
        key = content_key(record.tags, record.tokens)
        store_evaluation(derived, key, evaluation_in(scene, index))
    return Evaluations(derived, Worker(), (), 0)


class Told(Worker):
    """Thinks of these moves with these chances on any machine; the reasons are true."""

    def __init__(self, tips: Iterable[tuple[str, float]]) -> None:
        super().__init__()
        self._tips = tuple(tips)

    def begin(
        self, think: Callable[[Job], T], done: Callable[[T | None], None], *, idle: bool = False
    ) -> Job | None:
        asked = cast("partial[T]", think)
        return super().begin(lambda _: cast(T, self._told(*asked.args[:3])), done, idle=idle)

    def _told(self, game: str, position: AnyPosition, given: object) -> tuple[Tip, ...]:
        from ai import AI  # a pilot without tips does without ai

        found = []
        for token, chance in self._tips:
            step, move = attempt(position, token), position.parse(token)
            assert isinstance(step, Step)
            reasons = tuple(AI[game].reasons(position, move, given))
            found.append(Tip(step, chance, 100, reasons))
        return tuple(found)


class Pilot(pilot.Pilot):
    """A pilot on which scenes are prepared."""

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
            ready.ctx.worker = Told(scene.tips)
        return ready

    def play_tokens(self, tokens: Iterable[str]) -> None:
        """Play the moves of a record on the screen of the turn, the last one too."""
        screen = self.program.screen
        assert isinstance(screen, TurnScreen)
        for token in tokens:
            self.program.do(partial(screen.play_token, token))
