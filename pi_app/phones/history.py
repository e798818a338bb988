"""The history for browsers, read outside the loop."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from engines.notation import Fault
from engines.record import write
from pi_app.past.evaluation import Evaluations
from pi_app.past.games import began, day_played, ending, game_words, points_report
from pi_app.past.outcomes import Outcome, outcome_in, outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.phones.frames import report_data
from pi_app.store import GameEntry, Reader, Store
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table, outcome, record_of
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable_data

PAGE = 20
"""Games on a page."""
MOST_MOVES = 1500
"""The moves of a longer game are left out: they would not fit into a line of the protocol."""
MOST_RECORD = 160_000
"""A record with more characters is left out for the same reason."""

Found = Mapping[str, Any]
"""The fields of an answer, as JSON values."""


def page_data(tx: Texts, store: Store, page: int) -> Found:
    """Return a page of games in words, the latest first."""
    pages = ceil(store.count_games() / PAGE)
    page = min(page, max(0, pages - 1))
    entries = store.list_games(PAGE, page * PAGE)
    rows = [_row(tx, outcome_in(entry)) for entry in entries]
    title = tx("title", "Statistics") if rows else ""
    return printable_data({"page": page, "pages": pages, "games": rows, "statistics": title})


def game_data(
    tx: Texts, store: Store, game: int, evaluations: Evaluations | None = None
) -> Found | None:
    """Return a game's result, moves in words, points and record; None if there is no such game.

    Its evaluation is included, unless `evaluations` is None.
    """
    entry = store.find_game(game)
    if entry is None:
        return None
    try:
        record = write(record_of(store.load(game)))
    except (ValueError, KeyError):  # it has text that no record can contain, or was deleted
        record = ""
    replayed: Found | None = None
    # each round has a line, so a game with more lines is too long to replay
    if record.count("\n") <= MOST_MOVES:
        replayed = _replayed(tx, store, entry, evaluations)
    if replayed is None:
        replayed = {"lines": [], "moves": [], "curves": [], "course": None}
    row = _row(tx, outcome_in(entry))
    del row["id"]  # the answer's `id` is the request's
    # the record stays as it is, with its line feeds: its tags were cleaned when it was read
    data = printable_data({**row, **replayed})
    return {**data, "record": record if len(record) < MOST_RECORD else ""}


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
    try:
        table = Table.resume(None, games.load(entry.id))
        presentation = PRESENTATIONS[table.game.name]
    except (Fault, KeyError):
        return None
    if len(table.steps) > MOST_MOVES:
        return None
    display_name = display_name_in(games, entry.id)
    result = outcome(table.game, table.tags, table.tokens(), table.position)
    points = report_data(points_report(tx, table, display_name))
    course = None
    if evaluations is not None and evaluations.can(table):
        course = report_data(evaluations.report(tx, table, display_name))
    return {
        "lines": () if result is None else presentation.result_lines(tx, table.position, result),
        "moves": [
            f"{display_name(step.player.name)}: {presentation.moves.line(tx, step)}"
            for step in table.steps
        ],
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
