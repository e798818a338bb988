"""Keying a turn of NewGame: a digit is a field, ENTER places the stone."""

from dataclasses import replace

from beisitzer.plugin.presentation import Mark
from beisitzer.plugin.rules import Refusal
from beisitzer.plugin.screens import (
    BAD,
    TICK,
    Action,
    Body,
    Context,
    Entry,
    Frame,
    GameScreens,
    HelpLevel,
    Key,
    Stay,
    Table,
    Tone,
    TurnScreen,
    Viewers,
    scroll,
    soft,
)
from newgame.rules import FIELDS


class NewGameTurn(TurnScreen):
    """The turn: the keyed field is judged before ENTER plays it."""

    viewers = Viewers.ALL  # nothing of this game is secret

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.keyed = ""
        self.refused = False
        """Whether ENTER was pressed for a field that cannot be played: then everybody sees why."""

    def clear(self) -> None:
        self.keyed = ""
        self.refused = False

    def keying(self) -> bool:
        return bool(self.keyed)

    def turn_frame(self) -> Frame:
        tx = self.tx
        if not self.keyed:
            keys = soft((Key.MENU, tx("soft", "menu")), scroll(tx("soft", "more")))
            return replace(
                self.bare(), body=Body(lines=self._lines(), top=self.notice_top), keys=keys
            )
        picture = self.cached_picture().with_mark(Mark.SELECTED, [self.keyed])
        keys = soft((Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "delete")))
        return replace(self.bare(picture), body=Body(entry=self._entry()), keys=keys)

    def _lines(self) -> tuple[str, ...]:
        return self.notice or (self.tx("verdict", "Which field?"),)

    def _entry(self) -> Entry:
        refusal = self._refusal()
        if not self.refused and self.help is HelpLevel.NONE:
            return Entry(self.keyed)
        if refusal is not None:
            return Entry(self.keyed, self.presentation.refusal(self.tx, refusal), Tone.BAD)
        return Entry(self.keyed, self.tx("verdict", "possible"), Tone.GOOD)

    def _refusal(self) -> Refusal | None:
        return self.table.refusal(self.keyed)

    def key(self, key: Key) -> Action:
        if key.digit is not None and str(key.digit) in FIELDS:
            return self.tap(str(key.digit))
        if key is Key.BACK and self.keyed:
            self.clear()
            return Stay(TICK)
        if key is Key.ENTER and self.keyed:
            if self._refusal() is None:
                return self.play_token(self.keyed)
            self.refused = True
            return Stay(BAD)
        if key in (Key.UP, Key.DOWN) and not self.keyed:
            return self.turn_notice(key.step, self._lines())
        return Stay(BAD)

    def tap(self, name: str) -> Action:
        """Choose a field that was tapped or keyed."""
        self.clear()
        self.keyed = name
        return Stay(TICK)


SCREENS = GameScreens(NewGameTurn)
