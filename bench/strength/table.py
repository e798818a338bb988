"""Measures rows: plays the rounds that are not in a row's file yet, and works out the figure."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from ai import AI
from ai.match import Bot, make_bot, play_rotation, seat_players
from ai.pace import is_compiled
from bench.strength import StrengthError, duel
from bench.strength.calibration import error_of, predictions
from bench.strength.checkout import digest, prepare
from bench.strength.duel import CommitDuel
from bench.strength.intervals import Interval, difference_of, interval_of
from bench.strength.results import Play, PlayedRound, Results
from bench.strength.rows import (
    OPPONENTS,
    AgainstCommit,
    Calibration,
    Match,
    RowFigure,
    Sitting,
    StrengthRow,
    Swap,
)
from bench.strength.side import Side, open_side
from engines import GAMES
from engines.game import AnyPosition, Move

FOLDER = Path("build/strength")
HEADER = "| row | games | figure | 95 % interval | goal | |\n|---|---|---|---|---|---|\n"


def file_of(row: StrengthRow, folder: Path = FOLDER) -> Path:
    """Return the file of a row's rounds: another one when the game's AI has changed.

    The AI is imported, so that what is measured is what the file is named after.
    """
    import_module(f"ai.{row.game}.thinking")
    content = digest(Path(), row.game)
    return folder / f"{row.game}-{content}" / f"{row.name}-{row.games}.jsonl"


def measure(row: StrengthRow, path: Path) -> RowFigure:
    """Return a row's figure, with its rounds in the file at `path` (`file_of`).

    StrengthError or BotError where it cannot be measured.
    """
    kind = KINDS[type(row)]
    results = Results(path, {"row": asdict(row)})
    count = row.games // kind.games_a_round(row)
    rounds = results.complete(count, lambda: kind.playing(row), row.name)
    value, (low, high) = kind.figure(rounds)
    return RowFigure(row.games, 100 * value, 100 * low, 100 * high)


def unit_of(row: StrengthRow) -> str:
    """Return the unit of a row's figure: a share of wins, or a difference of two shares."""
    return "%" if isinstance(row, Match | AgainstCommit) else "points"


def line_of(row: StrengthRow, measured: RowFigure) -> str:
    """Return a row as a line of a table in Markdown."""
    goal, verdict = "", ""
    if row.goal is not None:
        goal, verdict = str(row.goal), "reached" if row.goal.reached(measured) else "not reached"
    shown, unit = f"{measured.value:.1f}", unit_of(row)
    ends = "" if isinstance(row, Calibration) else f"{measured.low:.1f} to {measured.high:.1f}"
    return f"| `{row.name}` | {measured.games:,} | {shown} {unit} | {ends} | {goal} | {verdict} |\n"


class RowKind(NamedTuple):
    """What a kind of row does: how it plays its rounds, and the figure that it gets from them."""

    games_a_round: Callable[[Any], int]
    playing: Callable[[Any], AbstractContextManager[Play]]
    figure: Callable[[Sequence[PlayedRound]], tuple[float, Interval]]


@contextmanager
def _seated(game: str, seats: Sequence[Sitting]) -> Iterator[Callable[[int, int], list[float]]]:
    """Sitting the bots; yield what plays a round with a seed and returns the first one's shares."""
    setup = seat_players(GAMES[game], len(seats))
    with ExitStack() as stack:
        bots: list[Bot] = []
        sides: list[Side] = []
        for seat in seats:
            if isinstance(seat, str):
                bots.append(OPPONENTS[game][seat])
            elif seat.plain:
                sides.append(stack.enter_context(open_side(prepare(".", game), game, seat)))
                bots.append(sides[-1].choose)
            elif not is_compiled(import_module(f"ai.{game}.playouts")):
                raise StrengthError(f"the play-outs of {game} are not compiled here")
            else:
                bots.append(make_bot(AI[game], seat.level, seat.seconds))

        def watch(position: AnyPosition, move: Move | None) -> None:
            for side in sides:
                side.watch(position, move)

        def play(seed: int, number: int) -> list[float]:
            numbers = range(number * len(bots), (number + 1) * len(bots))
            return [play_rotation(AI[game], setup, bots, seed, n, watch)[0] for n in numbers]

        yield play


@contextmanager
def _match(row: Match) -> Iterator[Play]:
    with _seated(row.game, row.seats) as play:
        yield lambda number: {"shares": play(row.seed, number)}


@contextmanager
def _swap(row: Swap) -> Iterator[Play]:
    """Play each round twice: against greedy opponents, then with a copy in one's place."""
    players = seat_players(GAMES[row.game], row.players).players
    # a partner's copy would help, as it should: only an opponent is swapped
    places = [seat for seat in range(1, row.players) if players[seat].colour != players[0].colour]
    alone: list[Sitting] = [row.thinking, *["greedy"] * (row.players - 1)]
    with ExitStack() as stack:
        play_alone = stack.enter_context(_seated(row.game, alone))
        tables = []
        for place in places:
            seats = [row.thinking if seat == place else who for seat, who in enumerate(alone)]
            tables.append(stack.enter_context(_seated(row.game, seats)))

        def play(number: int) -> PlayedRound:
            play_with_copy = tables[number % len(tables)]
            shares, copied = play_alone(row.seed, number), play_with_copy(row.seed, number)
            return {"alone": shares, "copied": copied}

        yield play


@contextmanager
def _duel(row: AgainstCommit) -> Iterator[Play]:
    checkouts = prepare(".", row.game), prepare(row.commit, row.game)
    what = CommitDuel(row.game, row.games, row.seed, row.thinking, row.theirs)
    with duel.playing(what, checkouts) as play:
        yield play


@contextmanager
def _calibration(row: Calibration) -> Iterator[Play]:
    yield lambda number: {"pairs": predictions(row.game, number)}


def _share(rounds: Sequence[PlayedRound]) -> tuple[float, Interval]:
    means = [mean(each["shares"]) for each in rounds]
    return mean(means), interval_of(means)


def _gain(rounds: Sequence[PlayedRound]) -> tuple[float, Interval]:
    gains = [mean(each["copied"]) - mean(each["alone"]) for each in rounds]
    return mean(gains), difference_of(gains)


def _error(rounds: Sequence[PlayedRound]) -> tuple[float, Interval]:
    error = error_of([(chance, became) for each in rounds for chance, became in each["pairs"]])
    return error, (error, error)


KINDS: dict[type[StrengthRow], RowKind] = {
    Match: RowKind(lambda row: len(row.seats), _match, _share),
    Swap: RowKind(lambda row: row.players, _swap, _gain),
    AgainstCommit: RowKind(lambda _: 2, _duel, _share),
    Calibration: RowKind(lambda _: 1, _calibration, _error),
}
