"""The history for browsers: read beside the companion, by a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from engines.game import IllegalMoveError, SetupError
from engines.record import write
from pi_app.past.evaluation import curves_of
from pi_app.past.figures import (
    game_words,
    heat_lines,
    heat_map,
    overview_lines,
    pair_lines,
    player_lines,
)
from pi_app.past.outcomes import name_companions, outcome_of
from pi_app.past.reckoning import Evaluations, evaluation_or_progress
from pi_app.past.statistics import GameStatistics, wins
from pi_app.phones.frames import picture_data
from pi_app.screens.starting.history import began_at, outcome, played_on
from pi_app.screens.starting.statistics import GamesCount, pair_row
from pi_app.store.archive import (
    GameEntry,
    ReadFile,
    count_games,
    find_game,
    finished_stamp,
    list_games,
    record_of,
)
from pi_app.store.database import Damage
from pi_app.store.store import Reader, Store
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable, printable_data
from pi_app.view.chart import curves

PAGE = 20
"""Games on a page."""
MOST_MOVES = 1500
"""A longer game is not told move by move: it would not fit a line."""
MOST_RECORD = 160_000
"""Characters of a record that still fits a line."""
MOST_PEOPLE = 50
"""Players, and pairs, that are told of a game."""

Found = Mapping[str, Any]
Report = Callable[[Damage], object]
"""Takes the damage that was met, so that the store is mended and the table told."""


@contextmanager
def _games(path: Path, report: Report) -> Iterator[Reader]:
    with closing(ReadFile(path)) as file:
        try:
            yield Reader(file)
        finally:
            if file.damage is not None:
                report(file.damage)


def page_data(tx: Texts, path: Path | None, page: int, report: Report) -> Found:
    """Return a page of games, the latest first, in words; none where nothing is kept."""
    if path is None:
        return {"page": 0, "pages": 0, "games": [], "statistics": ""}
    with _games(path, report) as games:
        pages = -(-count_games(games) // PAGE)
        page = min(page, max(0, pages - 1))
        rows = [
            _row(tx, name_companions(games, one)) for one in list_games(games, PAGE, page * PAGE)
        ]
    title = tx("title", "Statistics") if rows else ""
    return printable_data({"page": page, "pages": pages, "games": rows, "statistics": title})


def game_data(
    tx: Texts, path: Path | None, game: int, report: Report, evaluations: Evaluations | None = None
) -> Found | None:
    """Return all about a game: its end, moves in words, points, record; None if it is not there.

    How it went is told if that was found out; else `evaluations` begins with it, if it can.
    """
    if path is None:
        return None
    with _games(path, report) as games:
        entry = find_game(games, game)
        if entry is None:
            return None
        try:
            record = write(record_of(games, entry))
        except ValueError:  # what an import let in and no record can hold
            record = ""
        told: Found = {"lines": [], "moves": [], "curves": [], "course": None}
        if record.count("\n") <= MOST_MOVES:
            told = _told(tx, games, entry, evaluations) or told
        row = _row(tx, name_companions(games, entry))
    del row["id"]  # an answer has the request's
    # the record keeps its lines: it can be read in elsewhere, and its tags were cleaned when read
    said = printable_data({**row, **told})
    return {**said, "record": record if len(record) < MOST_RECORD else ""}


def _row(tx: Texts, entry: GameEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "game": game_words(tx, entry.game),
        "day": ", ".join(filter(None, (played_on(tx, entry), began_at(entry)))),
        "players": ", ".join(entry.players),
        "over": entry.result is not None,
        "result": _result(tx, entry),
    }


def _result(tx: Texts, entry: GameEntry) -> str:
    """Say how a game ended, with everybody's points where it was decided by points."""
    points = [placing.points for placing in outcome_of(entry).placings]
    if not points or None in points:
        return outcome(tx, entry)
    score = tx("page", "{score} points", score=":".join(map(str, points)))
    return f"{outcome(tx, entry)} {score}"


def _told(
    tx: Texts, games: Reader, entry: GameEntry, evaluations: Evaluations | None
) -> Found | None:
    """Return what follows from replaying a game; None for one that cannot be replayed here."""
    try:
        table = Table.resume(None, games.load(entry.id))
        presentation = PRESENTATIONS[table.game.name]
    except (SetupError, IllegalMoveError, KeyError):
        return None
    if len(table.steps) > MOST_MOVES:
        return None
    positions = [table.start, *(step.after for step in table.steps)]
    called = display_name_in(games, entry.id)
    lines = curves(table.game, positions) or ()
    return {
        "lines": list(presentation.result_lines(tx, table.position)),
        "moves": [
            f"{called(step.player.name)}: {presentation.move_words(tx, step)}"
            for step in table.steps
        ],
        "curves": [asdict(replace(line, name=called(line.name))) for line in lines],
        "course": _evaluation(tx, table, evaluations, called) if games.whole else None,
    }


def _evaluation(
    tx: Texts, table: Table, evaluations: Evaluations | None, called: Callable[[str], str]
) -> Found | None:
    """Return how a game went: `over` once nothing is worked out any more; None if it has none."""
    reckoning = evaluations.glance(table) if evaluations is not None else None
    if reckoning is None:
        return None
    known = reckoning.evaluation
    return {
        "title": tx("title", "Chances in %"),
        "lines": list(evaluation_or_progress(tx, table, reckoning)),
        "curves": [asdict(curve) for curve in curves_of(tx, known, table.start, called)]
        if known is not None
        else [],
        "over": known is not None or reckoning.over,
    }


def stamp_of(store: Store, report: Report) -> object:
    """Return what tells the finished games from any others; beside the loop, as it takes long."""
    if store.path is None:
        return finished_stamp(store)
    with _games(store.path, report) as games:  # the store's own line is the table's
        return finished_stamp(games)


def statistics_data(tx: Texts, counting: GamesCount, game: str) -> Found | None:
    """Return what the finished games say of one game, or which there are; None without it.

    While they are still counted, `counting` is true and `text` says how far that is.
    """
    title, text = tx("title", "Statistics"), counting.words(tx)
    if text or not game:
        return printable_data(
            {
                "title": title,
                "text": text,
                "counting": counting.games is None,
                "games": [
                    {"name": one.game, "game": game_words(tx, one.game), "n": one.length.games}
                    for one in counting.games or ()
                ],
            }
        )
    one = next((one for one in counting.games or () if printable(one.game) == game), None)
    return None if one is None else printable_data(_of_game(tx, one))


def _of_game(tx: Texts, one: GameStatistics) -> Found:
    """Return what the finished games say of one game."""
    lines = wins(one)
    count = len(lines[0].points) - 1 if lines else 0
    return {
        "title": game_words(tx, one.game),
        "all": tx("title", "Statistics"),
        "lines": list(overview_lines(tx, one)),
        "boards": [board for barred in (False, True) if (board := _heat(tx, one, barred=barred))],
        "wins": {
            "title": tx.many("title", "Wins, {n} game", "Wins, {n} games", count),
            "curves": [asdict(curve) for curve in lines],
        },
        "lists": [
            {
                "title": tx("title", "Players"),
                "rows": [
                    {
                        "text": tx(
                            "page",
                            "{name}: {won} of {most} won",
                            name=player.player,
                            won=player.won,
                            most=player.played,
                        ),
                        "lines": list(player_lines(tx, player)),
                    }
                    for player in one.ranking[:MOST_PEOPLE]
                ],
            },
            {
                "title": tx("title", "Pairs"),
                "rows": [
                    {"text": pair_row(pair), "lines": list(pair_lines(tx, pair))}
                    for pair in one.meetings[:MOST_PEOPLE]
                ],
            },
        ],
    }


def _heat(tx: Texts, one: GameStatistics, *, barred: bool) -> Found | None:
    boards = one.boards
    picture = heat_map(tx, one.game, boards, barred=barred)
    if picture is None:
        return None
    return {
        "title": tx("title", "Blocked fields") if barred else tx("title", "Favourites"),
        "lines": list(heat_lines(tx, one.game, boards, barred=barred)),
        "picture": picture_data(picture),
    }
