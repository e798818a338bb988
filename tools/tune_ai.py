"""Tunes the AI's weights by self-play: `python -m tools.tune_ai GAME [GENERATIONS]`.

It is an evolution strategy: every generation tries CHANGES changes of the weights, each one and
its opposite, in games against the last three sets of weights; the weights move to the mean of the
best third. Seats alternate, and both seatings get the same cards. The seed is fixed, so a run can
be repeated. It prints TOML for `ai/GAME/weights.toml`.
"""

import sys
import tomllib
from collections.abc import Callable, Sequence
from math import exp, log
from random import Random
from typing import Any

from ai.just4fun import playouts as just4fun_play
from ai.just4fun.scoring import build_row_score, rows_of
from ai.sequence import playouts as sequence_play
from ai.sequence.scoring import board_with
from ai.weights_file import read_weights
from engines import GAMES
from engines.game import Player, Setup
from engines.just4fun.cards import DECK
from engines.sequence.board import CARDS

TunedWeights = dict[str, Any]
Duel = Callable[[Any, Any, int, int], float]
"""Plays games between two scores; the numbers are how many games and the seed.

It returns the share that the first score won.
"""

SEED = 20
CHANGES = 10
"""How many changes a generation tries, each with its opposite."""
GAMES_EACH = 600
"""How many games each changed set of weights plays, against all rivals together."""
KEPT = 6
"""How many of the changes, the best third, make up the next step."""
REACH = 0.2
"""The size of the first changes."""
FIXED = ("reach",)
"""Weights that are not tuned."""
PROPORTIONAL = ("owned", "own", "block", "points", "two", "secured", "held", "keep", "last", "gone")
"""TunedWeights changed by a factor; all others by a term."""


def paths(weights: Any, parent: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of each number in the weights, except zeros and `FIXED` ones."""
    number_paths: list[tuple[Any, ...]] = []
    entries = weights.items() if isinstance(weights, dict) else enumerate(weights)
    for key, value in entries:
        if key in FIXED:
            continue
        if isinstance(value, dict | list):
            number_paths += paths(value, (*parent, key))
        elif value:
            number_paths.append((*parent, key))
    return number_paths


def change_weights(
    weights: TunedWeights, number_paths: list[tuple[Any, ...]], changes: Sequence[float]
) -> TunedWeights:
    """Return the weights with these changes."""
    new = tomllib.loads(text_of(weights))  # a copy, rounded like the file
    for path, change in zip(number_paths, changes, strict=True):
        place: Any = new
        for key in path[:-1]:
            place = place[key]
        # a number in a list is named by the list
        name = next(str(key) for key in reversed(path) if isinstance(key, str))
        if name.startswith(PROPORTIONAL):
            place[path[-1]] *= exp(change)
        else:
            place[path[-1]] += change
    return new


def text_of(weights: TunedWeights) -> str:
    """Return weights as TOML: numbers and lists of them first, then tables."""
    lines = []
    for key, value in weights.items():
        if not isinstance(value, dict):
            lines.append(f"{key} = {_number(value)}")
    for key, value in weights.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", text_of(value).rstrip()]
    return "\n".join(lines) + "\n"


def _number(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_number(each) for each in value) + "]"
    # adding 0.0 makes 0.0 of -0.0, which would be written with its sign
    return repr(round(float(value), 4) + 0.0)


def start_of(game: str) -> Any:
    """Return the start of a game of two."""
    setup = Setup(tuple(Player(name, GAMES[game].colours[seat]) for seat, name in enumerate("AB")))
    return GAMES[game].begin(setup)


def _duel(
    new_pair: Callable[[Any], tuple[Any, Any]], side: Any, other_side: Any, games: int, seed: int
) -> float:
    """Play games between two sides' weights; return the share that the first one won.

    Each game is played twice in parallel, with one side's weights in each play-out: a side's
    play-out chooses its moves, and both play them. Seats alternate.
    """
    first, first_root = new_pair(side)
    second, second_root = new_pair(other_side)
    wins = 0.0
    for number in range(games):
        # the same for both seatings; the prime makes neighbouring seeds very different
        chance = (seed + number // 2 * 2_654_435_761) & 0xFFFFFFFF
        for playout, root in ((first, first_root), (second, second_root)):
            playout.copy_from(root)
            playout.deal(chance)
        first_seat = number & 1
        while not first.over:
            move = first.best() if first.seat == first_seat else second.best()
            first.play(move)
            second.play(move)
        if isinstance(first, sequence_play.SequencePlay):
            # below 0: nobody won, which is half a win
            wins += 0.5 if first.winner < 0 else float(first.winner == first_seat)
        else:  # `winners` has a bit for each seat
            wins += 0.5 if not first.winners else float(first.winners == 1 << first_seat)
    return wins / games


def _just4fun() -> tuple[Callable[[TunedWeights], Any], Callable[[Any], tuple[Any, Any]]]:
    rows = rows_of(start_of("just4fun").terms.board)
    model = read_weights("just4fun", "value_model")
    deck = [card for card, copies in DECK.items() for _ in range(copies)]

    def new_pair(score: Any) -> tuple[Any, Any]:
        pair = tuple(just4fun_play.Just4FunPlay(score, 2, 0, closed=False) for _ in range(2))
        # 148: 37 field numbers, each with 4 seats; two players have 20 stones each
        pair[1].set_up([0] * 148, [20, 20, 0, 0], [0] * 4, deck, [], 0)
        return pair  # type: ignore[return-value]

    return lambda weights: build_row_score(rows, weights, model), new_pair


def _sequence() -> tuple[Callable[[TunedWeights], Any], Callable[[Any], tuple[Any, Any]]]:
    start = start_of("sequence")
    model = read_weights("sequence", "value_model")
    deck = list(range(len(CARDS))) * 2

    def new_pair(board: Any) -> tuple[Any, Any]:
        pair = tuple(
            sequence_play.SequencePlay(board, 2, [0, 1], 2, 1, may_break=False) for _ in range(2)
        )
        # 100 squares without a chip; the zeros: seat to move, passes, cards turned in
        pair[1].set_up([-1] * 100, [[], []], list(start.hands), deck, [], 0, 0, 0)
        return pair  # type: ignore[return-value]

    return lambda weights: board_with(start.terms.board, weights, model), new_pair


TUNERS = {"just4fun": _just4fun, "sequence": _sequence}


def tune(game: str, generations: int, say: Callable[[str], object]) -> TunedWeights:
    """Return better weights than the current ones, found in this number of generations."""
    # `make` returns the score with these weights, `new_pair` a play-out with it and its root
    make, new_pair = TUNERS[game]()
    weights = dict(read_weights(game))
    number_paths = paths(weights)
    rng = Random(SEED)
    step_sizes = [REACH] * len(number_paths)
    # how much each of the best changes counts, by rank, as in CMA-ES
    shares = [log(KEPT + 0.5) - log(rank + 1) for rank in range(KEPT)]
    first_score = make(weights)
    rivals = [first_score]
    for generation in range(1, generations + 1):
        seed = rng.getrandbits(32)
        results = []  # of each change the share of games won, and the change
        for _ in range(CHANGES):
            draws = [rng.gauss(0, 1) for _ in number_paths]
            for sign in (1, -1):
                change = [sign * size * draw for size, draw in zip(step_sizes, draws, strict=True)]
                candidate = make(change_weights(weights, number_paths, change))
                games = GAMES_EACH // len(rivals)
                won = [_duel(new_pair, candidate, rival, games, seed) for rival in rivals]
                results.append((sum(won) / len(won), change))
        results.sort(key=lambda result: -result[0])
        # `zip` stops after the best KEPT results
        step = [
            sum(share * change[index] for share, (_, change) in zip(shares, results, strict=False))
            / sum(shares)
            for index in range(len(number_paths))
        ]
        for index in range(len(number_paths)):
            # a step grows where good changes were large, and shrinks slowly otherwise
            spread = sum(
                share * (change[index] / step_sizes[index]) ** 2
                for share, (_, change) in zip(shares, results, strict=False)
            )
            # 0.05 is how fast sizes follow, 0.004 how fast they shrink, 0.02 the smallest
            step_sizes[index] = max(
                0.02, step_sizes[index] * exp(0.05 * (spread / sum(shares) - 1) - 0.004)
            )
        # somewhat less than the mean, part of which is luck
        weights = change_weights(weights, number_paths, [0.8 * change for change in step])
        if generation % 10 == 0:
            rivals = [*rivals, make(weights)][-3:]  # the last three
            gain = _duel(new_pair, rivals[-1], first_score, 4_000, SEED)
            say(f"# generation {generation}: {gain:.1%} against the weights it began with\n")
    return weights


def main(words: list[str]) -> None:
    """Tune one game and print its weights."""
    game, generations = words[0], int(words[1]) if len(words) > 1 else 100
    sys.stdout.write(text_of(tune(game, generations, sys.stderr.write)))


if __name__ == "__main__":
    main(sys.argv[1:])
