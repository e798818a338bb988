"""The value of positions in numeri: a net that learns from games of two against itself.

In the first generation greedy players play, then the net chooses the moves. What it learns about a
position is half what became of the game, and half what it said itself a move later. Many games are
played on tracks by chance, because owners key in the values of their own.
"""

from array import array
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

from ai.halving import share_of
from ai.numeri.playouts import NumeriPlay, ValueNet, net_sizes
from ai.numeri.thinking import net_with, track_on
from ai.odds import CERTAIN
from engines.numeri.board import BOARD, LARGE, Track, make_track
from engines.numeri.moves import STONES
from tools.learn.net import Net, text_of_net

INPUTS, HIDDEN, PRECISE, ONE = net_sizes()
SEED = 47
GENERATIONS = 10
DUELS = 4_000
"""The games that tell how good the net of a generation is."""
STRAY = 0.08
"""The share of moves by chance, so that the games reach positions which the net avoids."""
KEPT = 0.5
"""The share of positions that are learnt from: neighbours tell nearly the same."""
OUTCOME = 0.5
"""How much the outcome of the game counts; the rest is what the net said a move later."""
SAMPLE = make_track(BOARD.load_boards()[BOARD.default][BOARD.key])
ON_SAMPLE = 0.6
"""The share of games on the sample track."""
LONGEST = 600
"""Moves after which a game is left; none was so long."""
RATES = (0.003, 0.003, 0.002)
"""How fast the first generations learn, and the others; the last two learn half as fast."""


class Lesson(NamedTuple):
    """Positions to learn from, with a row each of what the net reads, and the chances."""

    inputs: Any
    chances: Any


def random_track(rng: Random) -> Track:
    """Return a track that somebody might own: values that mostly rise, and white fields."""
    length = rng.randint(26, 56)
    most = rng.choice((5, 10, 20, 50))
    scoring = rng.sample(range(3, length - LARGE), rng.randint(6, length // 2))
    values = [0] * length
    value = 0
    for field in sorted(scoring):
        value += rng.randint(0, most)
        values[field] = value if rng.random() < 0.9 else rng.randint(0, value + most)
    for field in range(length - LARGE, length):
        value += rng.randint(1, 2 * most)
        values[field] = value
    return make_track(values)


def play_games(net: ValueNet | None, games: int, rng: Random) -> Lesson:
    """Play games with the net, or greedily without one, and return what they teach."""
    np = import_module("numpy")
    rows = array("h")
    outcomes: list[float] = []
    said: list[float] = []
    rating = net or empty_net()
    for _ in range(games):
        track = SAMPLE if rng.random() < ON_SAMPLE else random_track(rng)
        playout = NumeriPlay(track_on(track), 2, rating)
        playout.set_up([0] * 2 * STONES, 0)
        playout.deal(rng.getrandbits(32))
        seats: list[int] = []
        while not playout.over and playout.moves < LONGEST:
            if rng.random() < KEPT:
                seats.append(playout.seat)
                rows.extend(playout.read_inputs())
                said.append(playout.expect() / CERTAIN if net else 0.0)
            playout.play(_move(playout, rng, wise=net is not None))
        outcomes += [_share(playout, seat) for seat in seats]
    chances = np.array(outcomes, np.float32)
    if net:
        chances = OUTCOME * chances + (1 - OUTCOME) * np.array(said, np.float32)
    return Lesson(np.frombuffer(rows, np.int16).reshape(-1, INPUTS), chances.astype(np.float32))


def _move(playout: NumeriPlay, rng: Random, *, wise: bool) -> int:
    roll = playout.roll()
    legal = playout.legal(roll)
    if not legal:
        return 0
    if rng.random() < STRAY:
        return rng.choice(legal)
    return playout.wise(roll) if wise else playout.best(roll)


def _share(playout: NumeriPlay, seat: int) -> float:
    """Return a seat's share of the win; half if the game was left."""
    return share_of(seat)(playout.winners) if playout.over else 0.5


def empty_net() -> ValueNet:
    """Return a net that knows nothing."""
    return net_with(Net(INPUTS, HIDDEN, SEED).whole(PRECISE, ONE))


def duel(net: ValueNet, other: ValueNet | None, games: int) -> float:
    """Return the share of games that a net wins against another, or against greedy players.

    On the sample, each pair of games with the same dice and the seats changed.
    """
    track = track_on(SAMPLE)
    won = 0.0
    playouts = [NumeriPlay(track, 2, rating) for rating in (net, other or net)]
    for number in range(games):
        for playout in playouts:
            playout.set_up([0] * 2 * STONES, 0)
            playout.deal(SEED + number // 2 * 7919)
        while not playouts[0].over:
            rolls = [playout.roll() for playout in playouts]
            turn = (playouts[0].seat + number) % 2
            wise = turn == 0 or other is not None
            move = playouts[turn].wise(rolls[0]) if wise else playouts[turn].best(rolls[0])
            for playout in playouts:
                playout.play(move)
        won += _share(playouts[0], number % 2)
    return won / games


def learn(games: int, say: Callable[[str], object]) -> str:
    """Return the model's file after GENERATIONS of this many games each."""
    rng = Random(SEED)
    net = Net(INPUTS, HIDDEN, SEED)
    log = [
        f"Found by python -m tools.learn numeri {games}: a net that rates positions of two.",
        "Each generation's number and positions, the net's log loss of the next ones, and what it",
        f"won of {DUELS:,} games against greedy players, without looking ahead:",
    ]
    rating: ValueNet | None = None
    for generation in range(GENERATIONS):
        lesson = play_games(rating, games, rng)
        if generation:
            log[-1] += f", {net.loss(*lesson, ONE):.4f}, {duel(_rating(net), None, DUELS):.1%}"
            say(log[-1] + "\n")
        log.append(f"{generation}: {len(lesson.chances)}")
        rate = RATES[min(generation, len(RATES) - 1)]
        if generation >= GENERATIONS - 2:
            rate /= 2
        net.train(*lesson, ONE, epochs=2 if generation else 3, rate=rate)
        rating = _rating(net)
    log[-1] += f", {duel(_rating(net), None, DUELS):.1%}"
    return text_of_net(net.whole(PRECISE, ONE), log)


def _rating(net: Net) -> ValueNet:
    return net_with(net.whole(PRECISE, ONE))
