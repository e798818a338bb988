"""Exports games for other programs: CSV, a JSON document, a play log for BG Stats.

docs/export.md says what the fields mean; a test keeps it in step with this module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID, uuid5

from pi_app.files.spreadsheet import PLAIN, CsvForm, csv_text
from pi_app.past.outcomes import Outcome, Placing, moment
from pi_app.store.archive import fingerprint
from pi_app.table.default_names import is_default_name
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import Texts

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

_OURS = UUID("6b1f0c52-3f0b-5a7e-9d0a-2f6f3c1d8e47")
"""The namespace of our UUIDs: a game, player or play has the same UUID in every export."""


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


def play_log(tx: Texts, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return the finished games in the format of BG Stats: tables that refer to other ids."""
    over = [outcome for outcome in outcomes if outcome.entry.result is not None]
    games = _number_names(outcome.entry.game for outcome in over)
    players = _number_names(placing.name for outcome in over for placing in outcome.placings)
    return {
        "games": [_game_entry(tx, number, name) for name, number in games.items()],
        "players": [
            {
                "id": number,
                "uuid": _uuid("player", name),
                "name": name,
                "isAnonymous": is_default_name(name),
            }
            for name, number in players.items()
        ],
        "locations": [],
        "plays": [_play_entry(outcome, games[outcome.entry.game], players) for outcome in over],
    }


def _number_names(names: Iterable[str]) -> dict[str, int]:
    """Return the names with numbers from 1, in the order of their first appearance."""
    return {name: number for number, name in enumerate(dict.fromkeys(names), 1)}


def _game_entry(tx: Texts, number: int, game: str) -> dict[str, Any]:
    presentation = PRESENTATIONS.get(game)
    return {
        "id": number,
        "uuid": _uuid("game", game),
        "name": presentation.name(tx) if presentation else game,
        "noPoints": presentation is not None and presentation.game.score is None,
        "highestWins": True,
        "cooperative": False,
        "usesTeams": False,
        "bggId": 0,  # not known to BoardGameGeek
        "bggYear": 0,
    }


def _play_entry(outcome: Outcome, game: int, players: Mapping[str, int]) -> dict[str, Any]:
    entry = outcome.entry
    began = moment(entry.began)
    return {
        "uuid": _uuid("play", f"{entry.id} {entry.began} {fingerprint(entry.tags)}"),
        "gameRefId": game,
        # the app's times are those of the clock on the wall
        "playDate": f"{began.astimezone():%Y-%m-%d %H:%M:%S}" if began else "",
        "durationMin": outcome.minutes or 0,
        "ignored": False,
        "manualWinner": True,  # not always the player with most points
        "rounds": 0,
        "usesTeams": False,
        "playerScores": [
            {
                "playerRefId": players[placing.name],
                "score": "" if placing.points is None else str(placing.points),
                "winner": placing.won,
                "rank": placing.rank,
                "startPlayer": placing.starts,
                "newPlayer": False,
                "seatOrder": seat,
            }
            for seat, placing in enumerate(outcome.placings, 1)
        ],
    }


def _uuid(kind: str, name: str) -> str:
    return str(uuid5(_OURS, f"{kind} {name}")).upper()


def as_text(data: object) -> str:
    """Return a document as one line of JSON in ASCII."""
    return json.dumps(data) + "\n"
