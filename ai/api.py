"""The interface between a game and its AI, and the types of the results."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import Any, NamedTuple, Protocol

from engines.game import AnyPosition, Event, Move

Reason = tuple[str, Mapping[str, Any]]
"""A code and the facts for its sentence, found by comparing the positions around the move."""
Rated = Sequence[tuple[Any, float]]
"""Legal moves, best first, each with the chance to win (0 to 1) of the player who makes it."""


class Option(NamedTuple):
    """A legal move, the chance to win with it (0 to 1), and how often it was tried.

    If `tries` is 0, `chance` is that of the game's rating.
    """

    move: Move
    chance: float
    tries: int


class Deal(Protocol):
    """A game with all its hidden cards or dice."""

    position: Any

    @property
    @abstractmethod
    def rolls(self) -> Sequence[Any]:
        """Return all rolls, which are equally likely; nothing in a game with hands."""

    @abstractmethod
    def given(self) -> Any:
        """Return the hand or roll of the player to move; called once a position."""

    @abstractmethod
    def hands(self) -> Any:
        """Return every seat's hand, or None in a game without hands."""

    @abstractmethod
    def play(self, move: Any) -> tuple[Event, ...]:
        """Play a legal move and draw; return what happened."""

    @abstractmethod
    def copy(self) -> "Deal":
        """Return the same game once more, with the same cards or rolls to come."""


class Level(NamedTuple):
    """How well a player chooses; nobody plays badly on purpose."""

    overlooked: float
    """The chance that a move is overlooked."""
    softness: float
    """Of two moves seen, the one that is better by this chance is picked e times as often."""
    searches: bool = False
    """Whether this player looks further than the game's rating."""


LEVELS: Mapping[str, Level] = {
    "beginner": Level(0.35, 0.08),
    "club": Level(0.1, 0.03),
    "best": Level(0.0, 0.0, searches=True),
}
"""The levels, the weakest first. These are for a game without levels of its own (`levels_of`)."""


def levels_of(table: Mapping[str, Mapping[str, float]]) -> dict[str, Level]:
    """Return the levels of a game's `levels.toml`; the best overlooks nothing."""
    own = {name: Level(each["overlooked"], each["softness"]) for name, each in table.items()}
    return {**LEVELS, **own}


def final_shares(position: AnyPosition) -> list[float]:
    """Return each player's share of a finished game: 1 for winners of one side, 0 for losers.

    Winners of several sides share; after a draw everybody has the same share.
    """
    winners = position.result.winners if position.result else ()
    sides = {player.colour for player in position.players if player.name in winners}
    if not sides:
        everybody = {player.colour for player in position.players}
        return [1 / len(everybody)] * len(position.players)
    return [(player.name in winners) / len(sides) for player in position.players]


def softmax(scores: Sequence[float]) -> list[float]:
    """Return chances that add up to 1; a score higher by 1 is e times as likely."""
    most = max(scores)
    parts = [exp(score - most) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def no_reasons(position: Any, move: Any, given: Any) -> Sequence[Reason]:  # noqa: ARG001
    """Return no reason."""
    return ()


RateMoves = Callable[[Any, Any], Rated]
Value = Callable[..., Sequence[float]]
