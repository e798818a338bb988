"""`beisitzer statistics`: statistics of finished games by game, player and pair."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from pi_app.commands.console import (
    echo_styled,
    json_option,
    lang_option,
    refuse,
    show_progress,
    texts,
)
from pi_app.commands.reading import open_games, refuse_unreadable, resolve_store, store_option
from pi_app.commands.record_sentences import face_of
from pi_app.past.facts import every_game
from pi_app.past.figures import (
    game_words,
    overview_lines,
    pair_lines,
    percent,
    player_lines,
)
from pi_app.past.statistics import (
    FieldCounts,
    GameStatistics,
    PairStatistics,
    PlayerStatistics,
    statistics,
    usual_board,
)
from pi_app.store.derived import Derived
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable, shorten

_NAMES = 10
"""How many known players are listed at most when an unknown one was asked for."""


@click.command("statistics")
@click.argument("game", required=False, metavar="[GAME]")
@store_option
@click.option(
    "--player",
    "names",
    multiple=True,
    type=printable,
    metavar="NAME",
    help="Only this player; given twice: this pair.",
)
@lang_option
@json_option
def statistics_command(
    game: str | None,
    store: Path | None,
    names: tuple[str, ...],
    lang: str | None,
    as_json: bool,
) -> None:
    """Count what was played: GAME (just4fun, numeri, ...), or every game.

    With --player twice: how the two did against each other.
    """
    tx = texts(lang)
    games = _choose(tx, _count(store), game, names)
    if as_json:
        click.echo(json.dumps([as_data(each) for each in games]))
    else:
        _print_statistics(tx, games, names)


def _count(store: Path | None) -> list[GameStatistics]:
    """Count the games; the first time takes long, so a terminal shows the progress."""
    games, path = open_games(store), resolve_store(store)
    derived = Derived.of_store(path if path.exists() else None)
    with closing(derived):
        try:
            return statistics(every_game(games, derived, _show_progress))
        except (sqlite3.Error, OSError) as error:
            refuse_unreadable(path, error)
        finally:
            show_progress("")


def _show_progress(done: int, total: int) -> None:
    if done % 100 == 0:  # writing every number would slow the count
        show_progress(f"{done}/{total}")


def _choose(
    tx: Texts, games: list[GameStatistics], game: str | None, names: tuple[str, ...]
) -> list[GameStatistics]:
    """Return the statistics asked for; one line and status 2 for an unknown game or player."""
    if len(names) > 2:
        refuse(tx("cli", "--player: one player, or two for a pair"))
    if game is not None:
        games = [each for each in games if each.game == game]
        if not games:
            face_of(tx, game)  # refuses an unknown game; a known one was not played yet
    for name in names:
        if not any(name in each.players for each in games):
            refuse(_nobody_words(tx, games, name))
    return [each for each in games if all(name in each.players for name in names)]


def _nobody_words(tx: Texts, games: list[GameStatistics], name: str) -> str:
    """Say that a player is unknown, and list the known ones."""
    players = sorted({player for each in games for player in each.players})
    if not players:
        return tx("cli", "nobody with a name finished a game")
    # a list that breaks off has no "and" before its last name
    if len(players) > _NAMES:
        known = ", ".join([*players[:_NAMES], "..."])
    else:
        known = join_names(tx, players)
    return tx(
        "cli",
        "nobody called {name} finished a game, only {names}",
        name=shorten(name, 40),
        names=known,
    )


def _print_statistics(tx: Texts, games: list[GameStatistics], names: tuple[str, ...]) -> None:
    if not games:
        click.echo(tx("line", "No game was finished yet."))
    for number, each in enumerate(games):
        if number:
            click.echo()
        echo_styled(game_words(tx, each.game), bold=True)
        if names:
            for line in _lines_of(tx, each, names):
                click.echo(f"  {line}")
            continue
        for line in overview_lines(tx, each):
            click.echo(f"  {line}")
        width = max((len(player.player) for player in each.ranking), default=0)
        for player in each.ranking:
            won = f"{player.won}/{player.played}"
            share = f"{percent(player.won, player.played)} %"
            click.echo(f"  {player.player:{width}}  {won:>9}  {share:>5}")
        for pair in each.meetings:
            if pair.played:
                first, second = pair.names
                click.echo(f"  {first} {pair.won[0]} – {pair.won[1]} {second}")


def _lines_of(tx: Texts, game: GameStatistics, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines on one player or on two as a pair; none if the two never met."""
    if len(names) == 1:
        return player_lines(tx, game.players[names[0]])
    pair = game.pairs.get((min(names), max(names)))  # pairs have their names in order
    return () if pair is None else pair_lines(tx, pair)


def as_data(game: GameStatistics) -> dict[str, Any]:
    """Return a game's statistics for JSON."""
    row_length, row_players = game.longest_row
    streak_games, streak_players = game.best_streak
    return {
        "game": game.game,
        "played": game.length.games,
        "won_by": dict(game.reasons),
        "average_moves": game.length.average_moves,
        "average_minutes": game.length.average_minutes,
        "longest": game.length.longest,
        "decided": game.decided,
        "first_won": game.first_won,
        "first_share": game.first_share,
        "longest_row": {"length": row_length, "players": row_players},
        "best_streak": {"games": streak_games, "players": streak_players},
        **_field_data(game.boards),
        "players": [_player_data(player) for player in game.ranking],
        "pairs": [_pair_data(pair) for pair in game.meetings],
    }


def _field_data(boards: dict[str, FieldCounts]) -> dict[str, Any]:
    board, fields = usual_board(boards)
    return {"board": board, "fields": dict(fields.reached), "blocked": dict(fields.barred)}


def _player_data(player: PlayerStatistics) -> dict[str, Any]:
    return {
        "player": player.player,
        "played": player.played,
        "won": player.won,
        "won_by": dict(player.won_by),
        "average_points": player.average,
        "streak": player.streak.most,
        "streak_now": player.streak.now,
        "began": player.first,
        "won_beginning": player.won_first,
        "longest_row": player.row,
        "average_moves": player.length.average_moves,
        "average_minutes": player.length.average_minutes,
        "longest": player.length.longest,
        **_field_data(player.boards),
    }


def _pair_data(pair: PairStatistics) -> dict[str, Any]:
    return {
        "players": list(pair.names),
        "played": pair.played,
        "won": pair.won,
        "streaks": [streak.most for streak in pair.streaks],
        "together": pair.together,
        "won_together": pair.won_together,
    }
