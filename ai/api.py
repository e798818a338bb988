"""The parts of a game's AI, and the types of their results."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from engines.game import AnyPosition, Event, Move, Setup

Reason = tuple[str, Mapping[str, Any]]
"""A code and the facts for its sentence, found by comparing the positions around the move."""


class Option(NamedTuple):
    """A legal move, the chance to win with it (0 to 1), and the number of its play-outs.

    If `tries` is 0, `chance` is that of the position.
    """

    move: Move
    chance: float
    tries: int


class Deal(Protocol):
    """A game with all its hidden cards or dice, for games between programs."""

    position: Any

    @abstractmethod
    def given(self) -> Any:
        """Return the hand or roll of the player to move; called once a position."""

    @abstractmethod
    def hands(self) -> Any:
        """Return every seat's hand, or None in a game without hands."""

    @abstractmethod
    def play(self, move: Any) -> tuple[Event, ...]:
        """Play a legal move and draw; return what happened."""


Chooser = Callable[[Any, Any, str, float, Random], Any]
"""Takes position, hand or roll, level, seconds of thinking, and chance; returns a move."""


@dataclass(frozen=True, slots=True)
class GameAI:
    """A game's AI. Chance and time come in as arguments: the same seed gives the same answer.

    `search(position, given, seconds, rng)` returns every legal move, best first. `seconds` is an
    amount of thinking: it is converted to play-out moves (`ai.pace`), so the clock does not matter.
    `choose(position, given, level, seconds, rng)` returns the move that a player of one of LEVELS
    makes. `chances(position, tries, rng, hand=None)` returns each player's chance, in seat order;
    it takes account of `hand`, that of the player to move. `reasons(position, move, given)` returns
    the reasons for a legal move, the most important first. `deal(setup, rng)` deals a game by
    chance. `given_of(move)` returns the hand or roll of the player who made this move of a record;
    leave it out if a record does not show all that the player knew. `spreads(position, tries, rng)`
    returns the standard deviation of each player's chance over possible hands, for games in which
    hands matter much. `tries` is the number of play-outs that measures a position well enough.
    """

    search: Callable[[Any, Any, float, Random], Sequence[Option]]
    choose: Chooser
    chances: Callable[..., Sequence[float]]
    reasons: Callable[[Any, Any, Any], Sequence[Reason]]
    deal: Callable[[Setup, Random], Deal]
    given_of: Callable[[Any], Any] | None = None
    spreads: Callable[[Any, int, Random], Sequence[float]] | None = None
    tries: int = 200


def final_shares(position: AnyPosition) -> list[float]:
    """Return each player's share of the win in a finished game; 0 for everybody after a draw."""
    winners = position.result.winners if position.result else ()
    return [float(player.name in winners) for player in position.players]
