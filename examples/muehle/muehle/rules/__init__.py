"""Nine Men's Morris (Mühle): place, move, fly; three in a line take a stone."""

from beisitzer.plugin.rules import Game, HouseRule, Setup, board_of, check_table
from muehle.rules.board import BOARD
from muehle.rules.position import MuehlePosition

__all__ = ["GAME", "MuehlePosition", "begin"]

COLOURS = ("white", "red")
HOUSE_RULES = (HouseRule("flying", "yes", ("yes", "no")),)


def begin(setup: Setup) -> MuehlePosition:
    """Return the first position; Fault where the tags contradict the game."""
    check_table(setup, COLOURS, {2}, HOUSE_RULES)
    grid = board_of(setup, BOARD)
    flying = setup.rules.get("flying") != "no"
    hands = (grid.stones, grid.stones)
    return MuehlePosition(setup.players, grid, flying, {}, hands, setup.start).apply_setup(setup)


GAME = Game(
    name="muehle",
    colours=COLOURS,
    player_counts=frozenset({2}),
    begin=begin,
    house_rules=HOUSE_RULES,
    board=BOARD,
)
