"""Random play through `Position.legal` and `play`: whole games from shuffled decks.

Hands are known and every legal move is equally likely; the time includes dealing and drawing.
"""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from ai import AI
from bench.figure import Figure, measure
from engines.game import AnyPosition, Move, Player, Setup
from engines.games import GAMES, SHIPPED

PEER_BUDGETS = {"just4fun": 2.5, "sequence": 2.5}
"""Moves of a game of two for each random move of python-chess, measured in alternation."""
_LONGEST = 600
"""Moves after which a random game is broken off (Einmaleins may never end)."""


def play(game: str, count: int, chance: Random) -> Iterator[tuple[AnyPosition, Any, Move]]:
    """Play one game at random with `count` players; yield position, hand or roll, and move."""
    colours = GAMES[game].colours
    if game == "sequence":
        colours = colours[: 3 if count % 2 else 2]  # two teams where that is possible
    players = tuple(Player(f"P{seat}", colours[seat % len(colours)]) for seat in range(count))
    deal = AI[game].deal(Setup(players), chance)
    for _ in range(_LONGEST):
        position, given = deal.position, deal.given()
        if position.result is not None:
            return
        moves = position.legal(given)
        move = moves[int(chance.random() * len(moves))]  # cheaper than `choice`
        yield position, given, move
        deal.play(move)


def play_moves(game: str, moves: int) -> int:
    """Play whole games of two until at least this number of moves is reached; return how many."""
    chance = Random(1)
    count = 0
    while count < moves:
        count += sum(1 for _ in play(game, 2, chance))
    return count


def calls(game: str) -> list[Figure]:
    """Measure one call of `legal`, `refusal` and `play` in games of two."""
    chance = Random(2)
    moves: list[tuple[AnyPosition, Any, Move]] = []
    while len(moves) < 5_000:
        moves += play(game, 2, chance)

    def call_us(call: Callable[[AnyPosition, Any, Move], object]) -> float:
        """Return the microseconds of one call."""
        start = time.perf_counter()
        for position, given, move in moves:
            call(position, given, move)
        return (time.perf_counter() - start) / len(moves) * 1e6

    return [
        Figure(f"{game}: legal", call_us(lambda position, given, _: position.legal(given)), "µs"),
        Figure(f"{game}: refusal", call_us(lambda position, _, move: position.refusal(move)), "µs"),
        Figure(f"{game}: play", call_us(lambda position, _, move: position.play(move)), "µs"),
    ]


def chess_play(moves: int) -> None:
    """Play this many moves of random games of python-chess, a well-known peer."""
    import chess

    chance = Random(1)
    count = 0
    while count < moves:
        board = chess.Board()
        while count < moves and not board.is_game_over():
            possible = list(board.legal_moves)
            board.push(possible[int(chance.random() * len(possible))])
            count += 1


def compare_with_chess(game: str, moves: int) -> tuple[float, float]:
    """Return the moves per second of a game of two and of python-chess, each the best of rounds."""
    own, peer = [], []
    for _ in range(7):
        # a third of the moves, as each takes about three times as long
        peer.append(measure(lambda: chess_play(moves // 3), 1).seconds / (moves // 3))
        own.append(measure(lambda: play_moves(game, moves), 1).seconds / moves)
    return 1 / min(own), 1 / min(peer)


def figures(moves: int = 5_000) -> list[Figure]:
    """Return the moves per second of every game of two, and the cost of each call."""
    results = []
    for game in SHIPPED:
        name = f"random play, {game}, 2 players"
        budget = PEER_BUDGETS.get(game)
        if budget is None:
            count = play_moves(game, moves)
            timing = measure(lambda g=game: play_moves(g, moves))  # type: ignore[misc]
            results.append(Figure(name, count / timing.seconds, "moves/s"))
        else:
            own, peer = compare_with_chess(game, moves)
            results.append(
                Figure(name, own, "moves/s", budget, peer, higher=True, ratio=own / peer)
            )
        results += calls(game)
    return results
