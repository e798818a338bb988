"""`beisitzer match`: programs play against each other."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click

from ai import GameAI
from ai.api import LEVELS
from ai.match import Bot, BotError, ShareTally, make_bot, play_matches
from ai.pace import looks_in
from pi_app.commands.advice import ai_of
from pi_app.commands.console import json_option, refuse, show_progress, texts
from pi_app.commands.record_sentences import face_of


def bot_of(word: str, ai: GameAI, looks: int) -> Bot:
    """Return the bot of this name (a level, "random", "module:callable") or end with status 2."""
    if word == "random":
        return lambda position, given, rng: rng.choice(position.legal(given))
    if word in LEVELS:
        return make_bot(ai, word, looks)
    module, colon, name = word.partition(":")
    if not colon or not module:
        refuse(f"{word} is no bot: {', '.join([*LEVELS, 'random'])}, or MODULE:CALLABLE")
    sys.path.insert(0, str(Path.cwd()))  # an own bot is in the current folder
    try:
        target: Any = resolve_name(f"{module}:{name}")
    except (ImportError, AttributeError, ValueError) as error:
        refuse(f"{word} cannot be imported: {error}")
    if not callable(target):
        refuse(f"{word} cannot be called")
    bot: Bot = target
    return bot


@click.command()
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--games", type=click.IntRange(1), default=100, help="How many games; default: 100.")
@click.option(
    "--seconds", type=click.FloatRange(0.001, 60), default=0.1, help="A decision's thinking time."
)
@click.option("--seed", default=1, help="NUMBER that starts the random sequence.")
@json_option
def match(
    game: str,
    players: Sequence[str],
    games: int,
    seconds: float,
    seed: int,
    *,
    as_json: bool,
) -> None:
    """Let programs play a game and say who wins how often.

    A BOT is beginner, club, best or random, or MODULE:CALLABLE: any callable that takes
    (position, given, rng) and returns a legal move or its token. If it has a parameter hands, it
    sees all hands. The seats rotate; the share of wins comes with its 95 % interval.
    """
    presentation = face_of(game)
    rules = presentation.game
    ai = ai_of(rules)
    if len(players) not in rules.player_counts:
        counts = " or ".join(map(str, sorted(rules.player_counts)))
        refuse(f"{game} has {counts} players: as in beisitzer match {game} best club")
    looks = looks_in(game, seconds)
    playing = [bot_of(word, ai, looks) for word in players]
    try:
        results = list(_count_games(play_matches(rules, ai, playing, games, seed), games))
    except BotError as error:
        word, refusal = players[error.seat], error.refusal
        reason = presentation.words.refusal(texts("en"), refusal)
        refuse(f"{refusal.move} by {word} is not legal: {reason}")
    for index, word in enumerate(players):
        # a result has each bot's share of one game
        total = ShareTally(sum(shares[index] for shares in results), len(results))
        low, high = total.interval
        if as_json:
            line = {"bot": word, "games": games, "won": total.share, "low": low, "high": high}
            click.echo(json.dumps(line))
        else:
            mean, least, most = (f"{100 * part:.1f}" for part in (total.share, low, high))
            click.echo(f"{index + 1}  {word:32} {mean:>5} %  ({least} % – {most} %)")


def _count_games(results: Iterator[list[float]], games: int) -> Iterator[list[float]]:
    """Yield each game's result and show meanwhile how many games have been played."""
    try:
        for played in range(games):
            show_progress(f"{played} of {games} games played")
            yield next(results)
    finally:
        show_progress("")
