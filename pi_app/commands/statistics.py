"""`beisitzer statistics`: what the finished games say of games, players and pairs."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from pi_app.commands.console import json_option, lang_option, refuse, texts
from pi_app.commands.pictures import picture_option, save_picture
from pi_app.commands.reading import open_games, place_of, refuse_unreadable, store_option
from pi_app.commands.record_sentences import face_of
from pi_app.displays.terminal_board import board_rows
from pi_app.past.facts import every_game
from pi_app.past.figures import (
    game_words,
    heat_map,
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
    wins,
)
from pi_app.store.derived import Derived
from pi_app.texts.common import listed
from pi_app.texts.language import Text, Texts
from pi_app.texts.printable import shortened
from pi_app.view.frame import Board, Frame, Header
from pi_app.view.plots import draw_curves, draw_heat

KINDS = {
    "fields": Text("title", "Favourites"),
    "blocked": Text("title", "Blocked fields"),
    "wins": Text("item", "Wins"),
}
_NAMES = 10
"""More players are not named one by one where somebody unknown was asked for."""
_COLUMNS = 100
"""The width of a board in the terminal at most."""


@click.command("statistics")
@click.argument("game", required=False, metavar="[GAME]")
@store_option
@click.option(
    "--player",
    "names",
    multiple=True,
    metavar="NAME",
    help="Only this player; given twice: this pair.",
)
@click.option(
    "--of", "kind", type=click.Choice(list(KINDS)), help="A board or a chart instead of words."
)
@picture_option("--picture", "Draw it: FILE.png or FILE.svg.", ".png", ".svg")
@lang_option
@json_option
def statistics_command(
    game: str | None,
    store: Path | None,
    names: tuple[str, ...],
    kind: str | None,
    picture: Path | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Count what was played: GAME (just4fun, numeri, ...), or every game.

    With --player twice: how the two did against each other.
    """
    tx = texts(lang)
    found = _chosen(tx, _counted(store), game, names)
    if kind is not None or picture is not None:
        _show(tx, found, names, kind or "fields", picture)
    elif as_json:
        click.echo(json.dumps([as_data(one) for one in found]))
    else:
        _print(tx, found, names)


def _counted(store: Path | None) -> list[GameStatistics]:
    """Count the games; what takes long the first time is told on a terminal."""
    games, place = open_games(store), place_of(store)
    kept = Derived.of_store(place if place.exists() else None)
    with closing(kept):
        try:
            return statistics(every_game(games, kept, _progress()))
        except (sqlite3.Error, OSError) as error:
            refuse_unreadable(place, error)


def _progress() -> Callable[[int, int], None]:
    """Return what tells how many games are done, on one line of a terminal that is wiped."""
    if not sys.stderr.isatty():
        return lambda _done, _total: None

    def told(done: int, total: int) -> None:
        if done % 100 == 0:
            click.echo(f"\r{done}/{total}\r" if done < total else "\r", nl=False, err=True)

    return told


def _chosen(
    tx: Texts, found: list[GameStatistics], game: str | None, names: tuple[str, ...]
) -> list[GameStatistics]:
    """Return what was asked for; one line and status 2 for a game or a player unknown."""
    if len(names) > 2:
        refuse(tx("cli", "--player: one player, or two for a pair"))
    if game is not None:
        found = [one for one in found if one.game == game]
        if not found:
            face_of(tx, game)
    for name in names:
        if not any(name in one.players for one in found):
            refuse(_nobody(tx, found, name))
    return [one for one in found if all(name in one.players for name in names)]


def _nobody(tx: Texts, found: list[GameStatistics], name: str) -> str:
    """Say that a player is not known, and who is."""
    known = sorted({player for one in found for player in one.players})
    if not known:
        return tx("cli", "nobody with a name finished a game")
    shown = [*known[:_NAMES], *(["..."] if len(known) > _NAMES else [])]
    return tx(
        "cli",
        "nobody called {name} finished a game, only {names}",
        name=shortened(name, 40),
        names=", ".join(shown) if len(known) > _NAMES else listed(tx, shown),
    )


def _print(tx: Texts, found: list[GameStatistics], names: tuple[str, ...]) -> None:
    if not found:
        click.echo(tx("line", "No game was finished yet."))
    for number, one in enumerate(found):
        if number:
            click.echo()
        click.echo(click.style(game_words(tx, one.game), bold=True))
        if names:
            _print_of(tx, one, names)
            continue
        for line in overview_lines(tx, one):
            click.echo(f"  {line}")
        _print_players(one)
        _print_pairs(one)


def _print_of(tx: Texts, one: GameStatistics, names: tuple[str, ...]) -> None:
    """Say all about one player, or about two."""
    pair = one.pairs.get((min(names), max(names))) if len(names) == 2 else None
    lines = pair_lines(tx, pair) if pair else player_lines(tx, one.players[names[0]])
    for line in lines if pair or len(names) == 1 else ():
        click.echo(f"  {line}")


def _print_players(one: GameStatistics) -> None:
    rows = [
        (player.player, f"{player.won}/{player.played}", f"{percent(player.won, player.played)} %")
        for player in one.ranking
    ]
    wide = max((len(name) for name, _, _ in rows), default=0)
    for name, won, share in rows:
        click.echo(f"  {name:{wide}}  {won:>9}  {share:>5}")


def _print_pairs(one: GameStatistics) -> None:
    for pair in one.meetings:
        if pair.played:
            first, second = pair.names
            click.echo(f"  {first} {pair.won[0]} – {pair.won[1]} {second}")


def _show(
    tx: Texts, found: list[GameStatistics], names: tuple[str, ...], kind: str, path: Path | None
) -> None:
    """Draw a board or a chart of the game that was played most, into a file or as text."""
    if not found:
        refuse(tx("line", "No game was finished yet."))
    one = found[0]
    title = " ".join((game_words(tx, one.game), "–", tx.say(KINDS, kind), *names))
    if kind == "wins":
        curves = wins(one, names)
        if not curves:
            refuse(tx("cli", "nobody with a name finished a game"))
        board, drawing = Board(curves=curves), draw_curves(curves, title)
    else:
        boards = _boards(one, names)
        picture = heat_map(tx, one.game, boards, barred=kind == "blocked")
        if picture is None:
            refuse(tx("cli", "there are no such fields in {game}", game=game_words(tx, one.game)))
        board, drawing = Board(picture), draw_heat(picture, title)
    if path is None:
        click.echo(title)
        frame = Frame(Header(title), board=board)
        for row in board_rows(frame, _COLUMNS, lambda _, text: text, 0).rows:
            click.echo(row.rstrip())
        return
    save_picture(tx, drawing.save, path)
    click.echo(f"{path}: {title}")


def _boards(one: GameStatistics, names: tuple[str, ...]) -> dict[str, FieldCounts]:
    """Return what everybody did on each board, or these players together."""
    if not names:
        return one.boards
    found: dict[str, FieldCounts] = {}
    for name in names:
        for board, fields in one.players[name].boards.items():
            found.setdefault(board, FieldCounts()).join(fields)
    return found


def as_data(one: GameStatistics) -> dict[str, Any]:
    """Return a game's statistics as JSON has them."""
    row, streak = one.longest_row, one.best_streak
    return {
        "game": one.game,
        "played": one.length.games,
        "won_by": dict(one.reasons),
        "average_moves": one.length.average_moves,
        "average_minutes": one.length.average_minutes,
        "longest": one.length.longest,
        "decided": one.decided,
        "first_won": one.first_won,
        "first_share": one.first_share,
        "longest_row": {"length": row[0], "players": row[1]},
        "best_streak": {"games": streak[0], "players": streak[1]},
        **_field_data(one.boards),
        "players": [_player_data(player) for player in one.ranking],
        "pairs": [_pair_data(pair) for pair in one.meetings],
    }


def _field_data(boards: dict[str, FieldCounts]) -> dict[str, Any]:
    board, fields = usual_board(boards)
    return {"board": board, "fields": dict(fields.reached), "blocked": dict(fields.barred)}


def _player_data(one: PlayerStatistics) -> dict[str, Any]:
    return {
        "player": one.player,
        "played": one.played,
        "won": one.won,
        "won_by": dict(one.won_by),
        "average_points": one.average,
        "streak": one.streak.most,
        "streak_now": one.streak.now,
        "began": one.first,
        "won_beginning": one.won_first,
        "longest_row": one.row,
        "average_moves": one.length.average_moves,
        "average_minutes": one.length.average_minutes,
        "longest": one.length.longest,
        **_field_data(one.boards),
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
