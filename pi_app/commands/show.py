"""`beisitzer show`: past games, evenings, statistics, times tables, a game's course."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from ai.evaluation import evaluate
from engines.game import Step
from engines.notation import Fault
from pi_app.commands.advice import ai_of
from pi_app.commands.console import lang_option, load_settings, refuse, texts
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.commands.records import load_record
from pi_app.displays.terminal_board import board_rows
from pi_app.past.evaluation import course_report
from pi_app.past.evening import (
    Evening,
    evening_report,
    evening_title,
    evenings,
    rank_players,
    sessions_of,
    settler_of,
)
from pi_app.past.games import game_report, games_report
from pi_app.past.outcomes import moment, outcome_in, outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.past.times_tables import Tables, all_tables
from pi_app.screens.players_and_settings.times_tables_words import tables_report
from pi_app.store import GameEntry, Reader
from pi_app.system.host import echo_styled
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable, shorten
from pi_app.view.frame import Board, Frame, Header
from pi_app.view.report import Report

COLUMNS = 80
"""A terminal has at least these."""
ROWS = 24
"""Boards with more rows, and longer charts, are not stretched."""


@click.group()
def show() -> None:
    """List past games; show evenings, statistics, times tables.

    \b
    Last week's games:  beisitzer show history --days 7
    Game 12:            beisitzer show history 12
    """  # noqa: D301  # click's mark


def print_report(report: Report) -> None:
    """Print a report: title, board or chart, sentences."""
    echo_styled(report.title, bold=True)
    for line in report_text(report):
        click.echo(line)


def report_text(report: Report) -> tuple[str, ...]:
    """Return a report's lines below its title: its board or chart, and its sentences."""
    board = Board(report.board, curves=() if report.board else report.curves)
    drawn = board_rows(Frame(Header(""), board=board), COLUMNS, lambda _style, text: text, ROWS)
    return (*(row.rstrip() for row in drawn.rows), *report.lines)


@show.command()
@click.argument("number", type=int, required=False, metavar="[GAME]")
@click.option("--days", type=click.IntRange(1), help="Only games of the last DAYS.", metavar="DAYS")
@store_option
@lang_option
def history(number: int | None, days: int | None, store: Path | None, lang: str | None) -> None:
    """List the games, the latest last, or show one of them.

    With GAME: its moves, the points after each, and the board at the end.
    """
    games, tx = open_games(store), texts(lang)
    if number is None:
        played = outcomes(games)
        if days is not None:
            since = datetime.now(UTC) - timedelta(days=days)
            times = ((each, moment(each.entry.began)) for each in played)
            played = [each for each, began in times if began is not None and began >= since]
        print_report(games_report(tx, played))
        return
    entry = game_of(games, number)
    table, outcome = replay_game(games, entry), outcome_in(entry)
    display_name = display_name_in(games, entry.id)
    print_report(game_report(tx, table, outcome, display_name))


def replay_game(games: Reader, entry: GameEntry) -> Table:
    """Replay a game on a table; end with one line and status 2 if that fails."""
    try:
        return Table.resume(None, games.load(entry.id))
    except (Fault, KeyError) as error:
        refuse(f"game {entry.id} cannot be replayed: {error}")


@show.command()
@click.argument("number", type=click.IntRange(1), default=1, metavar="[NUMBER]")
@click.option("--list", "listing", is_flag=True, help="List the evenings with their numbers.")
@store_option
@lang_option
def evening(number: int, store: Path | None, lang: str | None, *, listing: bool) -> None:
    """Show who leads over several games of the same people.

    NUMBER 1 is the latest. Settings say what counts, and how long a pause within an evening may be.
    """
    games, tx = open_games(store), texts(lang)
    found = all_evenings(games)
    if not found:
        click.echo(tx("line", "Nobody played twice in a row yet."))
        return
    if listing:
        for place, each in enumerate(found, 1):
            click.echo(f"{place:5}  {evening_title(tx, each)}")
        return
    if number > len(found):
        refuse(f"there is no evening {number}: beisitzer show evening --list shows them")
    print_report(report_of_evening(tx, games, found[number - 1], number))


def all_evenings(games: Reader) -> list[Evening]:
    """Return the evenings, the latest first, with the pause of the settings."""
    pause = timedelta(hours=load_settings().evening.pause_h)
    return evenings(outcomes(games, finished=True), pause, sessions_of(games))


def report_of_evening(tx: Texts, games: Reader, evening: Evening, number: int) -> Report:
    """Return the report of an evening, counted as the settings say."""
    standings = rank_players(evening, load_settings().evening.count, settler_of(games))
    return evening_report(tx, evening, standings, number)


@show.command()
@click.argument("game", required=False, metavar="[GAME]", type=printable)
@store_option
@lang_option
def statistics(game: str | None, store: Path | None, lang: str | None) -> None:
    """Show who won how often, and against whom.

    GAME is a kind of game (just4fun, numeri ...); without it, all that were played.
    """
    tx = texts(lang)
    found = count(outcomes(open_games(store), finished=True))
    chosen = [each for each in found if game in (None, each.game)]
    if not chosen and game is not None:
        played = ", ".join(each.game for each in found) or "nothing"
        refuse(f"nobody finished a game of {shorten(game, 40)}, only of {played}")
    if not chosen:
        click.echo(tx("line", "No game was finished yet."))
    for index, each in enumerate(chosen):
        if index:
            click.echo()
        print_report(statistics_report(tx, each))


@show.command()
@click.argument("player", required=False, metavar="[PLAYER]", type=printable)
@store_option
@lang_option
def tables(player: str | None, store: Path | None, lang: str | None) -> None:
    """Show which times tables each player knows.

    PLAYER is a name or the player's number; without it, everybody.
    """
    tx, now = texts(lang), datetime.now(UTC)
    found = chosen_tables(open_games(store), player)
    if not found:
        click.echo(tx("line", "Nobody answered a task yet."))
    for each in found:
        print_report(tables_report(tx, each, now, each.name))


def chosen_tables(games: Reader, player: str | None) -> list[Tables]:
    """Return everybody's times tables, or one player's, by name or number."""
    found = all_tables(games)
    if player is None:
        return found
    found = [each for each in found if player in (each.name, str(each.number))]
    if not found:
        refuse(f"nobody called {shorten(player, 40)} has answered a task")
    return found


@show.command()
@click.argument("game", metavar="GAME")
@store_option
@lang_option
def course(game: str, store: Path | None, lang: str | None) -> None:
    """Show how likely each was to win, and where it turned.

    GAME is a number of the history, or a record's FILE. Hands are unknown: the chances are those of
    a spectator who sees only the table.
    """
    tx = texts(lang)
    if game.isdecimal() and not Path(game).exists():
        games = open_games(store)
        report = report_of_course(tx, games, game_of(games, int(game)))
    else:
        loaded = load_record(game)
        ai, presentation = ai_of(loaded.game), PRESENTATIONS[loaded.game.name]
        steps = [step for _, step in loaded.steps() if isinstance(step, Step)]
        evaluation = evaluate(ai, loaded.start, steps)
        report = course_report(tx, presentation, evaluation, loaded.start, steps)
    print_report(report)


def report_of_course(tx: Texts, games: Reader, entry: GameEntry) -> Report:
    """Return a stored game's course."""
    table = replay_game(games, entry)
    evaluation = evaluate(ai_of(table.game), table.start, table.steps)
    display_name = display_name_in(games, entry.id)
    presentation = PRESENTATIONS[table.game.name]
    return course_report(tx, presentation, evaluation, table.start, table.steps, display_name)
