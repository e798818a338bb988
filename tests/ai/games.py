"""Games between programs for the tests of the AI."""

from collections.abc import Iterator
from random import Random
from typing import Any

from ai import AI
from engines import GAMES, Player, Setup
from engines.games import SHIPPED

RULES: dict[str, tuple[dict[str, str], ...]] = {
    "just4fun": ({}, {"secured": "closed"}, {"rounds": "7"}),
    "sequence": ({}, {"one_eyed_breaks": "yes"}, {"sequences": "3", "dead_cards": "0"}),
    "numeri": ({},),
    "einmaleins": ({}, {"free": "0"}, {"free": "1"}),
}
COUNTS = {name: sorted(GAMES[name].player_counts) for name in SHIPPED}


def setup(game: str, count: int, rules: dict[str, str], chance: Random) -> Setup:
    """Return a set-up with so many players; in Sequence with two teams or three."""
    colours = GAMES[game].colours
    teams = len(colours)
    if game == "sequence":
        teams = 2 if count % 2 == 0 and (count % 3 or chance.random() < 0.5) else 3
    players = tuple(Player(f"P{seat}", colours[seat % teams]) for seat in range(count))
    tags = {"Open": chance.choice(["24", "1", "36", "49"])} if game == "einmaleins" else {}
    return Setup(players, chance.randrange(count), rules=rules, tags=tags)


def deals(game: str, seed: int = 0, every: int = 1) -> Iterator[Any]:
    """Play a game by chance for each number of players; yield the deal every few moves."""
    for count in COUNTS[game]:
        chance = Random(f"{game} {seed} {count}")
        rules = RULES[game][(seed + count) % len(RULES[game])]
        deal = AI[game].deal(setup(game, count, rules, chance), chance)
        for number in range(200):
            if deal.position.result is not None:
                break
            given = deal.given()
            if number % every == 0:
                yield deal
            deal.play(chance.choice(deal.position.legal(given)))
