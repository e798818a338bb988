"""`beisitzer advise` and `analyse`: good moves with their reasons, and a game's turning points."""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

import click

from ai import AI, GameAI
from ai.evaluation import SEED, Evaluation, Point, evaluate, measure_points
from engines.game import Game, GivenError
from engines.replay import Step
from pi_app.commands.console import fail, json_option, lang_option, refuse, texts
from pi_app.commands.pictures import picture_option, save_picture
from pi_app.commands.reading import resolve_store, store_option
from pi_app.commands.records import (
    LoadedRecord,
    file_argument,
    file_name,
    load_record,
)
from pi_app.past.evaluation import (
    content_key,
    curves_of,
    evaluation_lines,
    store_evaluation,
    stored_evaluation,
    turn_words,
)
from pi_app.screens.tips import find_tips
from pi_app.store.archive import ReadFile, fingerprint, same_games
from pi_app.store.derived import Derived
from pi_app.store.migrations import ERRORS, VersionError
from pi_app.store.store import Reader
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import Texts
from pi_app.texts.refused import given_words


def ai_of(tx: Texts, game: Game) -> GameAI:
    """Return a game's AI, or end with status 2 if it has none."""
    if game.name not in AI:
        name = PRESENTATIONS[game.name].name(tx)
        refuse(tx("cli", "nobody has taught the companion to think about {game}", game=name))
    return AI[game.name]


@click.command()
@file_argument
@click.option("--hand", help="The cards of the player to move: 3,5,11,13.")
@click.option("--roll", help="What the player to move rolled.")
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
    """Say which moves are best after the record FILE (- for standard input), and why.

    The same seed gives the same answer. Exit status 2: FILE cannot be read, the game is over,
    or the hand or roll that the game needs is missing or impossible.
    """
    tx = texts(lang)
    loaded = load_record(file, tx)
    game, position = loaded.game, loaded.end()
    ai_of(tx, game)
    player = position.to_move
    if player is None:
        fail(f"{file_name(tx, file)}: {tx('cli', 'the game is over, nobody is to move')}")
    try:
        given = game.given(position, hand, roll)
        tips = find_tips(game.name, position, given, seconds, Random(seed))
    except GivenError as error:
        fail(f"{file_name(tx, file)}: {given_words(tx, error)}")
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
        click.echo(json.dumps({"player": player.name, "best": best}))
        return
    click.echo(tx("cli", "Best for {name}:", name=player.name))
    for tip in tips:
        why = " ".join(tip.why(tx, PRESENTATIONS[game.name]))
        click.echo(f"  {tip.step.token:12} {tip.chance:4.0%}  {why}".rstrip())


@click.command()
@file_argument
@click.option(
    "--tries",
    type=click.IntRange(10, 10_000),
    help="Play-outs a move, 10 to 10000. Default: 200, without the compiled AI 40.",
)
@click.option("--seed", default=SEED, help="NUMBER that starts the random sequence.")
@picture_option("--picture", "Draw the chances into FILE (PNG).", ".png")
@store_option
@json_option
@lang_option
def analyse(
    file: str,
    tries: int | None,
    seed: int,
    picture: Path | None,
    store: Path | None,
    lang: str | None,
    *,
    as_json: bool,
) -> None:
    """Say move by move how likely each player was to win the game in FILE, and where it turned.

    Hands are unknown: the chances are those of a spectator who sees only the table. At a turning
    point a chance falls by more than two standard errors. If the game is in the store and was
    evaluated before, that evaluation is shown. Exit status 2: FILE cannot be read.
    """
    tx = texts(lang)
    loaded = load_record(file, tx)
    ai_of(tx, loaded.game)
    steps = [step for _, step in loaded.steps() if isinstance(step, Step)]
    names = [player.name for player in loaded.start.players]

    def print_point(point: Point) -> None:
        step = steps[point.move - 1] if point.move else None  # point 0 is the start
        click.echo(_point_line(point, step, names, as_json=as_json))

    evaluation = _evaluation(loaded, steps, tries, seed, resolve_store(store), print_point)
    if as_json:
        turns = []
        for turn in evaluation.turns:
            step = steps[turn.move - 1]
            facts = {"n": turn.move, "player": step.player.name, "move": step.token}
            facts |= {"whose": names[turn.seat], "fell": round(turn.fell, 4)}
            if turn.better:
                facts["better"] = turn.better
            turns.append(facts)
        click.echo(json.dumps({"turning_points": turns}))
    else:
        presentation = PRESENTATIONS[loaded.game.name]
        for turn in evaluation.turns:
            click.echo(turn_words(tx, presentation, turn, loaded.start, steps))
    if picture is not None:
        from pi_app.view.plots import draw_curves

        presentation = PRESENTATIONS[loaded.game.name]
        curves = curves_of(tx, evaluation, loaded.start)
        lines = evaluation_lines(tx, presentation, evaluation, loaded.start, steps)
        save_picture(tx, draw_curves(curves, presentation.name(tx), lines).save, picture)


def _evaluation(
    loaded: LoadedRecord,
    steps: list[Step],
    tries: int | None,
    seed: int,
    store: Path,
    report_point: Callable[[Point], None],
) -> Evaluation:
    """Return a game's stored evaluation or compute one; call `report_point` for each of its points.

    A new evaluation is stored if it uses the companion's settings and the store has the game.
    """
    tags, tokens = loaded.reading.tags, tuple(step.token for step in steps)
    key = content_key(tags, tokens)
    # open until the command ends
    derived = click.get_current_context().with_resource(closing(Derived.of_store(store)))
    # only evaluations with the companion's own seed are stored
    stored = stored_evaluation(derived, key) if seed == SEED else None
    if stored is not None and tries in (None, stored.tries):
        for point in stored.points:
            report_point(point)
        return stored
    ai = AI[loaded.game.name]
    tries = tries or ai.tries
    points_so_far = []
    for point in measure_points(ai, loaded.start, steps, tries, seed):
        report_point(point)
        points_so_far.append(point)
    evaluation = evaluate(ai, loaded.start, steps, tries, seed, points_so_far)
    if stored is None and (tries, seed) == (ai.tries, SEED) and _is_stored(store, tags, tokens):
        store_evaluation(derived, key, evaluation)
    return evaluation


def _is_stored(store: Path, tags: Mapping[str, str], tokens: tuple[str, ...]) -> bool:
    """Return whether the store has exactly this game; false if it is damaged or unreadable."""
    try:
        if not store.exists():
            return False
        with closing(ReadFile(store)) as file:
            games = Reader(file)
            same_tags = same_games(games).get(fingerprint(tags), ())
            return any(games.load(game).tokens == tokens for game in same_tags) and file.whole
    except (*ERRORS, OSError, ValueError, KeyError, VersionError):
        return False


def _point_line(point: Point, step: Step | None, names: list[str], *, as_json: bool) -> str:
    if as_json:
        parts = {"chances": point.chances, "errors": point.errors, "spreads": point.spreads}
        numbers = {
            part: {name: round(value, 4) for name, value in zip(names, values, strict=True)}
            for part, values in parts.items()
            if values  # where hands matter less there are no spreads
        }
        mover = {"player": step.player.name, "move": step.token} if step else {}
        return json.dumps({"n": point.move, **mover, **numbers})
    move = f"{step.player.name} {step.token}" if step else ""
    shares = ", ".join(
        f"{name} {chance:.0%}" for name, chance in zip(names, point.chances, strict=True)
    )
    return f"{point.move:4}  {move:24} {shares}"
