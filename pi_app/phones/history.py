"""The history for browsers, read outside the loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.notation import Fault
from pi_app.past.evaluation import Evaluations
from pi_app.past.games import began, day_played, ending, game_words, points_report
from pi_app.past.outcomes import Outcome, outcome_in, outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.phones.frames import report_data
from pi_app.phones.protocol import AskGame, AskHistory, FromBrowser
from pi_app.store import GameEntry, Reader, Store
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table, outcome
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable_data

GAME_LIMIT = 100
"""How many games are listed; the table's own list has all."""
MOVE_LIMIT = 1500
"""The points of a longer game are left out: they would not fit into a line of the protocol."""

Found = Mapping[str, Any]
"""The fields of an answer, as JSON values."""


def past_data(
    tx: Texts, store: Store, evaluations: Evaluations | None, asked: FromBrowser
) -> Found | None:
    """Return what a phone asks about past games; None if there is no such game."""
    match asked:
        case AskHistory():
            return page_data(tx, store)
        case AskGame():
            return game_data(tx, store, asked.game, evaluations)
    return statistics_data(tx, store)


def page_data(tx: Texts, store: Store) -> Found:
    """Return the games in words, the latest first."""
    rows = [_row(tx, outcome_in(entry)) for entry in store.list_games(GAME_LIMIT)]
    title = tx("title", "Statistics") if rows else ""
    return printable_data({"games": rows, "statistics": title})


def game_data(
    tx: Texts, store: Store, game: int, evaluations: Evaluations | None = None
) -> Found | None:
    """Return a game's result and points; None if there is no such game.

    Its evaluation is included, unless `evaluations` is None.
    """
    entry = store.find_game(game)
    if entry is None:
        return None
    nothing: Found = {"lines": [], "curves": [], "course": None}
    replayed = _replayed(tx, store, entry, evaluations) or nothing
    row = _row(tx, outcome_in(entry))
    del row["id"]  # the answer's `id` is the request's
    return printable_data({**row, **replayed})


def _row(tx: Texts, outcome: Outcome) -> dict[str, Any]:
    entry, when = outcome.named_entry, began(outcome.entry)
    result, points = ending(tx, entry), [placing.points for placing in outcome.placings]
    if points and None not in points:  # decided by points
        score = tx("page", "{score} points", score=":".join(map(str, points)))
        result = f"{result} {score}"
    return {
        "id": entry.id,
        "game": game_words(tx, entry.game),
        "day": f"{day_played(tx, entry)}, {when:%H:%M}" if when else day_played(tx, entry),
        "players": ", ".join(entry.players),
        "over": entry.result is not None,
        "result": result,
    }


def _replayed(
    tx: Texts, games: Reader, entry: GameEntry, evaluations: Evaluations | None
) -> Found | None:
    """Return the data from a replay; None for a game that cannot be replayed here."""
    if entry.moves > MOVE_LIMIT:
        return None
    try:
        table = Table.resume(None, games.load(entry.id))
        presentation = PRESENTATIONS[table.game.name]
    except (Fault, KeyError):
        return None
    display_name = display_name_in(games, entry.id)
    result = outcome(table.game, table.tags, table.tokens(), table.position)
    points = report_data(points_report(tx, table, display_name))
    course = None
    if evaluations is not None and evaluations.can(table):
        course = report_data(evaluations.report(tx, table, display_name))
    return {
        "lines": () if result is None else presentation.result_lines(tx, table.position, result),
        "curves": points["curves"],
        "course": course,
    }


def statistics_data(tx: Texts, store: Store) -> Found:
    """Return the statistics of each kind of game that was finished."""
    kinds = count(outcomes(store, finished=True))
    found = [report_data(statistics_report(tx, kind)) for kind in kinds]
    text = "" if found else tx("line", "No game was finished yet.")
    data = {"title": tx("title", "Statistics"), "text": text, "reports": found}
    return printable_data(data)
