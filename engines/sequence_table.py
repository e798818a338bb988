"""What stays the same during a game of Sequence, and when a game is decided."""

from dataclasses import dataclass

from engines.game import GivenError, Player, Result
from engines.sequence_board import CARD_BITS, COPIES, Board
from engines.sequence_layout import Sequences
from engines.sequence_moves import Moves


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same during a game: board, teams in seat order, rules.

    `team_of` is the index of the team by seat; `breaks`: one-eyed jacks may take a chip out
    of a completed sequence; `dead_cards`: how many may be turned in during one turn.
    """

    board: Board
    moves: Moves
    teams: tuple[str, ...]
    team_of: tuple[int, ...]
    needed: int
    breaks: bool
    dead_cards: int

    def __hash__(self) -> int:
        return hash((self.board, self.teams, self.team_of))


def decided(players: tuple[Player, ...], table: Table, sequences: Sequences) -> Result | None:
    """Return the result where a team has sequences enough, else None."""
    for team, lines in zip(table.teams, sequences, strict=True):
        if len(lines) >= table.needed:
            winners = tuple(player.name for player in players if player.colour == team)
            counts = {name: len(own) for name, own in zip(table.teams, sequences, strict=True)}
            return Result(winners, "sequences", {"team": team, "sequences": counts})
    return None


def check_hand(hand: tuple[str, ...]) -> None:
    """Raise GivenError where the deck has no such card, or fewer copies of it."""
    for card in hand:
        if card not in CARD_BITS:
            raise GivenError(f"{card[:40]!r} is no card of the deck")
    if len(set(hand)) < len(hand):
        for card in hand:
            if hand.count(card) > COPIES:
                raise GivenError(f"the deck has only {COPIES} {card}")
