"""`beisitzer history`: the games played, and the points of a game as a picture."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engines.game import IllegalMoveError, SetupError
from pi_app.commands.console import json_option, lang_option, refuse, texts
from pi_app.commands.pictures import picture_option, save_picture
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.past.figures import game_words, reason_words
from pi_app.past.outcomes import name_companions
from pi_app.store.archive import GameEntry, list_games
from pi_app.store.store import Reader
from pi_app.table.players import companions, display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import day_words, winners_line
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten

MOST = 2**31
"""More games than any store has."""


@click.command()
@click.argument("number", type=int, required=False, metavar="[GAME]")
@store_option
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    help="How many games, the latest first; default: 20.",
)
@click.option("--all", "everything", is_flag=True, help="All games.")
@picture_option("--chart", "Draw the points of GAME into FILE (PNG).", ".png")
@lang_option
@json_option
def history(
    number: int | None,
    store: Path | None,
    limit: int,
    everything: bool,
    chart: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """List the games played, the latest first; with GAME (its number), its moves."""
    games = open_games(store)
    tx = texts(lang)
    if chart is not None:
        _draw(games, number, chart, tx)
    elif number is not None:
        _print_game(games, game_of(games, number), tx, as_json=as_json)
    else:
        _print_list(games, list_games(games, MOST if everything else limit), tx, as_json=as_json)


def _print_list(games: Reader, entries: list[GameEntry], tx: Texts, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([as_dict(games, entry) for entry in entries]))
        return
    if not entries:
        click.echo(tx("line", "No game was played yet."))
    for entry in (name_companions(games, entry) for entry in entries):
        players = ", ".join(entry.players)
        day, name = day_words(tx, entry.began), game_words(tx, entry.game)
        ended = tx("line", "not finished")
        if entry.result is not None:
            reason = reason_words(tx, entry.game, str(entry.result.get("reason", "")))
            ended = f"{winners_line(tx, entry.winners)} ({reason})"
        click.echo(f"{entry.id:5}  {day:>11}  {name:10}  {players}  {ended}")


def as_dict(games: Reader, entry: GameEntry) -> dict[str, Any]:
    """Return a game's line of the history for JSON."""
    return {
        "id": entry.id,
        "game": entry.game,
        "players": list(entry.players),
        "companion": sorted(companions(games, entry.id)),
        "began": entry.began,
        "result": entry.result,
    }


def _print_game(games: Reader, entry: GameEntry, tx: Texts, *, as_json: bool) -> None:
    table = replay_game(games, entry)
    if as_json:
        tokens = list(table.tokens())
        click.echo(json.dumps({**as_dict(games, entry), "tags": table.tags, "moves": tokens}))
        return
    _print_list(games, [entry], tx, as_json=False)
    display_name = display_name_in(games, entry.id)
    for number, step in enumerate(table.steps, 1):
        words = " ".join(PRESENTATIONS[entry.game].to_do(tx, step))
        click.echo(f"{number:4}  {display_name(step.player.name)}  {shorten(step.token)}  {words}")


def replay_game(games: Reader, entry: GameEntry) -> Table:
    """Replay a game on a table; end with one line and status 2 if that fails."""
    try:
        return Table.resume(None, games.load(entry.id))
    except (SetupError, IllegalMoveError, KeyError) as error:
        tx = texts()
        refuse(tx("cli", "game {n} cannot be replayed: {why}", n=entry.id, why=error))


def _draw(games: Reader, number: int | None, path: Path, tx: Texts) -> None:
    """Draw the points of a game; without a number, of the latest game that has points."""
    from pi_app.view.chart import curves
    from pi_app.view.plots import draw_curves

    newest = 200  # beyond so many, replaying them all would take too long
    entries = list_games(games, newest) if number is None else [game_of(games, number)]
    for entry in entries:
        table = replay_game(games, entry)
        lines = curves(table.game, [table.start, *(step.after for step in table.steps)])
        if lines is not None:
            display_name = display_name_in(games, entry.id)
            lines = tuple(replace(curve, name=display_name(curve.name)) for curve in lines)
            title = f"{game_words(tx, entry.game)}  {day_words(tx, entry.began)}"
            save_picture(tx, draw_curves(lines, title).save, path)
            click.echo(tx("cli", "{path}: the points of game {n}", path=path, n=entry.id))
            return
    if number is None:
        refuse(tx("cli", "there is no game with points to draw"))
    refuse(tx("cli", "it has no points to draw"))
