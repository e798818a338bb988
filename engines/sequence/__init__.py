"""Sequence: cards place chips, five in a line are a sequence; teams play against each other."""

from collections.abc import Mapping, Sequence
from typing import Any

from engines.game import Event, Game, GivenError, HouseRule, Player, Setup, SetupError
from engines.seating import board_of, check_table
from engines.sequence.board import BOARD, DECK
from engines.sequence.moves import check_hand, moves_of
from engines.sequence.position import Piles, SequencePosition, Terms

__all__ = ["COLOURS", "GAME", "HAND_SIZES", "HOUSE_RULES", "NEEDED", "SequencePosition", "begin"]

COLOURS = ("blue", "green", "red")
HAND_SIZES: Mapping[int, int] = {2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3}
"""Cards dealt to each player, by the number of players (printed table)."""
NEEDED: Mapping[int, int] = {2: 2, 3: 1}
"""Sequences that win, by the number of teams (printed rule)."""
HOUSE_RULES = (
    # the default depends on the number of teams: NEEDED
    HouseRule("sequences", "", least=1),
    HouseRule("one_eyed_breaks", "no", ("no", "yes")),
    HouseRule("dead_cards", "1", least=0),
)


def teams_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the teams in seat order; SetupError if they do not sit in turn.

    Two or three teams of one size: every second or third seat is of the same team.
    """
    colours = [player.colour for player in players]
    for count in NEEDED:
        teams = tuple(colours[:count])
        repeated = list(teams) * (len(colours) // count)
        # `count` different teams, in the same order all around the table
        if len(set(teams)) == count and repeated == colours:
            return teams
    reason = "two or three teams of one size must sit in turn, as blue green"
    raise SetupError("Players", reason, "teams-in-turn")


def begin(setup: Setup) -> SequencePosition:
    """Return the first position of a game, or raise SetupError."""
    check_table(setup, COLOURS, HAND_SIZES, HOUSE_RULES, teams=True)
    teams = teams_of(setup.players)
    board = board_of(setup, BOARD)
    terms = Terms(
        board=board,
        moves=moves_of(board),
        teams=teams,
        team_of=tuple(teams.index(player.colour) for player in setup.players),
        needed=int(setup.rules.get("sequences", NEEDED[len(teams)])),
        may_break=setup.rules.get("one_eyed_breaks") == "yes",
        most_dead_cards=int(setup.rules.get("dead_cards", 1)),
    )
    players = len(setup.players)
    dealt = HAND_SIZES[players]
    first = SequencePosition(
        players=setup.players,
        seat=setup.start,
        result=None,
        terms=terms,
        chips=(0,) * len(teams),
        sequences=((),) * len(teams),
        hands=(dealt,) * players,
        piles=Piles(DECK - dealt * players),
        passes=0,
        turned_in=0,
    )
    return first.apply_setup(setup)


def given(position: Any, hand: str | None, _roll: str | None) -> tuple[str, ...]:
    """Read a hand such as "7H,JC"; GivenError if it is missing or impossible.

    A player without cards needs none.
    """
    cards = tuple(card.strip() for card in hand.split(",")) if hand and hand.strip() else ()
    if not cards and position.hands[position.seat] > 0:
        reason = "the cards of the player to move are needed, such as 7H,JC"
        raise GivenError(reason, "hand-needed", word="7H,JC")
    check_hand(cards)
    return cards


def remarks(before: SequencePosition | None, after: SequencePosition) -> tuple[Event, ...]:
    """Return an event for each five in a line that counts nothing now, but not `before`."""
    known = () if before is None else before.unnamed_fives()
    return tuple(
        Event("unnamed-five", {"team": team, "squares": list(squares)})
        for team, squares in after.unnamed_fives()
        if (team, squares) not in known
    )


GAME = Game(
    name="sequence",
    colours=COLOURS,
    player_counts=frozenset(HAND_SIZES),
    begin=begin,
    given=given,
    house_rules=HOUSE_RULES,
    board=BOARD,
    remarks=remarks,
)
