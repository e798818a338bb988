"""The games that were played: their lines of the history, and one game move by move."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from engines.games import GAMES
from pi_app.past.outcomes import Outcome, moment
from pi_app.store import GameEntry
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import day_words, winners_line
from pi_app.texts.language import Texts
from pi_app.view.chart import curves
from pi_app.view.report import Report, Row


def game_words(tx: Texts, game: str) -> str:
    """Return a game's name as on its box; the name of an unknown game stays as it is."""
    return PRESENTATIONS[game].name(tx) if game in PRESENTATIONS else game


def named_game(tx: Texts, game: GameEntry) -> str:
    """Return a game's name and who plays it: numeri (Anna, Ben)."""
    words = game_words(tx, game.game)
    return f"{words} ({', '.join(game.players)})" if game.players else words


def edition_of(tags: Mapping[str, str]) -> str:
    """Return the edition that a record names in its rules; "" for the default one."""
    game = GAMES.get(tags.get("Game", ""))
    named = re.search(r"\bedition\s*=\s*([^\s,]+)", tags.get("Rules", ""))
    usual = game.default_rules.values() if game else ()
    return "" if named is None or named[1] in usual else named[1]


def began(entry: GameEntry) -> datetime | None:
    """Return when a game began in this machine's time zone; None if that is unknown."""
    when = moment(entry.began)
    try:
        return when and when.astimezone()
    except OverflowError:  # an imported record may have a year that no time zone has
        return None


def iso_day(entry: GameEntry) -> str:
    """Return the day on which a game began in ISO format, or ""."""
    when = began(entry)
    return when.date().isoformat() if when else ""


def day_played(tx: Texts, entry: GameEntry) -> str:
    """Return the day on which a game began as people write it."""
    return day_words(tx, iso_day(entry)) or "?"


def time_played(entry: GameEntry) -> str:
    """Return the time of day at which a game began, or "?"."""
    when = began(entry)
    return f"{when:%H:%M}" if when else "?"


def ending(tx: Texts, entry: GameEntry) -> str:
    """Say how a game ended, or why it did not."""
    if entry.newer:
        return tx("line", "by a newer program")
    if entry.damage is not None:
        return tx("line", "damaged at move {n}", n=entry.damage)
    return tx("line", "not finished") if entry.result is None else winners_line(tx, entry.winners)


def games_report(tx: Texts, outcomes: Iterable[Outcome]) -> Report:
    """Return the history: a line for each game, with its number."""
    games = list(outcomes)
    lines = tuple(_line(tx, each) for each in games) or (tx("line", "No game was played yet."),)
    return Report(tx("title", "Games"), lines, tuple(map(game_row, games)))


def _line(tx: Texts, outcome: Outcome) -> str:
    entry = outcome.named_entry
    name, players, ended = game_words(tx, entry.game), ", ".join(entry.players), ending(tx, entry)
    if outcome.reason and entry.game in PRESENTATIONS:
        ended = f"{ended} ({PRESENTATIONS[entry.game].words.result(tx, outcome.reason)})"
    return f"{entry.id:5}  {day_words(tx, entry.began):>11}  {name:10}  {players}  {ended}"


def game_report(
    tx: Texts, table: Table, outcome: Outcome, display_name: Callable[[str], str]
) -> Report:
    """Return one game: its moves in words, the points after each move, and the final board."""
    presentation = PRESENTATIONS[table.game.name]
    moves = (
        f"{number:4}  {display_name(step.player.name)}  {step.token}  "
        + " ".join(presentation.moves.to_do(tx, step))
        for number, step in enumerate(table.steps, 1)
    )
    return replace(
        points_report(tx, table, display_name),
        title=f"{presentation.name(tx)}  {day_words(tx, outcome.entry.began)}",
        lines=(_line(tx, outcome), *moves),
        rows=(game_row(outcome),),
        board=presentation.picture(tx, table.position),
    )


def points_report(tx: Texts, table: Table, display_name: Callable[[str], str]) -> Report:
    """Return the points after each move; without curves for a game without points."""
    positions = [table.start, *(step.after for step in table.steps)]
    lines = curves(table.game, positions) or ()
    named = tuple(replace(curve, name=display_name(curve.name)) for curve in lines)
    return Report(tx("title", "Points"), curves=named)


def game_row(outcome: Outcome) -> Row:
    """Return a game's fields, and in `seats` those of each player."""
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
        "players": list(entry.players),
        # seats count from 1, clockwise
        "seats": [
            {
                "player": each.name,
                "colour": each.colour,
                "seat": seat,
                "starts": each.starts,
                "rank": each.rank or None,  # 0: the game is not over
                "won": each.won if each.rank else None,
                "points": each.points,
            }
            for seat, each in enumerate(outcome.placings, 1)
        ],
        "result": entry.result,
    }
