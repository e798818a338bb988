"""The screen of a turn: undo, the menu, the companion's seats, phones, the end of the game."""

from collections.abc import Callable
from dataclasses import replace

from engines.game import AnyPosition, Step
from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, WIN, Action, Open, Pop, Screen, Stay
from pi_app.screens.empty_chair.seat import OwnTurn
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.view.frame import Frame, SoftKey
from pi_app.view.keying import Wheel


class TurnScreen(Screen):
    """Shows a game's turn, or that of a seat of the companion, and what follows each move."""

    def __init__(self, turn: GameTurn[AnyPosition]) -> None:
        super().__init__(turn.ctx)
        self.turn = turn
        self.table = turn.table
        turn.finish = self.finish_move
        self.bot_turn: OwnTurn | None = None
        """Shows and plays the companion's turns; None if it has no seat."""

    @property
    def viewed_as(self) -> type:
        return type(self.turn)

    def close(self) -> None:
        if self.bot_turn is not None:
            self.bot_turn.close()

    def deadline(self) -> float | None:
        return None if self.bot_turn is None else self.bot_turn.deadline()

    def expire(self) -> Action:
        return Stay() if self.bot_turn is None else self.bot_turn.expire()

    def _shown_bot_turn(self) -> OwnTurn | None:
        """Return the companion's part; None while something is keyed or must be answered."""
        return None if self.turn.keying() or self.turn.has_question() else self.bot_turn

    def frame(self) -> Frame:
        tx, turn, keying = self.turn.tx, self.turn, self.turn.keying()
        bot_frame = None
        if (bot_turn := self._shown_bot_turn()) is not None:
            bot_frame = bot_turn.frame(turn.bare(), turn.notice)
        frame = bot_frame or turn.turn_frame()
        if turn.answer is None and (keying or self.table.can_undo):
            label = tx("soft", "clear") if keying else tx("soft", "undo")
            hold = SoftKey(Key.BACK_HELD, label, spare=True, sign=tx("word", "C long"))
            frame = replace(frame, keys=frame.keys.with_keys(hold))
        if bot_frame is not None or not self.ctx.speaks:
            return frame  # the companion's turn has sentences of its own
        return replace(frame, speech=turn.speech(frame))

    def wheel(self) -> Wheel | None:
        bot_turn, turn = self._shown_bot_turn(), self.turn
        if bot_turn is not None and bot_turn.frame(turn.bare(), turn.notice) is not None:
            return None  # the companion's turn: its frame has the possible keys
        return turn.turn_wheel()

    def press(self, key: Key) -> Action:
        turn = self.turn
        if turn.answer is not None:
            if key in (Key.MENU, Key.MENU_HELD, Key.BACK_HELD):
                return Pop(TICK)
            action = turn.key(key)
            # BACK with nothing to delete leaves the screen
            return Pop(TICK) if key is Key.BACK and action == Stay(BAD) else action
        if key in (Key.MENU, Key.MENU_HELD):
            return Open((), "menu", table=self.table)
        if key is Key.BACK_HELD:
            if not turn.keying():
                return self.undo()
            turn.clear()
            return Stay(TICK)
        if (bot_turn := self._shown_bot_turn()) is not None:
            answer = bot_turn.key(key)
            if answer is not None:  # otherwise a person is to move
                return answer
        return turn.key(key)

    def tap(self, name: str) -> Action:
        return self.turn.tap(name)

    def act_for_phone(self, act: Callable[[], Action]) -> Action:
        """Play or take back for a phone; keep the keyed input if it still means the same."""
        restore_keyed = self.turn.save_keyed()
        action = act()
        restore_keyed()
        return action

    def finish_move(self, step: Step) -> Action:
        """Show what to do at the table after the move just played, or the result."""
        self.turn.clear()
        self.turn.tell_move(step)
        if step.after.result is not None:
            return Open(WIN, "table", table=self.table)
        return Stay(self.turn.signals_of(step))

    def undo(self) -> Action:
        """Take back the last move, or the last edit of the history."""
        self.turn.clear()
        undone = self.table.undo()
        if undone is None:
            self.turn.tell(self.tx("line", "There is no move to take back."))
            return Stay(BAD)
        if isinstance(undone, Step):
            self.turn.show_undone(undone)
            return Stay(OK)
        return self._show_edit(self.tx("line", "The change of the moves is taken back."))

    def redo(self) -> Action:
        """Redo the move or the edit that was taken back last."""
        redone = self.table.redo()
        if redone is None:
            return Stay(BAD)
        if isinstance(redone, Step):
            return self.finish_move(redone)
        self.turn.clear()
        return self._show_edit(self.tx("line", "The moves are changed again."))

    def _show_edit(self, line: str) -> Action:
        """Show what to do at the table after an edit was undone or redone, or the result."""
        if self.table.position.result is not None:
            return Open(OK, "table", table=self.table)
        self.turn.tell(line, self.tx("line", "Compare the table with the board."))
        return Stay(OK)
