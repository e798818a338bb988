"""The game on the table: its positions from the first to the current one, tied to the store."""

import json
from collections.abc import Iterable, Mapping, Sequence

from engines.game import (
    AnyPosition,
    Correction,
    Game,
    Move,
    Refusal,
    Result,
    Step,
    make_step,
    steps,
)
from engines.record import Note, Record, begin_game
from pi_app.store import NOTHING, Reader, Store, StoredGame
from pi_app.system.host import FIRST_YEAR
from pi_app.table.revision import Edit, Edits, read_edits

_EDITS = "edits"
"""The key of a game's stored edits."""

COMMENTS = "comments"
"""The key of a game's stored comments."""
TIP = "tip"
"""The comment after a move for which a tip was shown."""
SETTLED = "Settled"
"""A tag of a record without moves: its position is final and was settled."""


class Table:
    """A game that is stored move by move; undo and redo move along its moves and edits."""

    def __init__(
        self,
        journal: Store | None,
        identity: int,
        tags: Mapping[str, str],
        game: Game,
        start: AnyPosition,
    ) -> None:
        self.id = identity
        self.tags = dict(tags)
        self.game = game
        self.start = start
        self.steps: list[Step] = []
        self.undone: list[str] = []
        """The moves that were taken back, in the order in which redo plays them."""
        self.damage: int | None = None
        """The number (from 1) of the first move that could not be read; None if all could."""
        self.changes = 0
        """Counts the positions, also one that returns by undo."""
        self.edits = 0
        """Counts how often earlier moves were replaced."""
        self._history: Edits | None = None
        """The edits of its history; None until they are read."""
        self._journal = journal
        self._judgements: dict[str, Move | Refusal] = {}
        """The judged tokens of `_judged_position`."""
        self._judged_position = start

    @classmethod
    def begin(
        cls, journal: Store, tags: Mapping[str, str], extras: Mapping[str, str] = NOTHING
    ) -> "Table":
        """Begin and store a new game; Fault if its tags contradict the game.

        `extras` are notes on it by key, stored together with it.
        """
        game, start = begin_game(tags)
        return cls(journal, journal.begin(tags, extras, start.result), tags, game, start)

    @classmethod
    def resume(cls, journal: Store | None, stored: StoredGame) -> "Table":
        """Put a stored game back on the table.

        Fault if it cannot be replayed.
        """
        game, start = begin_game(stored.tags)
        table = cls(journal, stored.id, stored.tags, game, start)
        table.steps = steps(start, stored.tokens)
        table.undone = list(stored.undone)
        table.damage = stored.damage
        return table

    @classmethod
    def sketch(cls, table: "Table", position: AnyPosition) -> "Table":
        """Return a table that begins at `position`, to show it or to try one move.

        Nothing that is played on it is stored.
        """
        return cls(None, 0, table.tags, table.game, position)

    @property
    def position(self) -> AnyPosition:
        """The current position."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def history(self) -> Edits:
        """The edits of the history that undo and redo can reach."""
        if self._history is None:
            journal = self._journal
            stored = None if journal is None else journal.note(self.id, _EDITS)
            self._history = read_edits(stored, self.tokens(), self.undone)
        return self._history

    @property
    def last_edit(self) -> Edit | None:
        """The edit that undo takes back next; None if it is a move."""
        return self.history.last(self.tokens())

    @property
    def can_undo(self) -> bool:
        """Whether there is a move or an edit to take back."""
        return bool(self.steps) or self.last_edit is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is a move or an edit to redo."""
        return bool(self.undone) or bool(self.history.future)

    def tokens(self) -> tuple[str, ...]:
        return tuple(step.token for step in self.steps)

    def judge(self, token: str) -> Move | Refusal:
        """Return the token's move, or why it cannot be played.

        A token is parsed and judged only once for a position.
        """
        position = self.position
        if self._judged_position is not position:
            self._judgements, self._judged_position = {}, position
        if token not in self._judgements:
            over = position.result is not None
            judgement = Refusal("game-over", token) if over else position.parse(token)
            if not isinstance(judgement, Refusal):  # a move, which may still be illegal
                judgement = position.refusal(judgement) or judgement
            self._judgements[token] = judgement
        return self._judgements[token]

    def refusal(self, token: str) -> Refusal | None:
        """Return why this token cannot be played now, or None."""
        judgement = self.judge(token)
        return judgement if isinstance(judgement, Refusal) else None

    def play(self, move: Move) -> Step:
        """Judge a move, store it, then make it the last step. Fault if refused."""
        step = make_step(self.position, move)
        if self._journal is not None:
            self._forget_comments(move)
            self._journal.append(self.id, len(self.steps), step.token, step.after.result)
        self.steps.append(step)
        self.changes += 1
        self.damage = None
        self.undone.clear()
        if self._history is not None and self._history.future:
            self._history.future.clear()
            if self._journal is not None:
                self._journal.set_note(self.id, _EDITS, self._history.text())
        return step

    @property
    def stored(self) -> bool:
        """Whether moves are stored; False for a sketch."""
        return self._journal is not None

    def note_tip_shown(self) -> None:
        """Note for the record that a tip was shown for the next move."""
        if self._journal is not None:
            note_tip(self._journal, self.id, len(self.steps))

    def _forget_comments(self, move: Move) -> None:
        """Delete the comments on undone moves that can no longer be redone."""
        journal, played = self._journal, len(self.steps)
        if journal is None:
            return
        if isinstance(move, Correction):
            # a tip was shown for the next move, but this correction takes its place
            cut_comments(journal, self.id, played)
        # the same move again keeps its comments
        elif self.undone and self.undone[0] != move.token:
            cut_comments(journal, self.id, played, keep_tip=True)

    def undo(self) -> Step | Edit | None:
        """Take back the last move or edit and return it; None if there is none."""
        if self.last_edit is not None:
            edit = self.history.take_back(self.undone, self._comments())
            self._replace(steps(self.start, edit.before), [], edit.comments)
            return edit
        if not self.steps:
            return None
        step = self.steps[-1]
        before = self.steps[-2].after if len(self.steps) > 1 else self.start
        if self._journal is not None:
            self._journal.mark(self.id, len(self.steps) - 1, "undone", before.result)
        self.steps.pop()
        self.changes += 1
        self.undone.insert(0, step.token)
        return step

    def redo(self) -> Step | Edit | None:
        """Redo the latest undone move or edit and return it; None if there is none."""
        if not self.undone:
            if not self.history.future:
                return None
            edit, undone = self.history.make_again(self._comments())
            self._replace(steps(self.start, edit.after), undone, edit.comments)
            return edit
        (step,) = steps(self.position, self.undone[:1])
        if self._journal is not None:
            self._journal.mark(self.id, len(self.steps), "played", step.after.result)
        self.steps.append(step)
        self.changes += 1
        self.undone.pop(0)
        return step

    def rewrite(self, tokens: Iterable[str]) -> None:
        """Replace all moves, which undo takes back; Fault if one is illegal."""
        replayed = steps(self.start, tokens)
        before, after = self.tokens(), tuple(step.token for step in replayed)
        if after == before:
            return
        self.history.add(Edit(before, after, self._comments()))
        self._replace(replayed, [], moved_comments(self._comments(), before, after))

    def _comments(self) -> str:
        """Return the comments on the moves as they are stored."""
        stored = self._journal and self._journal.note(self.id, COMMENTS)
        return stored or ""

    def _replace(self, replayed: list[Step], undone: list[str], comments: str) -> None:
        """Replace all moves and their comments."""
        if self._journal is not None:
            texts = {_EDITS: self.history.text()}
            if comments != self._comments():
                texts[COMMENTS] = comments
            result = replayed[-1].after.result if replayed else self.start.result
            played = [step.token for step in replayed]
            self._journal.rewrite(self.id, played, result, undone, texts)
        self.steps = replayed
        self.changes += 1
        self.edits += 1
        self.undone = undone
        self.damage = None


def outcome(
    game: Game, tags: Mapping[str, str], tokens: Sequence[str], end: AnyPosition
) -> Result | None:
    """Return the result of a recorded or settled game; None if it is not over."""
    # moves after the tag: the game went on, so only its rules can end it
    if end.result is None and SETTLED in tags and not tokens and game.score is not None:
        return game.score(end)
    return end.result


# --- comments on a stored game; with `before` 1 one comments on the first move


def comments_text(notes: Iterable[Note]) -> str:
    """Return comments as they are stored."""
    return json.dumps([[note.before, note.text] for note in notes])


def comments_of(games: Reader, game: int) -> tuple[Note, ...]:
    """Return a stored game's comments; empty if they cannot be read."""
    return _read(games.note(game, COMMENTS))


def _read(text: str | None) -> tuple[Note, ...]:
    """Return the comments that a stored text holds."""
    try:
        return tuple(Note(int(before), str(text)) for before, text in json.loads(text or "[]"))
    except (ValueError, TypeError):
        return ()


def record_of(stored: StoredGame) -> Record:
    """Return a stored game as a record, with the date it began and its comments."""
    # without a set clock the day is unknown; an imported record keeps its own date
    day = {} if stored.began < str(FIRST_YEAR) else {"Date": stored.began[:10]}
    count = len(stored.tokens)
    # the others belong to moves that were taken back
    notes = _read(stored.notes.get(COMMENTS))
    shown = (note for note in notes if note.before <= count)
    return Record({**day, **stored.tags}, stored.tokens, tuple(shown))


def note_tip(games: Store, game: int, n: int) -> None:
    """Store once that a tip was shown for move n (from 0), even if that move is never played."""
    notes, tip = comments_of(games, game), Note(n + 1, TIP)
    if tip not in notes:
        before = [note for note in notes if note.before <= n + 1]
        games.set_note(game, COMMENTS, comments_text((*before, tip, *notes[len(before) :])))


def cut_comments(games: Store, game: int, n: int, *, keep_tip: bool = False) -> None:
    """Delete the comments on move n (from 0) and all later ones: other moves replace these.

    `keep_tip` keeps the note that a tip was shown for move n.
    """
    notes = comments_of(games, game)
    kept_tip = Note(n + 1, TIP) if keep_tip else None
    rest = tuple(note for note in notes if note.before <= n or note == kept_tip)
    if rest != notes:
        games.set_note(game, COMMENTS, comments_text(rest))


def moved_comments(text: str, old: Sequence[str], new: Sequence[str]) -> str:
    """Return stored comments after a correction of the game: they moved along with their moves.

    A move that replaces another gets its comments; those of a removed move are deleted.
    """
    same_start = _common_start(old, new)
    same_end = _common_start(old[same_start:][::-1], new[same_start:][::-1])
    replaced = len(old) == len(new)
    moved = []
    for note in _read(text):
        if note.before <= same_start or (replaced and note.before <= len(old)):
            moved.append(note)
        # the moves after the correction have only moved
        elif len(old) - same_end < note.before <= len(old):
            moved.append(Note(note.before + len(new) - len(old), note.text))
    return comments_text(moved) if text else text


def _common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of equal moves at the beginning of both."""
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count
