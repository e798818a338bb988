"""The game on the table: its positions from the first to the current one, tied to the store."""

from collections.abc import Iterable, Mapping, Sequence

from engines.game import AnyPosition, Correction, Game, Move, Refusal, Result
from engines.record import begin_game
from engines.replay import Step, steps
from pi_app.store.comments import comments_key, cut_comments, move_comments, note_tip
from pi_app.store.store import NOTHING, Journal, StoredGame
from pi_app.table.revision import Edit, Edits, read_edits

_EDITS = "edits"
"""The first part of the store's key for the edits of a game."""

SETTLED = "Settled"
"""A tag of a record without moves: its position is final and was settled."""


class Table:
    """A game that is stored move by move; undo and redo move along its moves and edits."""

    def __init__(
        self,
        journal: Journal | None,
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
        self.changes = 0
        """Counts the positions, also one that returns by undo."""
        self.edits = 0
        """Counts how often earlier moves were replaced."""
        self._history: Edits | None = None
        """The edits of its history; None until they are read."""
        self._journal = journal
        self._losses = 0 if journal is None else journal.losses
        """The journal's losses when it last stored all that is here."""
        self._judgements: dict[str, Move | Refusal] = {}
        """The judged tokens of `_judged_position`."""
        self._judged_position = start

    @classmethod
    def begin(
        cls, journal: Journal, tags: Mapping[str, str], extras: Mapping[str, str] = NOTHING
    ) -> "Table":
        """Begin and store a new game; SetupError if its tags contradict the game.

        `extras` are stored with it, as in `Journal.begin`.
        """
        game, start = begin_game(tags)
        return cls(journal, journal.begin(tags, extras, start.result), tags, game, start)

    @classmethod
    def resume(cls, journal: Journal | None, stored: StoredGame) -> "Table":
        """Put a stored game back on the table.

        SetupError or IllegalMoveError if it cannot be replayed.
        """
        game, start = begin_game(stored.tags)
        table = cls(journal, stored.id, stored.tags, game, start)
        table.steps = steps(start, stored.tokens)
        table.undone = list(stored.undone)
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
            stored = None if journal is None else journal.recall(self._history_key)
            self._history = read_edits(stored, self.tokens(), self.undone)
        return self._history

    @property
    def _history_key(self) -> str:
        return f"{_EDITS}/{self.id}"

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
        """Return the move that a token means now, or why it cannot be played.

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
        """Judge a move, store it, then make it the last step. IllegalMoveError if refused."""
        player = self.position.players[self.position.seat]
        after, events = self.position.play(move)
        step = Step(player, move.token, events, after)
        self.mend()  # before and after, because any access to the store may find damage
        if self._journal is not None:
            self._forget_comments(move)
            self._journal.append(self.id, len(self.steps), step.token, step.after.result)
        self.steps.append(step)
        self.changes += 1
        self.undone.clear()
        if self._history is not None and self._history.future:
            self._history.future.clear()
            self._store_history()
        self.mend()
        return step

    def _store_history(self) -> None:
        if self._journal is not None and self._history is not None:
            self._journal.remember(self._history_key, self._history.text())

    @property
    def stored(self) -> bool:
        """Whether moves are stored; False for a sketch."""
        return self._journal is not None

    def note_tip_shown(self) -> None:
        """Note for the record that a tip was shown for the next move."""
        if self._journal is not None:
            note_tip(self._journal, self.id, len(self.steps))

    def _forget_comments(self, move: Move) -> None:
        """Delete the comments on moves that will not be played any more."""
        journal, played = self._journal, len(self.steps)
        if journal is None:
            return
        if isinstance(move, Correction):
            # a tip was shown for the next move, but this correction takes its place
            cut_comments(journal, self.id, played)
        # the same move again keeps its comments
        elif self.undone and self.undone[0] != move.token:
            cut_comments(journal, self.id, played, keep_tip=True)

    def mend(self) -> None:
        """Store the whole game again if the store was damaged: all its moves are known here."""
        journal = self._journal
        if journal is None or journal.losses == self._losses:
            return
        self._losses = journal.losses
        stored = StoredGame(self.id, self.tags, self.tokens(), tuple(self.undone))
        journal.restore(stored, self.position.result)
        if self._history is not None and self._history != Edits():
            self._store_history()

    def undo(self) -> Step | Edit | None:
        """Take the last move or edit back and return it; None if there is none."""
        if self.last_edit is not None:
            edit = self.history.take_back(self.undone, self._comments())
            self._replace(steps(self.start, edit.before), [], edit.comments)
            return edit
        if not self.steps:
            return None
        step = self.steps[-1]
        before = self.steps[-2].after if len(self.steps) > 1 else self.start
        self.mend()
        if self._journal is not None:
            self._journal.mark(self.id, len(self.steps) - 1, "undone", before.result)
        self.steps.pop()
        self.changes += 1
        self.undone.insert(0, step.token)
        self.mend()
        return step

    def redo(self) -> Step | Edit | None:
        """Redo the move or edit that was taken back last and return it; None if there is none."""
        if not self.undone:
            if not self.history.future:
                return None
            edit, undone = self.history.make_again(self._comments())
            self._replace(steps(self.start, edit.after), undone, edit.comments)
            return edit
        (step,) = steps(self.position, self.undone[:1])
        self.mend()
        if self._journal is not None:
            self._journal.mark(self.id, len(self.steps), "played", step.after.result)
        self.steps.append(step)
        self.changes += 1
        self.undone.pop(0)
        self.mend()
        return step

    def rewrite(self, tokens: Iterable[str]) -> None:
        """Replace all moves, which undo takes back; IllegalMoveError if one is illegal."""
        replayed = steps(self.start, tokens)
        before, after = self.tokens(), tuple(step.token for step in replayed)
        if after == before:
            return
        self.history.add(Edit(before, after, self._comments()))
        if self._journal is not None:
            move_comments(self._journal, self.id, before, after)
        self._replace(replayed, [])

    def _comments(self) -> str:
        """Return the comments on the moves as they are stored."""
        stored = self._journal and self._journal.recall(comments_key(self.id))
        return stored or ""

    def _replace(
        self, replayed: list[Step], undone: list[str], comments: str | None = None
    ) -> None:
        """Replace all moves and, if they are given, their comments."""
        if self._journal is not None:
            texts = {self._history_key: self.history.text()}
            if comments is not None and comments != self._comments():
                texts[comments_key(self.id)] = comments
            result = replayed[-1].after.result if replayed else self.start.result
            played = [step.token for step in replayed]
            self._journal.rewrite(self.id, played, result, undone, texts)
        self.steps = replayed
        self.changes += 1
        self.edits += 1
        self.undone = undone
        self.mend()


def outcome(
    game: Game, tags: Mapping[str, str], tokens: Sequence[str], end: AnyPosition
) -> Result | None:
    """Return the result of a recorded or settled game; None if it is not over."""
    # moves after the tag: the game went on, so only its rules can end it
    if end.result is None and SETTLED in tags and not tokens and game.score is not None:
        return game.score(end)
    return end.result
