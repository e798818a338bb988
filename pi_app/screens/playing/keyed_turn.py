"""A turn that is keyed as one entry, such as a number, cards or a point."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.desk import P
from pi_app.screens.playing.turn import GameTurn
from pi_app.settings.schema import HelpLevel
from pi_app.table.table import Table
from pi_app.view.frame import Body, Entry, Frame, KeySet, Mark, Picture, SoftKey, Tone, scroll
from pi_app.view.keying import KeyedCards, Keying, Wheel


class KeyedTurn(GameTurn[P]):
    """A turn that is keyed as one entry: judged while it is keyed, as the help level says, # plays.

    A game says what is keyed (`blank`) and what to do while nothing is (`prompt`).
    """

    blank: Keying | KeyedCards[Any]
    """Nothing keyed."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.clear()

    def clear(self) -> None:
        self.keyed = self.blank
        self.refused = False
        """Whether ENTER was pressed for a move that cannot be played: then everybody sees why."""

    def save_keyed(self) -> Callable[[], None]:
        return partial(setattr, self, "keyed", self.keyed)

    def keying(self) -> bool:
        return bool(self.keyed)

    @abstractmethod
    def prompt(self) -> tuple[str, ...]:
        """Say what to key, while there is no notice."""

    def tokens(self) -> tuple[str, ...]:
        """Return the moves that the keys may mean; ENTER plays the first legal one."""
        word = self.keyed.word
        return () if word is None else (word,)

    def entry(self) -> Entry:
        """Return what is keyed with the verdict on it."""
        shown = self.keyed.entry(self.tx)
        if shown.tone is Tone.BAD or not self.judges() or not self.tokens():
            return shown
        refusals = [self.table.refusal(token) for token in self.tokens()]
        if refusals[0] is not None and None not in refusals:
            return replace(
                shown, verdict=self.presentation.words.refusal(self.tx, refusals[0]), tone=Tone.BAD
            )
        return replace(shown, verdict=self.tx("verdict", "possible"), tone=Tone.GOOD)

    def judges(self) -> bool:
        """Whether to judge what is keyed: at once, or, without help, after ENTER.

        What nothing begins like is told at once, at every help level.
        """
        return self.refused or self.help is not HelpLevel.NONE or self.keyed.impossible

    def lines(self) -> tuple[str, ...]:
        """Return the sentences shown while nothing is keyed."""
        return self.notice or self.prompt()

    def keyed_picture(self) -> Picture:
        """Return the board with the cells of the keyed move marked."""
        return self.cached_picture().with_mark(Mark.SELECTED, self.tokens())

    def labels(self, entry: Entry | None) -> tuple[SoftKey, ...]:
        """Return the soft keys; keys that would be refused have none."""
        tx = self.tx
        if entry is None:
            return SoftKey(Key.MENU, tx("soft", "menu")), scroll(tx("soft", "more"))
        play = () if entry.tone is Tone.BAD else (SoftKey(Key.ENTER, tx("soft", "play")),)
        return (*play, SoftKey(Key.BACK, tx("soft", "delete")))

    def turn_frame(self) -> Frame:
        entry = self.entry() if self.keyed else None
        lines = () if entry else self.lines()
        return replace(
            self.bare(self.keyed_picture()),
            body=Body(entry=entry, lines=lines, top=self.notice_top),
            keys=KeySet(self.labels(entry)),
        )

    def turn_wheel(self) -> Wheel | None:
        return self.keyed.wheel()

    def key(self, key: Key) -> Action:
        self.refused = False
        if key in (Key.UP, Key.DOWN) and not self.keyed:
            return self.turn_notice(key.step, self.lines())
        if key is Key.ENTER:
            for token in self.tokens():
                if self.table.refusal(token) is None:
                    return self.play_token(token)
            self.refused = bool(self.keyed)
            return Stay(BAD)
        keyed = self.keyed.after(key)
        if keyed is None:
            return Stay(BAD)
        self.keyed = keyed
        return Stay(BAD if keyed.impossible else TICK)

    def tap(self, name: str) -> Action:
        """Key the tapped cell."""
        keyed = self.keyed.tapped(name)
        if keyed is None:
            return Stay(BAD)
        self.clear()
        self.keyed = keyed
        return Stay(TICK)
