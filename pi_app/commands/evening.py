"""`beisitzer evening`: games that the same people played one after the other."""

import json
from datetime import timedelta
from pathlib import Path
from typing import cast, get_args

import click

from pi_app.commands.console import json_option, lang_option, load_settings, refuse, texts
from pi_app.commands.pictures import picture_option, save_picture
from pi_app.commands.reading import open_games, store_option
from pi_app.past.evening import (
    Counting,
    Evening,
    counting_words,
    curves_of,
    evenings,
    rank_players,
    sentences,
    sessions_of,
    settler_of,
)
from pi_app.past.outcomes import outcomes
from pi_app.texts.common import day_words
from pi_app.texts.language import Texts


@click.command()
@click.argument("number", type=click.IntRange(1), default=1, metavar="[NUMBER]")
@store_option
@click.option("--list", "listing", is_flag=True, help="List the evenings with their numbers.")
@click.option(
    "--count",
    type=click.Choice(get_args(Counting)),
    help="How to count the points, for this call only.",
)
@picture_option("--chart", "Draw a chart of the evening into FILE (PNG).", ".png")
@lang_option
@json_option
def evening(
    number: int,
    store: Path | None,
    listing: bool,
    count: str | None,
    chart: Path | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Show who leads when the same people play several games: the latest evening or an earlier one.

    NUMBER 1 is the latest. What counts, and how long a pause may be, are settings.
    """
    tx, games = texts(lang), open_games(store)
    settings = load_settings().evening
    pause = timedelta(hours=settings.pause_h)
    all_evenings = evenings(outcomes(games, finished=True), pause, sessions_of(games))
    no_evening = tx("line", "Nobody played twice in a row yet.")
    if listing and as_json:
        click.echo(json.dumps([_facts(each) for each in all_evenings]))
        return
    if listing:
        for place, each in enumerate(all_evenings, 1):
            click.echo(f"{place:5}  {_title(tx, each)}")
        if not all_evenings:
            click.echo(no_evening)
        return
    if not all_evenings and chart is None:
        click.echo("null" if as_json else no_evening)
        return
    if number > len(all_evenings):
        missing = tx(
            "cli", "there is no evening {n}: beisitzer evening --list shows them", n=number
        )
        # no evening at all is refused only here, where a chart was asked for
        refuse(missing if all_evenings else no_evening)
    chosen = all_evenings[number - 1]
    counting = cast("Counting", count or settings.count)
    standings = rank_players(chosen, counting, settler_of(games))
    if chart is not None:
        from pi_app.view.plots import draw_curves

        save_picture(tx, draw_curves(curves_of(standings), _title(tx, chosen).strip()).save, chart)
        click.echo(tx("cli", "{path}: the evening was drawn", path=chart))
    elif as_json:
        rows = [
            {
                "name": line.name,
                "colour": line.colour,
                "rank": line.rank,
                "won": line.won,
                "course": line.score_history,
                "points": line.points,
            }
            for line in standings
        ]
        click.echo(json.dumps({**_facts(chosen), "count": counting, "table": rows}))
    else:
        click.echo(f"{_title(tx, chosen)}  ({counting_words(tx)[counting]})")
        for line in sentences(tx, chosen, standings):
            click.echo(line)


def _title(tx: Texts, evening: Evening) -> str:
    count = len(evening.games)
    games = tx.many("title", "{n} game", "{n} games", count)
    return f"{day_words(tx, evening.began):>11}  {', '.join(evening.names)}  {games}"


def _facts(evening: Evening) -> dict[str, object]:
    games = [game.entry.id for game in evening.games]
    return {"began": evening.began, "players": list(evening.names), "games": games}
