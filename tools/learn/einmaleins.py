"""The weights of Einmaleins: what every move is worth, by its features.

This is policy iteration. Each step plays games of the score against itself, some moves by chance.
At some positions every move is played out on the same deals, as the player to move sees them. The
weights are fitted to how much better or worse than their mean the moves are; the next step plays
with these weights.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from math import exp
from random import Random
from typing import Any, NamedTuple

from ai.einmaleins.dealing import EinmaleinsDeal
from ai.einmaleins.playouts import EinmaleinsPlay, LayingScore
from ai.einmaleins.scoring import CARD_INDEX, FEATURES, TABLES, build_score
from ai.einmaleins.thinking import code_of, new_playout
from ai.halving import share_of
from ai.match import seat_players
from engines import GAMES
from engines.einmaleins.cards import FREE
from engines.einmaleins.moves import EinmaleinsMove, Lay
from tools.learn.regression import SEED

PLAYERS = {"two": 2, "three": 3, "more": 5}
"""By table, the number of players in the games that its weights come from."""
STEPS = 2
STRAY = 0.12
"""The share of moves by chance, so that the games reach positions which the score avoids."""
SEEN = 0.15
"""The share of positions whose moves are played out."""
TRIES = 30
"""Deals on which each move is played out."""
MOST_MOVES = 10
"""Moves of a position that are played out: not all products that a free card can be laid as."""
SOFTNESS = 0.2
"""Moves that much worse than the best one count e times less."""
RIDGE = 3.0
"""How much large weights cost, so that rare features get small ones."""
BATCH = 4_000
"""Moves whose features are in memory at once."""

FittedWeights = dict[str, list[float]]


class RatedChoice(NamedTuple):
    """The moves of a position: the features of each, and its share of wins in the play-outs."""

    features: list[list[int]]
    shares: list[float]


def first_weights() -> FittedWeights:
    """Return those of a player who lays what it can: a square first, a free card last."""
    weights = {name: [0.0] * count for name, count in FEATURES.items()}
    # of each square or not, 8 numbers of cards left, and 8 numbers of those that fit
    weights["fit"] = [
        0.5 * (index // 64 % 2) + 0.01 * (index % 8) for index in range(FEATURES["fit"])
    ]
    weights["card"] = [
        -1.0 if index % len(CARD_INDEX) == CARD_INDEX[FREE] else 0.0
        for index in range(FEATURES["card"])
    ]
    weights["draw"] = [-2.0] * FEATURES["draw"]
    return weights


def _tried(moves: Sequence[EinmaleinsMove], rng: Random) -> list[int]:
    """Return the codes of the moves to play out."""
    frees = [code_of(move) for move in moves if isinstance(move, Lay) and move.free]
    others = [code_of(move) for move in moves if not (isinstance(move, Lay) and move.free)]
    room = max(MOST_MOVES // 2, MOST_MOVES - len(others))
    return others + (rng.sample(frees, room) if len(frees) > room else frees)


def play_out(
    root: EinmaleinsPlay, playout: EinmaleinsPlay, codes: list[int], tries: int, rng: Random
) -> RatedChoice:
    """Play out these moves on the same deals."""
    share = share_of(root.seat)
    seeds = [rng.getrandbits(32) for _ in range(tries)]
    won = [sum(share(playout.try_move(root, code, seed)) for seed in seeds) for code in codes]
    return RatedChoice([root.features(code) for code in codes], [wins / tries for wins in won])


def choices(players: int, score: LayingScore, games: int, rng: Random) -> Iterator[RatedChoice]:
    """Play games of the score against itself; yield the moves of some positions."""
    setup = seat_players(GAMES["einmaleins"], players)
    playout = new_playout(EinmaleinsDeal(setup, rng).position, None, score)
    for _ in range(games):
        deal = EinmaleinsDeal(setup, rng)
        while deal.position.result is None:
            hand = deal.given()
            moves = {code_of(move): move for move in deal.position.legal(hand)}
            root = new_playout(deal.position, hand, score)
            # who lays the last card wins, so it is not weighed
            if len(moves) > 1 and len(hand) > 1 and rng.random() < SEEN:
                codes = _tried(list(moves.values()), rng)
                yield play_out(root, playout, codes, TRIES, rng)
            stray = rng.random() < STRAY
            deal.play(moves[rng.choice(list(moves)) if stray else root.best()])


def fit_weights(found: Iterator[RatedChoice]) -> FittedWeights:
    """Return the weights that tell best how the moves of a position differ: least squares."""
    np = import_module("numpy")
    size = sum(FEATURES.values())
    products, answer = RIDGE * np.eye(size), np.zeros(size)
    rows: list[Any] = []
    differences: list[Any] = []

    def add() -> None:
        nonlocal products, answer
        batch = np.vstack(rows)
        products += batch.T @ batch
        answer += batch.T @ np.concatenate(differences)
        rows.clear()
        differences.clear()

    count = 0
    for choice in found:
        best = max(choice.shares)
        counts = np.array([exp((share - best) / SOFTNESS) for share in choice.shares])
        features = np.zeros((len(choice.shares), size))
        for row, noted in zip(features, choice.features, strict=True):
            row[noted] = 1.0
        shares = np.array(choice.shares)
        rows.append((features - counts @ features / counts.sum()) * np.sqrt(counts)[:, None])
        differences.append((shares - counts @ shares / counts.sum()) * np.sqrt(counts))
        count += len(shares)
        if count >= BATCH:
            add()
            count = 0
    if rows:
        add()
    weights = iter(np.linalg.solve(products, answer))
    return {name: [float(next(weights)) for _ in range(end)] for name, end in FEATURES.items()}


def fit(games: int) -> dict[str, Any]:
    """Return the weights of each table, learnt from so many games a step."""
    learnt: dict[str, Any] = {}
    for table in TABLES:
        rng = Random(f"{SEED} {table}")
        weights = first_weights()
        for _ in range(STEPS):
            score = build_score(weights)
            weights = fit_weights(choices(PLAYERS[table], score, games, rng))
        learnt[table] = weights
    return learnt
