"""The AI: a tip and a move at the start of a game, and the chances of one position."""

from random import Random
from typing import Any

from ai import AI
from ai.pace import looks_in
from bench.figure import Figure, measure
from engines.games import SHIPPED
from engines.record import setup_of
from pi_app.screens.tips import find_tips

PLAYERS = {"sequence": "Anna blue, Ben green"}


def _start(game: str) -> tuple[Any, Any]:
    """Return a position in which some moves were played, and the hand or roll."""
    _, setup = setup_of({"Game": game, "Players": PLAYERS.get(game, "Anna yellow, Ben red")})
    rng = Random(3)
    deal = AI[game].deal(setup, rng)
    for _ in range(6):
        deal.play(rng.choice(deal.position.legal(deal.given())))
    return deal.position, deal.given()


def _figures_of(game: str) -> list[Figure]:
    ai, (position, given) = AI[game], _start(game)
    looks = looks_in(game, 0.3)
    tip = measure(lambda: find_tips(game, position, given))
    move = measure(lambda: ai.choose(position, given, "best", looks, Random(1)))
    chances = measure(lambda: ai.chances(position))
    budget_ms = 0.3 if ai.given_of else 2  # a record shows all that was known: nothing is hidden
    return [
        tip.figure_ms(f"CPU of a tip, {game}", 20),
        move.figure_ms(f"CPU of the AI's move, {game}", 600),
        chances.figure_ms(f"CPU of the chances of a position, {game}", budget_ms),
    ]


def figures() -> list[Figure]:
    """Return the figures of each game."""
    return [figure for game in SHIPPED for figure in _figures_of(game)]
