"""Converts seconds of thinking into looks, measured once for each game and machine.

A search counts looks and never asks the clock, so the same seed gives the same answer however busy
the machine is. Processor time is measured, and rounded so coarsely that every start of the program
finds the same.
"""

from functools import cache
from math import log2
from random import Random
from time import thread_time

from ai import AI
from ai.match import seat_players
from engines.games import GAMES

SAMPLE = 200
"""How many looks the measured search makes."""
MOVES = 30
"""At most this many moves lead to a position with a real choice."""


def looks_in(game: str, seconds: float) -> int:
    """Return how many looks fit into `seconds` of processor time on this machine."""
    return int(seconds * looks_a_second(game))


@cache
def looks_a_second(game: str) -> int:
    """Return how many looks a second a search of this game makes, a power of two."""
    ai, rules = AI[game], GAMES[game]
    deal = ai.deal(seat_players(rules, min(rules.player_counts)), Random(1))
    given = deal.given()
    for _ in range(MOVES):
        deal.play(ai.rated(deal.position, given)[0][0])
        given = deal.given()
        if len(deal.position.legal(given)) > 2:
            break
    # a first search reads and builds tables, which must not be measured
    ai.search(deal.position, given, 1, Random(1))
    begun = thread_time()
    ai.search(deal.position, given, SAMPLE, Random(1))
    return 1 << int(log2(SAMPLE / max(1e-6, thread_time() - begun)))
