"""Changing the past: how one changed, inserted or removed move affects all later ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.game import AnyPosition, Refusal, Result
from engines.replay import Step, replay


@dataclass(frozen=True, slots=True)
class Casualty:
    """A later move that would be illegal after the change: its number from 1, and why."""

    number: int
    player: str | None
    token: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Revision:
    """Changed moves of a game, not accepted yet.

    `tokens` are the moves that remain, `casualties` those that would be dropped; `before` and
    `after` are the last positions without and with the change.
    """

    tokens: tuple[str, ...]
    casualties: tuple[Casualty, ...]
    before: AnyPosition
    after: AnyPosition

    @property
    def new_outcome(self) -> bool:
        """Whether the winner or the player to move changes."""
        return _outcome(self.before.result) != _outcome(self.after.result) or (
            self.before.to_move != self.after.to_move
        )


def _outcome(result: Result | None) -> tuple[object, ...] | None:
    return None if result is None else (result.winners, result.reason)


def revise(before: AnyPosition, start: AnyPosition, tokens: Sequence[str]) -> Revision:
    """Replay these tokens from the start; illegal moves are left out.

    `before` is the last position without the change.
    """
    remaining: list[str] = []
    casualties: list[Casualty] = []
    after = start
    for number, step in enumerate(replay(start, tokens), 1):
        if isinstance(step, Step):
            after = step.after
            remaining.append(step.token)
        else:
            name = step.player.name if step.player else None
            casualties.append(Casualty(number, name, step.token, step.refusal))
    return Revision(tuple(remaining), tuple(casualties), before, after)


def replace_token(tokens: Sequence[str], index: int, token: str) -> list[str]:
    """Return the tokens with the one at this index replaced."""
    return [*tokens[:index], token, *tokens[index + 1 :]]


def insert_token(tokens: Sequence[str], index: int, token: str) -> list[str]:
    """Return the tokens with one more before this index."""
    return [*tokens[:index], token, *tokens[index:]]


def remove_token(tokens: Sequence[str], index: int) -> list[str]:
    """Return the tokens without the one at this index."""
    return [*tokens[:index], *tokens[index + 1 :]]
