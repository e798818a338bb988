"""A player's moments on a phone page: a list of players, a question, its answer."""

from collections.abc import Mapping
from typing import Any

from engines.game import Facts, Step, attempt
from pi_app.past.moments import MomentQuestion, moments_of, question_of, store_answer
from pi_app.screens.context import Context
from pi_app.screens.playing.games import given_of, has_moments
from pi_app.screens.starting.moments import (
    Evaluating,
    answer_lines,
    games_to_evaluate,
    nothing_line,
    questions_for,
    waiting_line,
)
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import list_players
from pi_app.table.presentation import PRESENTATIONS
from pi_app.view.frame import Mark

_PARTS = ("name", "game", "move", "asked", "played")
"""The fields of an answer."""


def facts_for(ctx: Context, kind: str, asked: Mapping[str, Any]) -> Facts | None:
    """Return the answer to a request, `moments` or `answer`; None if there is no such moment."""
    if kind == "answer":
        return answer_facts(ctx, **{part: asked[part] for part in _PARTS})
    return player_facts(ctx, asked["name"]) if asked["name"] else players_facts(ctx)


def players_facts(ctx: Context) -> Facts:
    """Return the players who have moments, and how many wait for each."""
    names = [player.name for player in list_players(ctx.store)]
    known = [name for name in names if moments_of(ctx.store, name)]
    players = [{"name": name, "waiting": len(questions_for(ctx, name))} for name in known]
    text = "" if players else nothing_line(ctx, "")
    return {"title": ctx.texts("page", "Moments"), "players": players, "text": text}


def player_facts(ctx: Context, name: str) -> Facts:
    """Return how many moments wait for a player, and the first of them as a question."""
    # begin to evaluate new games; tell whether that goes on
    busy = ctx.evaluations is not None and ctx.evaluations.begun
    working = bool(busy) or not Evaluating(ctx, games_to_evaluate(ctx, name)).ended
    questions = questions_for(ctx, name)
    text = waiting_line(ctx.texts, len(questions)) if questions else nothing_line(ctx, name)
    if working and not questions:
        text = ctx.texts("line", "Thinks ...")
    question = _question_facts(ctx, questions[0]) if questions else None
    return {"title": name, "text": text, "working": working, "question": question}


def _question_facts(ctx: Context, question: MomentQuestion) -> Facts:
    tx, table, moment = ctx.texts, question.table, question.moment
    position, given = table.position, given_of(table.game.name)
    (roll,) = given.spent(moment.played)
    return {
        "game": moment.game,
        "move": moment.move,
        "asked": 0 if moment.progress is None else moment.progress.last,
        "lines": [given.said(tx, position, roll), tx("line", "What would you play?")],
        "picture": PRESENTATIONS[table.game.name].picture(tx, position),
        "seats": PRESENTATIONS[table.game.name].current_seats(tx, position),
        "options": given.options(tx, position, position.seat, HelpLevel.LEGAL, roll).options,
    }


def answer_facts(
    ctx: Context, name: str, game: int, move: int, asked: int, played: str
) -> Facts | None:
    """Judge an answer and store it; None for a missing moment or an invalid move.

    `asked` is when it was answered last, as in the question. An answer that was stored before is
    judged again and not stored twice.
    """
    own = [each for each in moments_of(ctx.store, name) if (each.game, each.move) == (game, move)]
    question = question_of(own[0]) if own and has_moments(own[0].tags["Game"]) else None
    step = None if question is None else attempt(question.table.position, played)
    if question is None or not isinstance(step, Step):
        return None
    moment = question.moment
    right = question.is_right(step)
    if asked == (0 if moment.progress is None else moment.progress.last):
        store_answer(ctx.store, name, moment, ctx.now(), right=right)
    tx, presentation = ctx.texts, PRESENTATIONS[question.table.game.name]
    picture = presentation.picture(tx, question.table.position)
    return {
        "right": right,
        "text": tx("big", "Right") if right else tx("big", "No"),
        "lines": answer_lines(tx, presentation, question, step),
        "picture": picture.with_mark(Mark.SELECTED, question.best.places),
        "seats": presentation.current_seats(tx, question.table.position),
        "waiting": len(questions_for(ctx, name)),
    }
