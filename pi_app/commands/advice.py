"""`beisitzer advise`: good moves with their reasons."""

import json

import click

from ai import AI, GameAI
from ai.pace import looks_in
from engines.game import Game
from pi_app.commands.console import json_option, lang_option, refuse, texts
from pi_app.commands.records import open_turn, turn_options
from pi_app.screens.tips import find_tips
from pi_app.table.presentation import PRESENTATIONS


def ai_of(game: Game) -> GameAI:
    """Return a game's AI, or end with status 2 if it has none."""
    if game.name not in AI:
        refuse(f"nobody has taught the companion to think about {game.name}")
    return AI[game.name]


@click.command()
@turn_options
@click.option(
    "--seconds", type=click.FloatRange(0.01, 60), default=1.0, help="How long to think, at most 60."
)
@click.option("--seed", default=1, help="NUMBER that starts the random sequence.")
@json_option
@lang_option
def advise(
    file: str,
    hand: str | None,
    roll: str | None,
    seconds: float,
    seed: int,
    lang: str | None,
    *,
    as_json: bool,
) -> None:
    """Say which moves are best after a record, and why.

    As FILE, - is standard input. The same seed gives the same answer. Exit status 2: FILE cannot be
    read, the game is over, or the hand or roll that the game needs is missing or impossible.
    """
    tx = texts(lang)
    with open_turn(file, hand, roll) as turn:
        game = turn.game.name
        ai_of(turn.game)
        tips = find_tips(game, turn.position, turn.given, looks_in(game, seconds), seed)
    if as_json:
        best = [
            {
                "move": tip.step.token,
                "chance": round(tip.chance, 4),
                "tries": tip.tries,
                "reasons": [{"reason": code, **facts} for code, facts in tip.reasons],
            }
            for tip in tips
        ]
        click.echo(json.dumps({"player": turn.player.name, "best": best}))
        return
    click.echo(tx("cli", "Best for {name}:", name=turn.player.name))
    for tip in tips:
        why = " ".join(tip.why(tx, PRESENTATIONS[game]))
        click.echo(f"  {tip.step.token:12} {tip.chance:4.0%}  {why}".rstrip())
