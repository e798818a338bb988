"""Finds how well a beginner and a club player play: `python -m tools.levels GAME [GAMES]`.

A level is one number, its carelessness: the chance that a move is overlooked; the softness of the
choice among the rest is SOFTNESS times that. The club player is as careless as it takes for the
best to win GOAL of the games, the beginner as careless as it takes for the club player to. First
some games are played at each of several values between the ENDS, then more near the value that a
logistic regression of the wins finds. The seed is fixed, so a run can be repeated. It prints TOML
for `ai/GAME/levels.toml`; `bench.strength table` measures what comes of it, with another seed.
"""

import sys
from collections.abc import Iterator, Sequence
from math import exp, log
from random import Random
from typing import Any

from ai import AI
from ai.halving import Level, choose_move
from ai.match import Bot, make_bot, play_matches
from engines import GAMES

GOAL = 0.7
"""The share of games that a level wins against the next lower one."""
SECONDS = {"club": 0.02, "beginner": 0.005}
"""How long a level thinks at most."""
BEST_S = 0.02
"""How long the best one thinks, who plays against the club player."""
SOFTNESS = 0.25
ENDS = (0.02, 0.98)
"""The least and the most careless player that is tried."""
NEAR = 0.4
"""The second half of the games is played near what the first half found: this part off at most."""
STEP = 5.0
"""The largest step of the regression."""
VALUES = 10
"""How many values are tried in each half."""
SEED = 2026

CarelessGame = tuple[float, float]
"""A carelessness, and the share of a game that the other one won."""


def level_of(carelessness: float, seconds: float) -> Level:
    """Return the level of this carelessness, rounded as it is written."""
    overlooked = round(carelessness, 3)
    return Level(overlooked, round(SOFTNESS * overlooked, 4), seconds)


def careless_bot(game: str, level: Level) -> Bot:
    """Return a player of a level that need not be one of the game's."""
    search, levels = AI[game].search, {"": level}

    def bot(position: Any, given: Any, rng: Random) -> Any:
        return choose_move(search, position, given, "", level.seconds, rng, levels=levels)

    return bot


def play(
    game: str, rival: Bot, seconds: float, values: Sequence[float], games: int, seed: int
) -> Iterator[CarelessGame]:
    """Play games of a rival against players of each carelessness."""
    each = max(1, games // len(values) // 2) * 2  # even: the seats change
    for number, value in enumerate(values):
        bots = [rival, careless_bot(game, level_of(value, seconds))]
        for share, _ in play_matches(GAMES[game], AI[game], bots, each, seed + number):
            yield value, share


def carelessness_for(games: Sequence[CarelessGame], rival: float, goal: float = GOAL) -> float:
    """Return where a logistic regression expects the rival to win `goal` of the games.

    `rival` is the rival's carelessness: a player who is as careless wins half. The result is one of
    ENDS if it is beyond them, or if the rival does not win more against more careless players.
    """
    slope = 0.0
    for _ in range(50):  # Newton's steps; far more than it needs
        gradient, curvature = 0.0, 1e-9
        for value, share in games:
            more = value - rival
            chance = 1 / (1 + exp(-slope * more))
            gradient += (share - chance) * more
            curvature += chance * (1 - chance) * more * more
        # no step may run away, as where the rival won all games
        slope += max(-STEP, min(STEP, gradient / curvature))
    least, most = ENDS
    if slope <= 0:
        return most
    return min(most, max(least, rival + log(goal / (1 - goal)) / slope))


def spread(low: float, high: float) -> list[float]:
    """Return VALUES numbers from `low` to `high`, within ENDS."""
    least, most = ENDS
    steps = [low + (high - low) * step / (VALUES - 1) for step in range(VALUES)]
    return [min(most, max(least, value)) for value in steps]


def find(game: str, rival: Bot, careless: float, seconds: float, games: int, seed: int) -> Level:
    """Return the level against which a rival of this carelessness wins GOAL of the games."""
    near, values = 0.0, spread(*ENDS)
    for half in range(2):
        found = list(play(game, rival, seconds, values, games // 2, seed + half * VALUES))
        near = carelessness_for(found, careless)
        values = spread(careless + (1 - NEAR) * (near - careless), near + NEAR * (near - careless))
    return level_of(near, seconds)


def text_of(level: str, found: Level, rival: str, games: int) -> str:
    """Return a level as a table of TOML, with how it was found."""
    return (
        f"[{level}]\n# {rival} wins {GOAL:.0%}: from {games} games, seed {SEED}\n"
        f"overlooked = {found.overlooked}\nsoftness = {found.softness}\nseconds = {found.seconds}\n"
    )


def main(words: Sequence[str]) -> None:
    """Find the levels of the given game and print them."""
    game, games = words[0], int(words[1]) if words[1:] else 600
    best = make_bot(AI[game], "best", BEST_S)
    club = find(game, best, 0.0, SECONDS["club"], games, SEED)
    sys.stdout.write(text_of("club", club, f"the best, thinking {BEST_S} s,", games) + "\n")
    sys.stdout.flush()
    rival, seed = careless_bot(game, club), SEED + 2 * VALUES
    beginner = find(game, rival, club.overlooked, SECONDS["beginner"], games, seed)
    sys.stdout.write(text_of("beginner", beginner, "the club player", games))


if __name__ == "__main__":
    main(sys.argv[1:])
