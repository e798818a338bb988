"""Changing the past: how one changed, inserted or removed move affects all later ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.game import AnyPosition, Player, Refusal, Result
from engines.notation import TO_MOVE
from engines.replay import Step, attempt, replay


@dataclass(frozen=True, slots=True)
class Casualty:
    """A later move that would be illegal after the change: its number from 1, and why."""

    number: int
    player: str | None
    token: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Reassigned:
    """A later move that somebody else makes after the change: its number from 1, and who."""

    number: int
    step: Step
    before: Player


@dataclass(frozen=True, slots=True)
class Revision:
    """Changed moves of a game, not accepted yet.

    `tokens` are the moves that remain, `casualties` those that would be dropped, `reassigned` those
    that change hands; `before` and `after` are the last positions without and with the change.
    """

    tokens: tuple[str, ...]
    casualties: tuple[Casualty, ...]
    reassigned: tuple[Reassigned, ...]
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


def revise(
    before: AnyPosition,
    start: AnyPosition,
    tokens: Sequence[str],
    movers: Sequence[Player | None] = (),
) -> Revision:
    """Replay these tokens from the start; illegal moves are left out.

    `before` is the last position without the change, `movers` are those who made the last moves
    then; None for a correction, which is nobody's.
    """
    remaining: list[str] = []
    casualties: list[Casualty] = []
    reassigned: list[Reassigned] = []
    after = start
    unchanged = (None,) * (len(tokens) - len(movers))
    for number, (mover, step) in enumerate(
        zip((*unchanged, *movers), replay(start, tokens), strict=True), 1
    ):
        if isinstance(step, Step):
            after = step.after
            remaining.append(step.token)
            if mover is not None and mover != step.player:
                reassigned.append(Reassigned(number, step, mover))
        else:
            name = step.player.name if step.player else None
            casualties.append(Casualty(number, name, step.token, step.refusal))
    return Revision(tuple(remaining), tuple(casualties), tuple(reassigned), before, after)


def movers_of(steps: Iterable[Step]) -> list[Player | None]:
    """Return who made each move; None for a correction."""
    return [None if step.token.startswith("<") else step.player for step in steps]


def keep_movers(
    start: AnyPosition, tokens: Sequence[str], movers: Sequence[Player | None]
) -> tuple[list[str], list[Player | None]]:
    """Return tokens and movers with a correction before each move that somebody else would make.

    `movers` made the last moves. The correction leaves the position as it is.
    """
    kept: list[str] = []
    kept_movers: list[Player | None] = []
    position = start
    unchanged = len(tokens) - len(movers)
    for index, token in enumerate(tokens):
        mover = movers[index - unchanged] if index >= unchanged else None
        wanted = [token]
        if mover is not None and position.to_move not in (mover, None):
            wanted = [f"<{position.describe()}; {TO_MOVE}{mover.name}>", token]
        for each in wanted:
            step = attempt(position, each)
            position = step.after if isinstance(step, Step) else position
        kept += wanted
        kept_movers += [None, mover][-len(wanted) :]
    return kept, kept_movers


def replace_token(tokens: Sequence[str], index: int, token: str) -> list[str]:
    """Return the tokens with the one at this index replaced."""
    return [*tokens[:index], token, *tokens[index + 1 :]]


def insert_token(tokens: Sequence[str], index: int, token: str) -> list[str]:
    """Return the tokens with one more before this index."""
    return [*tokens[:index], token, *tokens[index:]]


def remove_token(tokens: Sequence[str], index: int) -> list[str]:
    """Return the tokens without the one at this index."""
    return [*tokens[:index], *tokens[index + 1 :]]
