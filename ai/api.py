"""What a game's AI is: the four questions it answers, and what an answer is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from engines.game import AnyPosition, Event, Move, Setup

Reason = tuple[str, Mapping[str, Any]]
"""A code and the facts for its sentence, both true by comparing before and after the move."""


class Option(NamedTuple):
    """A legal move, the chance to win with it (0 to 1), and from how many play-outs.

    Where `tries` is 0 nothing was played out with it, and `chance` is that of the position.
    """

    move: Move
    chance: float
    tries: int


class Deal(Protocol):
    """A game that is dealt: what nobody sees at once is known here, to play games by program."""

    position: Any

    def given(self) -> Any:
        """Return the hand or roll of the player to move; asked once a position."""

    def hands(self) -> Any:
        """Return every seat's hand; None in a game without hands."""

    def play(self, move: Any) -> tuple[Event, ...]:
        """Play a legal move and draw; return what happened."""


@dataclass(frozen=True, slots=True)
class GameAI:
    """A game's AI. Chance and time come in as arguments: the same seed gives the same answer.

    `search(position, given, seconds, rng)` returns every legal move, best first. `seconds` is
    how much thinking, not how long: it is counted in play-out moves at `ai.pace`, whatever
    the clock says. `choose(position, given, level, seconds, rng)` returns the move that a
    player of one of LEVELS makes. `chances(position, tries, rng, hand=None)` returns each
    player's chance, in seat order; with `hand`, that of the player to move, it counts with it.
    `reasons(position, move, given)` returns what is to be said for a legal move, the weightiest
    first. `deal(setup, rng)` deals a game by chance; `opening` are the tags it needs, if any.
    `given_of(move)` is the hand or roll that a move of the record tells of, where it tells all that
    was known to who played it. `spreads(position, tries, rng)` says, where unseen hands matter
    much, how far each player's chance lies from its mean from hand to hand: a standard
    deviation. `tries` are play-outs that say well enough how a position stands.
    """

    search: Callable[[Any, Any, float, Random], Sequence[Option]]
    choose: Callable[[Any, Any, str, float, Random], Any]
    chances: Callable[..., Sequence[float]]
    reasons: Callable[[Any, Any, Any], Sequence[Reason]]
    deal: Callable[[Setup, Random], Deal]
    given_of: Callable[[Any], Any] | None = None
    spreads: Callable[[Any, int, Random], Sequence[float]] | None = None
    tries: int = 200


def final_shares(position: AnyPosition) -> list[float]:
    """Return each player's share of a win in a game that is over; a draw is nobody's."""
    winners = position.result.winners if position.result else ()
    return [float(player.name in winners) for player in position.players]
