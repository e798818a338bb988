"""Play-outs: moves per second by chance and by the score, compiled or as Python."""

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ai.pace import is_compiled
from bench.figure import Figure, yard
from engines import GAMES, Player, Setup

SECONDS = 0.5
"""How long each is measured at least."""
BUDGET = 13_200
"""Random moves of compiled play-outs per yardstick: 4 million a second at 3.3 ms."""


def _playouts(game: str) -> tuple[Any, Any]:
    """Return two play-outs at the start of a game of two: one to play, one to copy."""
    colours = GAMES[game].colours
    players = (Player("Anna", colours[0]), Player("Ben", colours[1]))
    start = GAMES[game].begin(Setup(players, tags={"Open": "24"}))
    thinking = import_module(f"ai.{game}.thinking")
    # the hand, which is unknown; numeri has no hands
    given = () if game == "numeri" else (None,)
    return thinking.new_playout(start, *given), thinking.new_playout(start, *given)


def moves_a_second(game: str, play: str) -> float:
    """Return how many moves one core plays per second."""
    playout, root = _playouts(game)
    act: Callable[[], int] = getattr(playout, play)
    moves = seed = 0
    start = time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        for _ in range(20):  # so that reading the clock costs little
            seed += 1
            playout.copy_from(root)
            # seeds that are far apart: neighbours could give similar deals
            playout.deal(seed * 7919)
            act()
            moves += playout.moves
    return moves / seconds


def figures() -> list[Figure]:
    """Return the moves per second of every game's play-outs."""
    results = []
    for game in ("just4fun", "sequence", "numeri", "einmaleins"):
        compiled = is_compiled(import_module(f"ai.{game}.playouts"))
        kind = "compiled" if compiled else "as Python"
        if game in ("just4fun", "sequence"):
            before = yard()
            speed = moves_a_second(game, "play_any")
            budget = BUDGET if compiled else None
            ratio = speed * min(before, yard())  # moves per yardstick
            name = f"play-outs by chance, {game}, {kind}"
            results.append(Figure(name, speed, "moves/s", budget, higher=True, ratio=ratio))
        speed = moves_a_second(game, "play_out")
        results.append(Figure(f"play-outs that think, {game}, {kind}", speed, "moves/s"))
    return results
