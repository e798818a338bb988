"""The edits of a game's history, which are taken back and made again like moves."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

MOST_EDITS = 20
"""How many edits can be taken back; each stores the whole game twice."""

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed, inserted or removed move: all moves of the game before and after it.

    `comments` are, as they are stored, those of the moves that are not on the table.
    """

    before: Tokens
    after: Tokens
    comments: str = ""


@dataclass(slots=True)
class Edits:
    """The edits that undo takes back, the last one first, and those that redo makes again.

    Between two edits moves were played. `tail` are those after the last edit of `future`, in the
    order in which redo plays them.
    """

    past: list[Edit] = field(default_factory=list)
    future: list[Edit] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)

    def last(self, tokens: Sequence[str]) -> Edit | None:
        """Return the edit that undo takes back; None if a move was played after the last one."""
        return self.past[-1] if self.past and len(self.past[-1].after) == len(tokens) else None

    def add(self, edit: Edit) -> None:
        """Note a new edit: nothing can be redone after it."""
        self.past = [*self.past, edit][-MOST_EDITS:]
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
    """Return the edits of a stored text, as far as they belong to these moves.

    Edits that do not are forgotten: those to be redone after another move was played, and those of
    a game that was changed by a program without edits.
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
