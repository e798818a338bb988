"""Changes the past: the effects of a changed, inserted or removed move, and its undo."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engines.game import AnyPosition, Player, Refusal, Result, Step, attempt, replay
from engines.notation import TO_MOVE

EDIT_LIMIT = 20
"""How many edits can be taken back; each stores the whole game twice."""

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Casualty:
    """A later move that would be illegal after the change: its number from 1, and why."""

    number: int
    player: str | None
    token: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Reassigned:
    """A later move that another player makes after the change: its number from 1, and both."""

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

    `before` is the last position without the change. `movers` are the players who made the last
    moves without it; None for a correction, which no player makes.
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
    """Return tokens and movers with corrections, so that each move keeps its player.

    A correction comes before each move that another player would make; it only changes who is to
    move. `movers` made the last moves.
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


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed, inserted or removed move: all moves of the game before and after the change.

    `comments` are the stored comments on the list that is not on the table.
    """

    before: Tokens
    after: Tokens
    comments: str = ""


@dataclass(slots=True)
class Edits:
    """The edits that undo takes back (`past`, the last one first) and that redo repeats (`future`).

    Moves may have been played between two edits. `tail` are the moves after the last edit of
    `future`, in the order in which redo plays them.
    """

    past: list[Edit] = field(default_factory=list)
    future: list[Edit] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)

    def last(self, tokens: Sequence[str]) -> Edit | None:
        """Return the edit that undo takes back; None if a move was played after the last one."""
        return self.past[-1] if self.past and len(self.past[-1].after) == len(tokens) else None

    def add(self, edit: Edit) -> None:
        """Note a new edit: nothing can be redone after it."""
        self.past = [*self.past, edit][-EDIT_LIMIT:]
        self.future, self.tail = [], []

    def take_back(self, undone: Sequence[str], comments: str) -> Edit:
        """Move the last edit to the future and return it; `undone` are the moves after it.

        `comments` are those of the moves on the table.
        """
        edit = self.past.pop()
        if not self.future:
            self.tail = list(undone)
        self.future.insert(0, Edit(edit.before, edit.after, comments))
        return edit

    def make_again(self, comments: str) -> tuple[Edit, list[str]]:
        """Move the first edit of the future to the past; return it and the moves undone after it.

        `comments` are those of the moves on the table.
        """
        edit = self.future.pop(0)
        self.past.append(Edit(edit.before, edit.after, comments))
        after = len(edit.after)
        return edit, list(self.future[0].before[after:] if self.future else self.tail)

    def text(self) -> str:
        """Return them as a text for the store."""
        past, future = (
            [[edit.before, edit.after, edit.comments] for edit in edits]
            for edits in (self.past, self.future)
        )
        return json.dumps({"past": past, "future": future, "tail": self.tail})


def read_edits(text: str | None, tokens: Tokens, undone: Sequence[str]) -> Edits:
    """Return the edits of a stored text that fit these moves.

    Others are dropped: those to redo if another move was played, and all if a program without edits
    changed the game.
    """
    try:
        stored = json.loads(text or "{}")
        past, future = (
            [
                Edit(tuple(map(str, before)), tuple(map(str, after)), str(comments))
                for before, after, comments in stored.get(key, ())
            ]
            for key in ("past", "future")
        )
        tail = [str(token) for token in stored.get("tail", ())]
    except (ValueError, TypeError, AttributeError):
        return Edits()
    kept: list[Edit] = []
    moves = tokens
    for edit in reversed(past):
        if moves[: len(edit.after)] != edit.after:
            break
        kept.insert(0, edit)
        moves = edit.before
    moves = (*tokens, *undone)
    for edit in future:
        # other moves may have been played between two edits, but never instead of the first one's
        if edit.before[: len(moves)] != moves or (edit is future[0] and edit.before != moves):
            return Edits(kept)
        moves = edit.after
    return Edits(kept, future, tail if future else [])
