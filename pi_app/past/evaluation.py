"""A game's evaluation for people: curves of the chances, and turning points in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from engines.game import AnyPosition, Step, attempt
from engines.games import has_ai
from pi_app.store import content_key
from pi_app.system.worker import Worker
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Curve
from pi_app.view.report import Report

if TYPE_CHECKING:
    from ai.evaluation import Evaluation, Point, Turn

MOVE_LIMIT = 600
"""Longer games are not evaluated."""
EVALUATION_LIMIT = 20
"""How many games' evaluations are remembered."""


class Evaluations:
    """Evaluates finished games, and remembers the latest ones. Callable from any thread."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._known: dict[str, Evaluation] = {}
        self.begun = 0
        """How many evaluations beside the loop are not done yet."""

    def can(self, table: Table) -> bool:
        """Tell whether a game can be evaluated: it is over, short enough, and has an AI."""
        over = table.position.result is not None
        return over and 0 < len(table.steps) <= MOVE_LIMIT and has_ai(table.game.name)

    def find(self, table: Table, pace: Callable[[], None] = lambda: None) -> Evaluation:
        """Return the evaluation of a game that can be evaluated; call `pace` after each move."""
        from ai import AI  # not needed at a start
        from ai.evaluation import evaluate

        tags, tokens = table.tags, list(table.tokens())
        known = self._known.get(content_key(tags, tokens))
        if known is None:
            known = evaluate(AI[table.game.name], table.start, table.steps, pace)
            self.remember(tags, tokens, known)
        return known

    def remember(
        self, tags: Mapping[str, str], tokens: Sequence[str], evaluation: Evaluation
    ) -> None:
        """Remember the evaluation of a game, and forget the oldest one if there are too many."""
        self._known[content_key(tags, tokens)] = evaluation
        for key in list(self._known)[:-EVALUATION_LIMIT]:
            self._known.pop(key, None)

    def report(self, tx: Texts, table: Table, display_name: Callable[[str], str] = str) -> Report:
        """Return the course of a game that can be evaluated."""
        played = (self.find(table), table.start, table.steps)
        return course_report(tx, PRESENTATIONS[table.game.name], *played, display_name)

    def begin(self, table: Table, done: Callable[[Evaluation | None], None]) -> None:
        """Evaluate a game beside the loop, which calls `done`: with None if that fails.

        A remembered evaluation is delivered at once.
        """
        known = self._known.get(content_key(table.tags, list(table.tokens())))
        if known is not None:
            done(known)
            return

        def end(evaluation: Evaluation | None) -> None:
            self.begun -= 1
            done(evaluation)

        self.begun += 1
        if self._worker.begin(lambda job: self.find(table, job.pause), end, idle=True) is None:
            end(None)


def course_report(
    tx: Texts,
    presentation: AnyPresentation,
    evaluation: Evaluation,
    start: AnyPosition,
    steps: Sequence[Step],
    display_name: Callable[[str], str] = str,
) -> Report:
    """Return each player's chance after each move, and the turning points.

    Each player or team has a curve in percent; unknown hands make it a band. `display_name` returns
    how to show a player's name.
    """
    turning = [turn_words(tx, presentation, turn, start, steps) for turn in evaluation.turns]
    heading = (
        tx("line", "How likely each was to win, in percent. Marked: where the game turned.")
        if turning
        else tx("line", "How likely each was to win, in percent.")
    )
    lines = [heading, *(turning or [tx("line", "No single move turned the game.")])]
    if any(point.spreads for point in evaluation.points):
        lines.append(tx("line", "Bands: as far as the unseen hands move it."))
    turns = {(turn.move, turn.seat) for turn in evaluation.turns}
    rows = tuple(
        {
            "game": presentation.game.name,
            "n": point.move,
            # point 0 is the start
            "player": steps[point.move - 1].player.name if point.move else None,
            "move": steps[point.move - 1].token if point.move else None,
            "name": player.name,
            "chance": round(point.chances[seat], 4),
            "turn": (point.move, seat) in turns,
        }
        for point in evaluation.points
        for seat, player in enumerate(start.players)
    )
    # the seats of a side have the same chances: its first one stands for all
    curves = tuple(
        Curve(
            join_names(tx, [display_name(start.players[seat].name) for seat in side]),
            start.players[side[0]].colour,
            tuple(round(100 * point.chances[side[0]]) for point in evaluation.points),
            unit="%",
            spreads=_spreads(evaluation.points, side[0]),
            turns=tuple(turn.move for turn in evaluation.turns if turn.seat in side),
        )
        for side in _sides(start)
    )
    return Report(tx("title", "Chances in %"), tuple(lines), rows, curves)


def _sides(start: AnyPosition) -> list[list[int]]:
    """Return the seats of each side: players of one colour win together."""
    sides: dict[str, list[int]] = {}
    for seat, player in enumerate(start.players):
        sides.setdefault(player.colour, []).append(seat)
    return list(sides.values())


def _spreads(points: Sequence[Point], seat: int) -> tuple[int, ...]:
    """Return how much a chance varies with the unseen hands, in percent; () if not measured.

    Each is measured with few hands only, so it is averaged with its neighbours; the end is certain.
    """
    if not all(point.spreads for point in points):
        return ()
    certain = points[-1].chances[seat] in (0, 1)
    # spreads are averaged by their squares, as standard deviations are
    squares = [point.spreads[seat] ** 2 for point in (points[:-1] if certain else points)]
    # each square with the one before and the one after it, where there are such
    windows = [squares[max(0, index - 1) : index + 2] for index in range(len(squares))]
    steady = [round(100 * sqrt(sum(window) / len(window))) for window in windows]
    return (*steady, 0) if certain else tuple(steady)


def turn_words(
    tx: Texts, presentation: AnyPresentation, turn: Turn, start: AnyPosition, steps: Sequence[Step]
) -> str:
    """Say which player's chance fell at which move.

    With two sides, the mover's rise is said instead. A move
    is called a mistake only if the player knew everything needed to judge it.
    """
    # moves count from 1
    step = steps[turn.move - 1]
    facts: dict[str, object] = {
        "n": turn.move,
        "name": step.player.name,
        "move": presentation.moves.line(tx, step),
        "points": round(100 * turn.fell),
    }
    before = steps[turn.move - 2].after if turn.move > 1 else start
    better = attempt(before, turn.better) if turn.better else None
    # a move stored by an AI of another version may be illegal here: it is not mentioned
    if isinstance(better, Step):
        return tx(
            "line",
            "move {n}: {name} ({move}), a mistake: {name}'s chance fell by {points} percentage "
            "points. Better: {better}",
            **facts,
            better=presentation.moves.line(tx, better),
        )
    sides = [[start.players[seat].name for seat in side] for side in _sides(start)]
    loser = start.players[turn.seat].name  # the player with the fallen chance
    lost = next(side for side in sides if loser in side)
    # only with two sides does the other one gain what this one lost
    if len(sides) == 2 and step.player.name not in lost:
        facts["other"] = join_names(tx, next(side for side in sides if side is not lost))
        return tx(
            "line",
            "move {n}: {name} ({move}): {other}'s chance rose by {points} percentage points",
            **facts,
        )
    facts["other"] = join_names(tx, lost)
    return tx(
        "line",
        "move {n}: {name} ({move}): {other}'s chance fell by {points} percentage points",
        **facts,
    )
