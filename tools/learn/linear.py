"""A linear model of positions: a softmax over the sides, fitted to games of `rate` with itself.

A game's `features(position, hand)` returns the name of a table, and for each side its role (counted
from the side to move) and the amount of each feature. A game whose charts have bands also has a
`spread` in each table: how far the log-odds spread over the mover's hands.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from math import sqrt
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from ai import AI
from ai.api import final_shares, softmax
from ai.match import seat_players
from engines import GAMES
from tools.learn import SEED, say, text_of

STRAY = {"just4fun": 0.01, "sequence": 0.01}
USUAL_STRAY = 0.06
"""The share of moves by chance, so that the games reach positions which the rating avoids.

In these it is small, because random players teach wrongly: good players of Sequence leave a five
open only if they lack the card, and good players of Just 4 Fun stop a row.
"""
KEPT = 0.25
"""The share of positions that are learnt from: neighbours are nearly alike."""
MOST = frozenset(range(2, 7))
"""The numbers of players in the games to learn from; larger teams play alike."""
RIDGE = 3.0
"""How much large weights cost, so that rare features get small ones."""
STEPS = 8
"""Steps of Newton's method, from weights of 0."""
BATCH = 2_000
"""Positions whose features are in memory at once."""

Features = Callable[[Any, Any], tuple[str, list[tuple[int, dict[int, float]]]]]


class Lesson(NamedTuple):
    """A position: role, features and share of the win of each side."""

    rows: list[tuple[int, dict[int, float]]]
    shares: list[float]


def play_games(game: str, players: int, games: int) -> Iterator[tuple[str, Lesson]]:
    """Play games and yield lessons from some of their positions, each with its table's name."""
    ai, setup = AI[game], seat_players(GAMES[game], players)
    value = import_module(f"ai.{game}.value")
    features: Features = value.features
    sides = [player.colour for player in setup.players]
    first = [sides.index(colour) for colour in dict.fromkeys(sides)]
    for number in range(games):
        rng = Random(f"{SEED} {players} {number}")
        deal = ai.deal(setup, rng)
        seen: list[tuple[str, list[tuple[int, dict[int, float]]]]] = []
        while deal.position.result is None:
            position, given = deal.position, deal.given()
            if rng.random() < KEPT:
                seen.append(features(position, None))
                if getattr(value, "SEEN", False):
                    seen.append(features(position, given))
            stray = rng.random() < STRAY.get(game, USUAL_STRAY)
            moves = position.legal(given)
            deal.play(rng.choice(moves) if stray else ai.choose_reply(position, given, rng))
        shares = final_shares(deal.position)
        for table, rows in seen:
            yield table, Lesson(rows, [shares[seat] for seat in first])


def fit(lessons: list[Lesson]) -> list[list[float]]:
    """Return the weights of each role and feature: Newton's method on the log loss."""
    np = import_module("numpy")
    roles = len(lessons[0].rows)
    width = 1 + max(max(row, default=0) for lesson in lessons for _, row in lesson.rows)
    used = sorted({role * width + at for each in lessons for role, row in each.rows for at in row})
    place = {column: index for index, column in enumerate(used)}
    weights = np.zeros(len(used))
    for _ in range(STEPS):
        slope, curve = -RIDGE * weights, RIDGE * np.eye(len(used))
        for begin in range(0, len(lessons), BATCH):
            some = lessons[begin : begin + BATCH]
            inputs = np.zeros((len(some), roles, len(used)))
            for lesson, sides in zip(some, inputs, strict=True):
                for side, (role, row) in zip(sides, lesson.rows, strict=True):
                    for at, amount in row.items():
                        side[place[role * width + at]] = amount
            odds = np.exp(inputs @ weights)
            chances = odds / odds.sum(1, keepdims=True)
            shares = np.array([lesson.shares for lesson in some])
            slope += np.einsum("ns,nsf->f", shares - chances, inputs)
            inputs -= np.einsum("ns,nsf->nf", chances, inputs)[:, None]
            inputs *= np.sqrt(chances)[:, :, None]
            flat = inputs.reshape(-1, len(used))
            curve += flat.T @ flat
        weights += np.linalg.solve(curve, slope)
    table = [[0.0] * width for _ in range(roles)]
    for column, weight in zip(used, weights, strict=True):
        table[column // width][column % width] = round(float(weight), 4) + 0.0  # avoids -0.0
    return table


def spread_of(
    blind: list[Lesson], seen: list[Lesson], tables: tuple[dict[str, Any], dict[str, Any]]
) -> float:
    """Return how far the log-odds of the side to move spread over its possible hands.

    A known hand reduces the squared error of the chances by the square of this spread.
    """
    errors = [
        [_error(lesson, table) for lesson in lessons]
        for lessons, table in zip((blind, seen), tables, strict=True)
    ]
    gain = mean(error for error, _ in errors[0]) - mean(error for error, _ in errors[1])
    return round(sqrt(max(0.0, gain)) / mean(slope for _, slope in errors[0]), 4)


def _error(lesson: Lesson, table: dict[str, Any]) -> tuple[float, float]:
    """Return the squared error of the mover's chance, and its derivative by the log-odds."""
    chances = softmax(
        [
            sum(table["weights"][role][at] * amount for at, amount in row.items())
            for role, row in lesson.rows
        ]
    )
    mover = [role for role, _ in lesson.rows].index(0)
    chance = chances[mover]
    return (lesson.shares[mover] - chance) ** 2, chance * (1 - chance)


def learn(game: str, games: int, others: int) -> str:
    """Return the model's file after so many games of two, and of each other number of players."""
    command = f"tools.learn {game} {games}" + (f" {others}" if others != games else "")
    head = [f"Found by python -m {command}: positions of games that the rating of"]
    head += ["moves played against itself, so many of each number of players."]
    found: dict[str, list[Lesson]] = {}
    for players in sorted(GAMES[game].player_counts & MOST):
        count = games if players == 2 else others
        for table, lesson in play_games(game, players, count):
            found.setdefault(table, []).append(lesson)
        say(f"{game}, {players} players: {count} games played")
    tables: dict[str, dict[str, Any]] = {}
    for table, lessons in found.items():
        tables[table] = {"weights": fit(lessons)}
        blind = table.removesuffix("-seen")
        if blind != table and hasattr(import_module(f"ai.{game}.value"), "spread"):
            both = tables[blind], tables[table]
            tables[blind]["spread"] = spread_of(found[blind], lessons, both)
    head += [f"{table}: {len(lessons)} positions" for table, lessons in found.items()]
    return text_of(head, tables)
