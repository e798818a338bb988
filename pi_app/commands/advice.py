"""`beisitzer advise` and `analyse`: what would be good, why, and when a game turned."""

import json
from random import Random
from typing import Any

import click

from engines.game import AnyPosition, Game, GivenError
from engines.replay import Step
from pi_app.commands.console import fail, refuse, texts
from pi_app.commands.records import file_argument, file_name, json_option, lang_option, load_record
from pi_app.table.faces import FACES
from pi_app.texts.language import Texts
from wits import WITS, Option, Wits
from wits.course import Point, Turn, course, turns

BEST = 3
"""Moves that are shown."""


def wits_of(tx: Texts, game: Game) -> Wits:
    """Return a game's wits, or end with status 2 where it has none."""
    if game.name not in WITS:
        name = FACES[game.name].name(tx)
        refuse(tx("cli", "nobody has taught the companion to think about {game}", game=name))
    return WITS[game.name]


def sentences(tx: Texts, game: Game, reasons: Any) -> list[str]:
    """Return reasons as sentences; those that the game has no words for are left out."""
    said = [FACES[game.name].reason_words(tx, code, facts) for code, facts in reasons]
    return [sentence for sentence in said if sentence]


@click.command()
@file_argument
@click.option("--hand", help="The cards of the player to move: 3,5,11,13.")
@click.option("--roll", help="What the player to move rolled.")
@click.option(
    "--seconds", type=click.FloatRange(0.01, 60), default=1.0, help="How long to think, at most 60."
)
@click.option("--seed", default=1, help="NUMBER that the chance begins with.")
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
    """Say which moves are best after the record FILE (- for standard input), and why.

    The same seed gives the same answer. Exit status 2: FILE cannot be read, the game is over,
    or the hand or roll that the game needs is missing or impossible.
    """
    tx = texts(lang)
    loaded = load_record(file, tx)
    game, position = loaded.game, loaded.end()
    wits = wits_of(tx, game)
    player = position.to_move
    if player is None:
        fail(f"{file_name(tx, file)}: {tx('cli', 'the game is over, nobody is to move')}")
    try:
        given = game.given(position, hand, roll)
        options = wits.search(position, given, seconds, Random(seed))[:BEST]
    except GivenError as error:
        fail(f"{file_name(tx, file)}: {error}")
    told = [(option, wits.reasons(position, option.move, given)) for option in options]
    if as_json:
        best = [_option_json(option, reasons) for option, reasons in told]
        click.echo(json.dumps({"player": player.name, "best": best}))
        return
    click.echo(tx("cli", "Best for {name}:", name=player.name))
    for option, reasons in told:
        why = " ".join(sentences(tx, game, reasons))
        click.echo(f"  {option.move.token:12} {option.chance:4.0%}  {why}".rstrip())


def _option_json(option: Option, reasons: Any) -> dict[str, Any]:
    return {
        "move": option.move.token,
        "chance": round(option.chance, 4),
        "tries": option.tries,
        "reasons": [{"reason": code, **facts} for code, facts in reasons],
    }


@click.command()
@file_argument
@click.option(
    "--tries", type=click.IntRange(10, 10_000), default=200, help="Play-outs a move, 10 to 10000."
)
@click.option("--seed", default=1, help="NUMBER that the chance begins with.")
@json_option
@lang_option
def analyse(file: str, tries: int, seed: int, lang: str | None, *, as_json: bool) -> None:
    """Say move by move how likely each player was to win the record FILE, and where it turned.

    Hands are unknown: the chances are those of somebody who sees the table only. A turning point
    is a fall above two standard errors. Exit status 2: FILE cannot be read.
    """
    tx = texts(lang)
    loaded = load_record(file, tx)
    wits = wits_of(tx, loaded.game)
    steps = [step for _, step in loaded.steps() if isinstance(step, Step)]
    names = [player.name for player in loaded.start.players]
    points = []
    for point in course(wits, loaded.start, steps, tries, seed):
        points.append(point)
        step = steps[point.move - 1] if point.move else None
        if as_json:
            click.echo(json.dumps(_point_json(point, step, names)))
        else:
            click.echo(_point_line(point, step, names))
    found = turns(points)
    if as_json:
        told = [_turn_json(turn, steps[turn.move - 1], names) for turn in found]
        click.echo(json.dumps({"turning_points": told}))
        return
    for turn in found:
        click.echo(turn_words(tx, loaded.game, turn, steps[turn.move - 1], loaded.start))


def turn_words(tx: Texts, game: Game, turn: Turn, step: Step, start: AnyPosition) -> str:
    """Say at which move whose chance fell."""
    return tx(
        "cli",
        "move {n}: {name}'s {move}, {other}'s chance fell by {points} points",
        n=turn.move,
        name=step.player.name,
        move=FACES[game.name].move_words(tx, step),
        other=start.players[turn.seat].name,
        points=round(100 * turn.fell),
    )


def _point_json(point: Point, step: Step | None, names: list[str]) -> dict[str, Any]:
    move = {"player": step.player.name, "move": step.token} if step else {}
    chances = {name: round(chance, 4) for name, chance in zip(names, point.chances, strict=True)}
    errors = {name: round(error, 4) for name, error in zip(names, point.errors, strict=True)}
    return {"n": point.move, **move, "chances": chances, "errors": errors}


def _point_line(point: Point, step: Step | None, names: list[str]) -> str:
    move = f"{step.player.name} {step.token}" if step else ""
    shares = ", ".join(
        f"{name} {chance:.0%}" for name, chance in zip(names, point.chances, strict=True)
    )
    return f"{point.move:4}  {move:24} {shares}"


def _turn_json(turn: Turn, step: Step, names: list[str]) -> dict[str, Any]:
    who = {"player": step.player.name, "move": step.token}
    return {"n": turn.move, **who, "whose": names[turn.seat], "fell": round(turn.fell, 4)}
