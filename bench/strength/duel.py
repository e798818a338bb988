"""Duels of two commits at equal thinking time: both sit in each seat once with the same luck.

Each side is a process of its own, and they take turns, so a duel uses one core.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from ai import AI
from ai.match import play_rotation, seat_players, tally
from bench.strength.checkout import Checkout
from bench.strength.errors import StrengthError
from bench.strength.intervals import interval_of
from bench.strength.results import Results
from bench.strength.side import Side, Thinking, open_side
from engines import GAMES
from engines.game import AnyPosition, Move

NEWS_S = 30.0
"""How often a run says how far it is."""
HEADER = (
    "| game | seconds | games | won | 95 % by pairs | 95 % by games | processor time of a move |\n"
    "|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True, slots=True)
class Duel:
    """What is played: everything that is written down before the first game."""

    game: str
    games: int
    seed: int
    ours: Thinking
    theirs: Thinking


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games with the same luck: our share of each, and each side's processor time and moves."""

    shares: tuple[float, float]
    cpu_s: tuple[float, float]
    moves: tuple[int, int]


def run(
    duel: Duel, sides: tuple[Checkout, Checkout], path: Path, *, quiet: bool = False
) -> list[Pair]:
    """Play the pairs that are not in the file yet; return all of them."""
    contents = [side.content for side in sides]
    commits = [side.commit for side in sides]
    results = Results(path, {**asdict(duel), "contents": contents, "commits": commits})
    missing = [pair for pair in range(duel.games // 2) if pair not in results.rounds]
    if missing:
        _play(duel, sides, missing, results, quiet=quiet)
    found = [results.rounds[pair] for pair in range(duel.games // 2)]
    return [
        Pair(tuple(each["shares"]), tuple(each["cpu_s"]), tuple(each["moves"])) for each in found
    ]


def _play(
    duel: Duel,
    checkouts: tuple[Checkout, Checkout],
    pairs: Sequence[int],
    results: Results,
    *,
    quiet: bool,
) -> None:
    ours, theirs = checkouts
    said = time.monotonic()
    with (
        open_side(ours, duel.game, duel.ours) as first,
        open_side(theirs, duel.game, duel.theirs) as second,
    ):
        for pair in pairs:
            _play_pair(duel, (first, second), pair, results)
            if not quiet and time.monotonic() - said > NEWS_S:
                said = time.monotonic()
                sys.stderr.write(f"{2 * len(results.rounds)} of {duel.games} games played\n")


def _play_pair(duel: Duel, sides: tuple[Side, Side], pair: int, results: Results) -> None:
    ai, setup = AI[duel.game], seat_players(GAMES[duel.game], 2)
    before = [(side.cpu_s, side.moves) for side in sides]

    def watch(position: AnyPosition, move: Move | None) -> None:
        for side in sides:
            side.watch(position, move)

    bots = [side.choose for side in sides]
    shares = [
        play_rotation(ai, setup, bots, duel.seed, 2 * pair + swapped, watch)[0]
        for swapped in range(2)
    ]
    spent = [
        (side.cpu_s - cpu_s, side.moves - moves)
        for side, (cpu_s, moves) in zip(sides, before, strict=True)
    ]
    results.add(
        pair,
        shares=shares,
        cpu_s=[round(cpu_s, 4) for cpu_s, _ in spent],
        moves=[moves for _, moves in spent],
    )


def row(duel: Duel, pairs: Sequence[Pair]) -> str:
    """Return the duel's row of a table in Markdown."""
    means = [mean(pair.shares) for pair in pairs]
    low, high = interval_of(means)
    by_games = tally([share for pair in pairs for share in pair.shares])
    least, most = by_games.interval
    ours, theirs = (
        1000 * sum(pair.cpu_s[at] for pair in pairs) / sum(pair.moves[at] for pair in pairs)
        for at in range(2)
    )
    seconds = f"{duel.ours.seconds:g}"
    if duel.theirs.seconds != duel.ours.seconds:
        seconds += f" : {duel.theirs.seconds:g}"
    return (
        f"| {duel.game} | {seconds} | {by_games.games} | {100 * by_games.share:.1f} % "
        f"| {100 * low:.1f} to {100 * high:.1f} | {100 * least:.1f} to {100 * most:.1f} "
        f"| {ours:.1f} : {theirs:.1f} ms, {ours / theirs:.2f} times |\n"
    )


def check(duel: Duel) -> None:
    """Raise StrengthError where the duel is none."""
    if duel.game not in AI:
        raise StrengthError(f"{duel.game} is no game: name one of {', '.join(AI)}")
    if duel.games < 2 or duel.games % 2:
        raise StrengthError(f"{duel.games} games are no pairs: give an even number")
