"""Duels of two commits at equal thinking time: both sit in each seat once with the same luck.

Each side is a process of its own, and they take turns, so a duel uses one core.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from ai import AI
from ai.match import play_rotation, seat_players, tally
from bench.strength import StrengthError
from bench.strength.checkout import Checkout
from bench.strength.intervals import interval_of
from bench.strength.results import Play, PlayedRound, Results
from bench.strength.side import Side, Thinking, open_side
from engines import GAMES
from engines.game import AnyPosition, Move

HEADER = (
    "| game | seconds | games | won | 95 % by pairs | 95 % by games | processor time of a move |\n"
    "|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True, slots=True)
class CommitDuel:
    """What is played: everything that is written down before the first game."""

    game: str
    games: int
    seed: int
    ours: Thinking
    theirs: Thinking


def run(
    duel: CommitDuel, sides: tuple[Checkout, Checkout], path: Path, news: str = ""
) -> list[PlayedRound]:
    """Play the pairs that are not in the file yet; return all of them (`playing`)."""
    contents = [side.content for side in sides]
    commits = [side.commit for side in sides]
    results = Results(path, {**asdict(duel), "contents": contents, "commits": commits})
    return results.complete(duel.games // 2, lambda: playing(duel, sides), news)


@contextmanager
def playing(duel: CommitDuel, checkouts: tuple[Checkout, Checkout]) -> Iterator[Play]:
    """Start both sides; yield what plays a pair of games with the same luck.

    Of a pair it returns our `shares` of both games, and for each side the processor time (`cpu_s`)
    and the number of its `moves`.
    """
    ours, theirs = checkouts
    with (
        open_side(ours, duel.game, duel.ours) as first,
        open_side(theirs, duel.game, duel.theirs) as second,
    ):
        yield lambda pair: _play_pair(duel, (first, second), pair)


def _play_pair(duel: CommitDuel, sides: tuple[Side, Side], pair: int) -> PlayedRound:
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
    cpu_s, moves = zip(*spent, strict=True)
    return {"shares": shares, "cpu_s": [round(each, 4) for each in cpu_s], "moves": moves}


def row(duel: CommitDuel, pairs: Sequence[PlayedRound]) -> str:
    """Return the duel's row of a table in Markdown."""
    means = [mean(pair["shares"]) for pair in pairs]
    low, high = interval_of(means)
    by_games = tally([share for pair in pairs for share in pair["shares"]])
    least, most = by_games.interval
    ours, theirs = (
        1000 * sum(pair["cpu_s"][at] for pair in pairs) / sum(pair["moves"][at] for pair in pairs)
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


def check(duel: CommitDuel) -> None:
    """Raise StrengthError where the duel is none."""
    if duel.game not in AI:
        raise StrengthError(f"{duel.game} is no game: name one of {', '.join(AI)}")
    if duel.games < 2 or duel.games % 2:
        raise StrengthError(f"{duel.games} games are no pairs: give an even number")
