"""How often the AI wins against the opponents in tests/, compared with the goals.

A goal is for the lower end of the 95 % interval over 1,000 games with 0.1 seconds per decision. The
few games played here cannot show that it is reached, but they can show that it is missed: if even
the upper end is below it. So the budget is for the upper end.
"""

import os

from ai import AI
from ai.match import Bot, Tally, make_bot, play_matches, tally
from bench.figure import Figure
from engines import GAMES
from tests.ai.opponents import einmaleins, just4fun, numeri, sequence

NUMBER = int(os.environ.get("BEISITZER_GAMES", "40"))
"""Games against each opponent; with an even number both sides sit in each seat equally often."""
SECONDS = float(os.environ.get("BEISITZER_SECONDS", "0.02"))
"""Thinking time per decision, as `ai.GameAI.choose` counts it."""
SEED = 1
OPPONENTS: tuple[tuple[str, str, Bot, float], ...] = (
    ("just4fun", "greedy", just4fun.greedy, 85),
    ("just4fun", "one-ply", just4fun.one_ply, 76),
    ("just4fun", "two-ply", just4fun.two_ply, 65),
    ("sequence", "greedy", sequence.greedy, 62),
    ("sequence", "window shape", sequence.window_shape, 70),
    ("numeri", "greedy", numeri.greedy, 75),
    ("einmaleins", "greedy", einmaleins.greedy, 63),
)
"""Game, opponent, and the percentage of wins that is the goal."""


def won_against(game: str, opponent: Bot) -> Tally:
    """Return the AI's tally over `NUMBER` games with rotating seats."""
    ai = AI[game]
    bots = [make_bot(ai, "best", SECONDS), opponent]
    games = play_matches(GAMES[game], ai, bots, NUMBER, SEED)
    return tally([own_share for own_share, _ in games])


def figures() -> list[Figure]:
    """Return the share of wins against each opponent, and the ends of its 95 % interval."""
    results = []
    for game, name, opponent, goal in OPPONENTS:
        won = won_against(game, opponent)
        least, most = (100 * end for end in won.interval)
        title = f"wins, {game} against {name}"
        results += [
            Figure(f"{title}, {won.games} games", 100 * won.share, "%"),
            Figure(f"{title}, at least", least, "%"),
            Figure(f"{title}, at most", most, "%", goal, higher=True),
        ]
    return results
