"""Finds the best move by play-outs: sequential halving, all moves with the same luck.

Every round plays the remaining moves with the same seeds, hence with the same cards and dice as
far as possible, so that only the move differs. Then the worse half is dropped.
"""

from collections.abc import Callable, Mapping, Sequence
from math import exp, inf, sqrt
from random import Random
from typing import Any, NamedTuple

from ai.api import Option


class Level(NamedTuple):
    """How well a player chooses; nobody plays badly on purpose."""

    overlooked: float
    """The chance that a move is overlooked."""
    softness: float
    """Of the others, a move whose chance is better by this much is picked e times as often."""
    seconds: float
    """How long this player thinks at most."""


LEVELS = {
    "beginner": Level(0.35, 0.08, 0.02),
    "club": Level(0.1, 0.03, 0.1),
    "best": Level(0.0, 0.0, inf),
}
"""The levels, the weakest first. These are for a game without levels of its own (`levels_of`)."""
DEALING = 2
"""The cost of setting up a play-out, in moves."""

CLEAR = 3.0
"""An option that leads another by this many standard errors is clearly ahead of it."""
FEWEST = 32
"""No option is clearly ahead before each of them had this many play-outs."""
LOOKS = 1.5
"""The play-outs from one look at who is ahead to the next grow by this factor."""

DOUBT = 0.1
"""Play-outs are surer than games are: this part of the chance is shared equally by everybody."""

Share = Callable[[int], float]
"""Returns one player's share (0 to 1) of the win, for an outcome that a play-out returned."""


def levels_of(table: Mapping[str, Mapping[str, float]]) -> dict[str, Level]:
    """Return the levels of a game's `levels.toml`; the best overlooks nothing and takes its time.

    `tools/levels.py` finds them.
    """
    return {**LEVELS, **{name: Level(**numbers) for name, numbers in table.items()}}


class Trials(NamedTuple):
    """The play-outs of one option.

    `option` is its index, `wins` the sum of what it won (0 to 1 a play-out), `tries` how many
    play-outs there were.
    """

    option: int
    wins: float
    tries: int


def share_of(seat: int) -> Share:
    """Return this seat's share of an outcome that is a bit set of winners, who share equally."""

    def share(winners: int) -> float:
        return (winners >> seat & 1) / winners.bit_count() if winners else 0.0

    return share


def halve(
    count: int,
    budget: int,
    trial: Callable[[int, int], tuple[float, int]],
    rng: Random,
    *,
    decide: bool = False,
) -> list[Trials]:
    """Play out `count` options with a budget of moves; return them, best first.

    `trial` plays out an option (its index) with a seed, and returns what it won and how many moves
    that took. Every option is played out at least once, however small the budget. To `decide` which
    option is the best, and no more, it stops once one is clearly ahead of all that remain.
    """
    remaining = list(range(count))
    won: list[list[float]] = [[] for _ in remaining]
    wins = [0.0] * count
    dropped: list[int] = []
    rounds = max(1, (count - 1).bit_length())  # until one option is left
    next_look = FEWEST if count > 1 else 1
    clear = False
    for round_ in range(rounds):
        moves = budget // rounds
        while (moves > 0 and not clear) or not won[remaining[0]]:
            seed = rng.getrandbits(32)
            for index in remaining:
                win, move_count = trial(index, seed)
                won[index].append(win)
                wins[index] += win
                moves -= move_count
            if decide and len(won[remaining[0]]) >= next_look:
                next_look = int(next_look * LOOKS)
                first = max(remaining, key=lambda index: wins[index])
                others = [won[index] for index in remaining if index != first]
                clear = is_clearly_ahead(won[first], others)
        remaining.sort(key=lambda index: -wins[index] / len(won[index]))
        if round_ < rounds - 1 and not clear:
            half = (len(remaining) + 1) // 2
            # best first: these are better than the options dropped in earlier rounds
            dropped = remaining[half:] + dropped
            remaining = remaining[:half]
    return [Trials(index, wins[index], len(won[index])) for index in remaining + dropped]


def is_clearly_ahead(won: Sequence[float], others: Sequence[Sequence[float]]) -> bool:
    """Tell whether an option is better than all others by more than luck explains.

    `won` is what its play-outs won, `others` what those of the others won with the same seeds. Luck
    that they share does not matter, so only the differences count.
    """
    count = len(won) + 1
    for other in others:
        differences = [own - its for own, its in zip(won, other, strict=True)]
        # as if one more play-out had gone the other way altogether: something rare may happen, and
        # differences that are all the same prove little while there are few
        mean = (sum(differences) - 1) / count
        variance = (sum(each * each for each in differences) + 1) / count - mean * mean
        if mean < CLEAR * sqrt(variance / (count - 1)):
            return False
    return True


def best_of(
    moves: Sequence[Any],
    codes: Sequence[int],
    pair: tuple[Any, Any],
    share: Share,
    candidates: int,
    budget: int,
    rng: Random,
    behind: Sequence[float] = (),
    *,
    weight: float = 0.0,
    decide: bool = False,
) -> list[Option]:
    """Return every move with its chance, best first; only the first `candidates` are played out.

    `codes` are the moves in the play-outs' notation. `pair` is the root, a play-out that stands at
    the position, and another one that copies it and plays on. `behind` has for each move what is
    subtracted from its chance, for a reason that play-outs do not see; if empty, nothing is. With a
    `weight` that is by what a score finds it worse than the best move, times the weight: play-outs
    and score are two judges, the score counts `weight` times as much, and chances are their mean.
    `decide` as in `halve`.
    """
    root, playout = pair

    def trial(index: int, seed: int) -> tuple[float, int]:
        outcome = playout.try_move(root, codes[index], seed)
        penalty = behind[index] if behind else 0.0
        return share(outcome) - penalty, playout.moves + DEALING

    trials = halve(min(candidates, len(moves)), budget, trial, rng, decide=decide)
    total = sum(result.tries for result in trials)
    mean = sum(result.wins for result in trials) / total
    # the chance of the position: moves that were not played out get it
    usual, judges = mean, 1.0
    if weight and behind:
        usual += sum(behind[result.option] * result.tries for result in trials) / total
        judges += weight
    best: list[Option] = []
    for index, wins, tries in trials:
        chance = usual + (wins / tries - mean) / judges
        # the penalties may be more than the move won
        best.append(Option(moves[index], min(1.0, max(0.0, chance)), tries))
    return best + [Option(move, usual, 0) for move in moves[len(trials) :]]


def shares_after(
    code: int,
    pair: tuple[Any, Any],
    shares: Sequence[Share],
    sides: int,
    tries: int,
    rng: Random,
    doubt: float = DOUBT,
) -> list[float]:
    """Return the chance of each of `shares`, from `tries` play-outs.

    `code` is the first move in the play-outs' notation, `pair` as in `best_of`. `sides` is the
    number of players or teams: `doubt` is shared among them, as DOUBT says.
    """
    root, playout = pair
    totals = [0.0] * len(shares)
    for _ in range(tries):
        outcome = playout.try_move(root, code, rng.getrandbits(32))
        for index, share in enumerate(shares):
            totals[index] += share(outcome)
    return [(1 - doubt) * total / tries + doubt / sides for total in totals]


def choose_move(
    search: Callable[..., Sequence[Option]],
    position: Any,
    given: Any,
    level: str,
    seconds: float,
    rng: Random,
    *,
    levels: Mapping[str, Level] = LEVELS,
) -> Any:
    """Return the only legal move, else the one that a player of this level picks after a search.

    `search` is a game's, with an argument `decide` that it passes on to `best_of`; `levels` are the
    game's, too.
    """
    moves = position.legal(given)
    if len(moves) == 1:
        return moves[0]
    player = levels[level]
    options = search(position, given, min(seconds, player.seconds), rng, decide=True)
    return pick_move(options, player, rng)


def pick_move(options: Sequence[Option], level: Level, rng: Random) -> Any:
    """Return the option that a player of this level picks; the options are sorted, best first."""
    if not level.overlooked and not level.softness:
        return options[0].move
    # an option without play-outs has no chance of its own
    noticed = [option for option in options if option.tries and rng.random() >= level.overlooked]
    if not noticed:
        return rng.choice(options).move
    best = max(option.chance for option in noticed)
    weights = [exp((option.chance - best) / level.softness) for option in noticed]
    return rng.choices(noticed, weights)[0].move
