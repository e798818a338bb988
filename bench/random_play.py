"""Random play through `Position.legal` and `play`: whole games from shuffled decks.

Hands are known and every legal move is equally likely; the time includes dealing and drawing.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from ai import AI
from bench.figure import Figure, measure
from engines.game import AnyPosition, Move, Player, Setup
from engines.games import GAMES

PEER_BUDGETS = {"just4fun": 2.5, "sequence": 2.5}
"""Moves in a game of two for each random move of python-chess, measured alternately."""
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


def figures(moves: int = 5_000) -> list[Figure]:
    """Return the moves per second of games of two for each of python-chess."""
    results = []
    for game, budget in PEER_BUDGETS.items():
        own, peer = [], []
        for _ in range(7):
            # a third of the moves, as each takes about three times as long
            peer.append(measure(lambda: chess_play(moves // 3), 1).seconds / (moves // 3))
            own.append(measure(lambda game=game: play_moves(game, moves), 1).seconds / moves)  # type: ignore[misc]
        ratio = min(peer) / min(own)
        name = f"random play, {game}, 2 players: times python-chess"
        results.append(Figure(name, ratio, "", budget, higher=True))
    return results
