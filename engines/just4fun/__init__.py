"""Just 4 Fun: cards are added up, the sum names the field; four own fields in a row win."""

from collections.abc import Mapping
from typing import Any

from engines.game import Facts, Game, GivenError, HouseRule, Result, Setup
from engines.just4fun.board import BOARD
from engines.just4fun.cards import DECK_SIZE, HAND, Hand, Piles
from engines.just4fun.layout import empty_layout
from engines.just4fun.moves import read_hand
from engines.just4fun.position import Just4Fun, Terms
from engines.just4fun.settling import add_settlement
from engines.seating import board_of, check_table

__all__ = ["COLOURS", "GAME", "HOUSE_RULES", "Just4Fun", "begin", "score"]

COLOURS = ("yellow", "red", "white", "pink")
COUNTS_OF_PLAYERS = frozenset({2, 3, 4})
HOUSE_RULES = (
    HouseRule("rounds", "", least=1),
    HouseRule("secured", "open", choices=("open", "closed")),
)


def begin(setup: Setup) -> Just4Fun:
    """Return the first position; SetupError if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    rounds = setup.rules.get("rounds")
    players = len(setup.players)
    terms = Terms(
        setup.players,
        board_of(setup, BOARD),
        int(rounds) if rounds else None,
        secured_closed=setup.rules.get("secured") == "closed",
    )
    layout = empty_layout(players)
    first = Just4Fun(
        terms=terms,
        players=setup.players,
        seat=setup.start,
        result=None,
        counts=layout.counts,
        stones_left=layout.stones_left,
        barred=(0,) * players,
        owned=(0,) * players,
        piles=Piles(DECK_SIZE - HAND * players),
        turns=(0,) * players,
    )
    return first.apply_setup(setup)


def given(_position: Just4Fun, hand: str | None, _roll: str | None) -> Hand:
    """Read the hand that `legal` needs; a roll is ignored."""
    if hand is None:
        reason = "the hand is missing, four cards such as 3,5,11,13"
        raise GivenError(reason, "hand-needed", word="3,5,11,13")
    return read_hand(hand)


def legal_facts(position: Just4Fun, hand: Hand) -> Facts:
    """Return `sums`: every sum of the hand, with its cards and why it is illegal."""
    sums: list[Mapping[str, Any]] = []
    for entry in position.sums(hand):
        fact: dict[str, Any] = {
            "sum": entry.move.total,
            "cards": list(entry.move.cards),
            "ok": entry.refusal is None,
        }
        if entry.refusal is not None:
            fact["violation"] = entry.refusal.code
        sums.append(fact)
    return {"sums": sums}


def score(position: Just4Fun) -> Result:
    """Settle the position as if the game ended now; a completed row still wins."""
    return add_settlement(position.counts, position.players, position.result)


GAME = Game(
    name="just4fun",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    legal_facts=legal_facts,
    score=score,
    house_rules=HOUSE_RULES,
    board=BOARD,
)
