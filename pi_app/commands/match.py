"""`beisitzer match`: programs play against each other."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click

from ai import GameAI
from ai.halving import LEVELS
from ai.match import Bot, BotError, make_bot, play_matches, tally
from pi_app.commands.advice import ai_of
from pi_app.commands.console import json_option, lang_option, refuse, show_progress, texts
from pi_app.commands.record_sentences import face_of
from pi_app.past.figures import one_decimal
from pi_app.texts.common import join_choices
from pi_app.texts.language import Texts


def bot_of(tx: Texts, word: str, ai: GameAI, seconds: float) -> Bot:
    """Return the bot of this name (a level, "random", "module:callable") or end with status 2."""
    if word == "random":
        return lambda position, given, rng: rng.choice(position.legal(given))
    if word in LEVELS:
        return make_bot(ai, word, seconds)
    module, colon, name = word.partition(":")
    if not colon or not module:
        names = ", ".join([*LEVELS, "random"])
        refuse(tx("cli", "{word} is no bot: {names}, or MODULE:CALLABLE", word=word, names=names))
    sys.path.insert(0, str(Path.cwd()))  # a bot of one's own lies where the command is called
    try:
        target: Any = resolve_name(f"{module}:{name}")
    except (ImportError, AttributeError, ValueError) as error:
        refuse(
            tx("cli", "{word} cannot be imported: {why}", word=word, why=_import_fault(tx, error))
        )
    if not callable(target):
        refuse(tx("cli", "{word} cannot be called", word=word))
    bot: Bot = target
    return bot


def _import_fault(tx: Texts, error: ImportError | AttributeError | ValueError) -> str:
    """Say why a bot cannot be imported; other errors of its code keep their own words."""
    match error:
        case ModuleNotFoundError(name=str(name)):
            return tx("cli", "there is no module {name}", name=name)
        case AttributeError(name=str(name)):
            return tx("cli", "{name} is not in it", name=name)
        case _:
            return str(error)


@click.command()
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--games", type=click.IntRange(1), default=100, help="How many games; default: 100.")
@click.option(
    "--seconds", type=click.FloatRange(0.001, 60), default=0.1, help="A decision's thinking time."
)
@click.option("--seed", default=1, help="NUMBER that starts the random sequence.")
@json_option
@lang_option
def match(
    game: str,
    players: Sequence[str],
    games: int,
    seconds: float,
    seed: int,
    lang: str | None,
    *,
    as_json: bool,
) -> None:
    """Let programs play GAME against each other and say who wins how often.

    A BOT is beginner, club, best or random, or MODULE:CALLABLE: any callable that takes
    (position, given, rng) and returns a legal move or its token. If it has a parameter hands, it
    sees all hands. The seats rotate; the share of wins comes with its 95 % interval.
    """
    tx = texts(lang)
    presentation = face_of(tx, game)
    rules = presentation.game
    ai = ai_of(tx, rules)
    if len(players) not in rules.player_counts:
        refuse(
            tx(
                "cli",
                "{game} has {counts} players: name a bot for each, as in beisitzer match {command}",
                game=game,
                counts=join_choices(tx, [str(count) for count in sorted(rules.player_counts)]),
                command=f"{game} best club",
            )
        )
    playing = [bot_of(tx, word, ai, seconds) for word in players]
    try:
        results = list(_count_games(tx, play_matches(rules, ai, playing, games, seed), games))
    except BotError as error:
        word, refusal = players[error.seat], error.refusal
        why = presentation.refusal(tx, refusal)
        refuse(
            tx("cli", "{move} by {word} is not legal: {why}", move=refusal.move, word=word, why=why)
        )
    for index, word in enumerate(players):
        # a result has the share of each bot in one game
        total = tally([shares[index] for shares in results])
        low, high = total.interval
        if as_json:
            line = {"bot": word, "games": games, "won": total.share, "low": low, "high": high}
            click.echo(json.dumps(line))
        else:
            mean, least, most = (one_decimal(tx, 100 * part) for part in (total.share, low, high))
            click.echo(f"{index + 1}  {word:32} {mean:>5} %  ({least} % – {most} %)")


def _count_games(tx: Texts, results: Iterator[list[float]], games: int) -> Iterator[list[float]]:
    """Yield each game's result and show meanwhile how many games have been played."""
    try:
        for played in range(games):
            show_progress(tx("cli", "{n} of {most} games played", n=played, most=games))
            yield next(results)
    finally:
        show_progress("")
