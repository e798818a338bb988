"""Exports games for other programs: CSV and a JSON document.

docs/export.md says what the fields mean; a test keeps it in step with this module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from pi_app.files.spreadsheet import PLAIN, CsvForm, csv_text
from pi_app.past.outcomes import Outcome, Placing

SCHEMA = "beisitzer-games"
VERSION = 1
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""

COLUMNS = (
    "id",
    "game",
    "began",
    "ended",
    "minutes",
    "board",
    "rules",
    "moves",
    "reason",
    "player",
    "colour",
    "seat",
    "starts",
    "rank",
    "won",
    "points",
)
"""The columns of a row for each player of each game: the game's columns, then the player's."""


def game_data(outcome: Outcome) -> dict[str, Any]:
    """Return the fields of a game, without its players."""
    entry = outcome.entry
    return {
        "id": entry.id,
        "game": entry.game,
        "began": entry.began,
        "ended": entry.ended,
        "minutes": outcome.minutes,
        "board": entry.tags.get("Board"),
        "rules": entry.tags.get("Rules", ""),
        "moves": outcome.moves,
        "reason": outcome.reason or None,
    }


def seat_data(seat: int, placing: Placing) -> dict[str, Any]:
    """Return the fields of a player; seats count from 1, clockwise."""
    # 0: the game is not over
    over = placing.rank > 0
    return {
        "player": placing.name,
        "colour": placing.colour,
        "seat": seat,
        "starts": placing.starts,
        "rank": placing.rank if over else None,
        "won": placing.won if over else None,
        "points": placing.points,
    }


def document(outcomes: Iterable[Outcome], record: Callable[[Outcome], str]) -> dict[str, Any]:
    """Return the games as one JSON document; `record` returns a game's record."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "games": [
            {
                **game_data(outcome),
                "players": list(outcome.entry.players),
                "seats": [
                    seat_data(seat, placing) for seat, placing in enumerate(outcome.placings, 1)
                ],
                "result": outcome.entry.result,
                "record": record(outcome),
            }
            for outcome in outcomes
        ],
    }


def games_csv(outcomes: Iterable[Outcome], form: CsvForm = PLAIN) -> str:
    """Return the games as CSV: a row of names, then a row for each player of a game."""
    rows = [
        {**game_data(outcome), **seat_data(seat, placing)}
        for outcome in outcomes
        for seat, placing in enumerate(outcome.placings, 1)
    ]
    return csv_text(COLUMNS, ([row[column] for column in COLUMNS] for row in rows), form)


def as_text(data: object) -> str:
    """Return a document as one line of JSON in ASCII."""
    return json.dumps(data) + "\n"
