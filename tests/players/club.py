"""Fingers at a table of a club: they press what its game needs next, in each of the four games.

Nothing is waited for: `step` presses keys once the table has answered those before, so one thread
plays at as many tables as a hall has.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable
from contextlib import closing

from engines.game import AnyPosition
from engines.record import begin_game
from engines.replay import Step, attempt
from hardware.keys import Key
from pi_app.store.check import read_only
from pi_app.view.frame import Alert, Body, Choices, Frame, Header
from tests.club.companions import OFFER, RealCompanion
from tests.players.player import Player

OPEN_CARD = "Open card"
"""What a table of Einmaleins asks for before its game begins."""
ANSWER_S = 1.0
"""Keys that change nothing on show are not waited for any longer."""


class Fingers:
    """The people at a table, seen from its keypad."""

    def __init__(self, table: RealCompanion, chance: random.Random) -> None:
        self.table = table
        self._player = Player(self._keys, self._frame, self._follow, chance)
        self._game = 0
        self._tokens: tuple[str, ...] = ()
        self._position: AnyPosition | None = None
        self._over = False
        self._until = 0
        """How many frames answer what was pressed."""
        self._patience = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the latest game is over, as the last `step` has seen it."""
        return self._over

    @property
    def games(self) -> int:
        """How many games have begun here."""
        return self._game

    @property
    def moves(self) -> int:
        return len(self._tokens)

    def step(self, *, begins: bool = True) -> bool:
        """Press what is next, if the table waits for it; whether it is worth asking again soon.

        With `begins` False a round that is offered is not begun.
        """
        if self.table.shown < self._until and time.monotonic() < self._patience:
            return True
        frame = self.table.frame
        if not frame:
            return False
        if self.table.shows(OFFER):
            if begins:
                self._press("#", 1)
            return begins
        self.look()
        if frame.get("title") == OPEN_CARD:
            self._press("24#", 3)
            return True
        if self._position is None or self._over:
            return False
        if frame.get("entry"):
            self._press("<", 1)  # what was keyed for a position that has changed meanwhile
        else:
            self._player.turn()
        return True

    def _press(self, script: str, count: int) -> None:
        self._until = self.table.shown + count
        self._patience = time.monotonic() + ANSWER_S
        self.table.keys(script)

    def _keys(self, keys: Iterable[Key]) -> None:
        names = [key.value for key in keys]
        self._press(" ".join(names), len(names))

    def _frame(self) -> Frame:
        """Return what a player needs of the frame on show, from its line of text."""
        shown = self.table.frame
        choices = Choices(tuple(shown["choices"])) if shown.get("choices") else None
        alert = Alert(shown["alert"]) if shown.get("alert") else None
        body = Body(big=shown.get("big", ""), choices=choices)
        return Frame(Header(shown.get("title", "")), body, alert=alert)

    def _follow(self) -> AnyPosition:
        assert self._position is not None
        return self._position

    def look(self) -> bool:
        """Follow the latest game in the table's file; whether it is over."""
        with closing(read_only(self.table.store)) as db:
            found = db.execute("SELECT id, tags, result FROM game ORDER BY id DESC").fetchone()
            if found is None:
                return False
            query = "SELECT token FROM ply WHERE game=? AND state='played' ORDER BY n"
            tokens = tuple(str(token) for (token,) in db.execute(query, (found[0],)))
        known = len(self._tokens)
        if self._position is None or found[0] != self._game or tokens[:known] != self._tokens:
            _, self._position = begin_game(json.loads(found[1]))
            known = 0
        for token in tokens[known:]:
            step = attempt(self._position, token)
            assert isinstance(step, Step), step
            self._position = step.after
        self._game, self._tokens, self._over = found[0], tokens, found[2] is not None
        return self._over
