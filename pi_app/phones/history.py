"""The history for browsers, read outside the loop through a separate connection to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from math import ceil
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
"""The moves of a longer game are left out: they would not fit into a line of the protocol."""
MOST_RECORD = 160_000
"""A record with more characters is left out for the same reason."""
MOST_PEOPLE = 50
"""The most players, and the most pairs, in the statistics of a kind of game."""

Found = Mapping[str, Any]
"""The fields of an answer, as JSON values."""
Report = Callable[[Damage], object]
"""Takes the damage that a reader found, so that the store is mended and people are told."""


@contextmanager
def _games(path: Path, report: Report) -> Iterator[Reader]:
    with closing(ReadFile(path)) as file:
        try:
            yield Reader(file)
        finally:
            if file.damage is not None:
                report(file.damage)


def page_data(tx: Texts, path: Path | None, page: int, report: Report) -> Found:
    """Return a page of games in words, the latest first; an empty one for a store in memory."""
    if path is None:
        return {"page": 0, "pages": 0, "games": [], "statistics": ""}
    with _games(path, report) as games:
        pages = ceil(count_games(games) / PAGE)
        page = min(page, max(0, pages - 1))
        entries = list_games(games, PAGE, page * PAGE)
        rows = [_row(tx, name_companions(games, entry)) for entry in entries]
    title = tx("title", "Statistics") if rows else ""
    return printable_data({"page": page, "pages": pages, "games": rows, "statistics": title})


def game_data(
    tx: Texts, path: Path | None, game: int, report: Report, evaluations: Evaluations | None = None
) -> Found | None:
    """Return a game's result, moves in words, points and record; None if there is no such game.

    Its evaluation is included if it was computed; otherwise `evaluations` starts to compute it.
    """
    if path is None:
        return None
    with _games(path, report) as games:
        entry = find_game(games, game)
        if entry is None:
            return None
        try:
            record = write(record_of(games, entry))
        except ValueError:  # an older version imported text that no record can contain
            record = ""
        replayed: Found | None = None
        # each round has a line: a game with more lines is too long, and need not be replayed
        if record.count("\n") <= MOST_MOVES:
            replayed = _replayed(tx, games, entry, evaluations)
        if replayed is None:
            replayed = {"lines": [], "moves": [], "curves": [], "course": None}
        row = _row(tx, name_companions(games, entry))
    del row["id"]  # the answer's `id` is the request's
    # the record stays as it is, with its line feeds: its tags were cleaned when it was read
    data = printable_data({**row, **replayed})
    return {**data, "record": record if len(record) < MOST_RECORD else ""}


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
    """Say how a game ended, with everybody's points if it was decided by points."""
    points = [placing.points for placing in outcome_of(entry).placings]
    if not points or None in points:
        return outcome(tx, entry)
    score = tx("page", "{score} points", score=":".join(map(str, points)))
    return f"{outcome(tx, entry)} {score}"


def _replayed(
    tx: Texts, games: Reader, entry: GameEntry, evaluations: Evaluations | None
) -> Found | None:
    """Return the data that a replay gives; None for a game that cannot be replayed here."""
    try:
        table = Table.resume(None, games.load(entry.id))
        presentation = PRESENTATIONS[table.game.name]
    except (SetupError, IllegalMoveError, KeyError):
        return None
    if len(table.steps) > MOST_MOVES:
        return None
    positions = [table.start, *(step.after for step in table.steps)]
    display_name = display_name_in(games, entry.id)
    score_curves = curves(table.game, positions) or ()
    return {
        "lines": list(presentation.result_lines(tx, table.position)),
        "moves": [
            f"{display_name(step.player.name)}: {presentation.move_words(tx, step)}"
            for step in table.steps
        ],
        "curves": [asdict(replace(curve, name=display_name(curve.name))) for curve in score_curves],
        # damage may have removed moves: such a game is not evaluated
        "course": _evaluation(tx, table, evaluations, display_name) if games.whole else None,
    }


def _evaluation(
    tx: Texts, table: Table, evaluations: Evaluations | None, display_name: Callable[[str], str]
) -> Found | None:
    """Return a game's evaluation or its progress; None if it cannot be evaluated.

    `over`: it is finished or has failed.
    """
    reckoning = evaluations.glance(table) if evaluations is not None else None
    if reckoning is None:
        return None
    evaluation = reckoning.evaluation
    lines = () if evaluation is None else curves_of(tx, evaluation, table.start, display_name)
    return {
        "title": tx("title", "Chances in %"),
        "lines": list(evaluation_or_progress(tx, table, reckoning)),
        "curves": [asdict(curve) for curve in lines],
        "over": evaluation is not None or reckoning.over,
    }


def stamp_of(store: Store, report: Report) -> object:
    """Return a value that changes when a game ends or changes; slow, so not for the loop."""
    if store.path is None:
        return finished_stamp(store)
    with _games(store.path, report) as games:  # the loop's thread uses the store's connection
        return finished_stamp(games)


def statistics_data(tx: Texts, counting: GamesCount, game: str) -> Found | None:
    """Return the statistics of a kind of game, or with game "" the kinds; None for an unknown one.

    While games are counted, `counting` is true and `text` says how many are done.
    """
    title, text = tx("title", "Statistics"), counting.words(tx)
    if text or not game:
        return printable_data(
            {
                "title": title,
                "text": text,
                "counting": counting.games is None,
                "games": [
                    {"name": kind.game, "game": game_words(tx, kind.game), "n": kind.length.games}
                    for kind in counting.games or ()
                ],
            }
        )
    for kind in counting.games or ():
        if printable(kind.game) == game:  # `game` comes from a request, in printable form
            return printable_data(_of_game(tx, kind))
    return None


def _of_game(tx: Texts, kind: GameStatistics) -> Found:
    """Return the statistics of one kind of game as JSON values."""
    win_curves = wins(kind)
    # the first point is before the first game
    count = len(win_curves[0].points) - 1 if win_curves else 0
    boards = (_heat(tx, kind, barred=False), _heat(tx, kind, barred=True))
    return {
        "title": game_words(tx, kind.game),
        "all": tx("title", "Statistics"),
        "lines": list(overview_lines(tx, kind)),
        "boards": [board for board in boards if board is not None],
        "wins": {
            "title": tx.many("title", "Wins, {n} game", "Wins, {n} games", count),
            "curves": [asdict(curve) for curve in win_curves],
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
                    for player in kind.ranking[:MOST_PEOPLE]
                ],
            },
            {
                "title": tx("title", "Pairs"),
                "rows": [
                    {"text": pair_row(pair), "lines": list(pair_lines(tx, pair))}
                    for pair in kind.meetings[:MOST_PEOPLE]
                ],
            },
        ],
    }


def _heat(tx: Texts, kind: GameStatistics, *, barred: bool) -> Found | None:
    boards = kind.boards
    picture = heat_map(tx, kind.game, boards, barred=barred)
    if picture is None:
        return None
    return {
        "title": tx("title", "Blocked fields") if barred else tx("title", "Favourites"),
        "lines": list(heat_lines(tx, kind.game, boards, barred=barred)),
        "picture": picture_data(picture),
    }
