"""The evening so far: everybody's points, and how they grew from game to game."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from hardware.keys import Key
from pi_app.past.evening import (
    Evening,
    EveningLine,
    counting_words,
    evening_of,
    evening_report,
    rank_players,
    settler_of,
)
from pi_app.screens.base import BAD, OK, TICK, Action, ListScreen, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change, not_stored_page
from pi_app.screens.report import curve_seats
from pi_app.view.frame import Board, Body, Extras, Frame, Header, clamp, scroll, soft
from pi_app.view.keying import Wheel


def pause(ctx: Context) -> timedelta:
    """Return the longest pause that does not end an evening."""
    return timedelta(hours=ctx.settings.evening.pause_h)


def evening_after(ctx: Context, game: int) -> Evening | None:
    """Return the evening that this finished game continues; None for a first game."""
    evening = evening_of(ctx.store, game, pause(ctx))
    return evening if evening is not None and len(evening.games) > 1 else None


class EveningScreen(Screen):
    """Shows an evening's standings; STAR shows the chart at full size, MENU asks what counts.

    `again` begins the next game, if one may follow.
    """

    def __init__(
        self, ctx: Context, evening: Evening, again: Callable[[], Action] | None = None
    ) -> None:
        super().__init__(ctx)
        self.evening = evening
        self.top = 0
        """The first sentence shown."""
        self.close_up = False
        """Whether the chart is shown at full size instead of the sentences."""
        self._again = again
        self._standings: tuple[EveningLine, ...] = ()
        self._counted = ""
        """What `_standings` count: a value of the setting `evening.count`."""

    @property
    def standings(self) -> tuple[EveningLine, ...]:
        """The standings as the settings count; recalculated only when that setting changes."""
        counting = self.ctx.settings.evening.count
        if counting != self._counted:
            settle = settler_of(self.ctx.store)
            self._standings = rank_players(self.evening, counting, settle)
            self._counted = counting
        return self._standings

    def frame(self) -> Frame:
        tx, standings = self.tx, self.standings
        report = evening_report(tx, self.evening, standings)
        counts = counting_words(tx)[self.ctx.settings.evening.count]
        count = len(self.evening.games)
        lines = (
            *report.lines,
            tx("line", "What counts: {what}. D changes that.", what=counts),
        )
        back = (Key.BACK, tx("soft", "back"))
        if self.close_up:  # three keys have room on a small display
            keys = [(Key.STAR, tx("soft", "table")), back, (Key.MENU, tx("soft", "counts"))]
        else:
            keys = [(Key.STAR, tx("soft", "chart")), back]
            if self._again is not None:
                keys.insert(0, (Key.ENTER, tx("soft", "again")))
        return Frame(
            Header(
                tx("title", "The evening"), corner=tx.many("title", "{n} game", "{n} games", count)
            ),
            Body(lines=() if self.close_up else lines, top=self.top),
            board=Board(curves=report.curves, close_up=self.close_up),
            extras=Extras(
                seats=tuple(
                    replace(seat, winner=line.rank == 1)
                    for seat, line in zip(curve_seats(self, report), standings, strict=True)
                )
            ),
            keys=soft(*keys, scroll(tx("soft", "more"))),
        )

    def wheel(self) -> Wheel:
        counts = (Key.MENU, self.tx("soft", "counts"))
        return Wheel((), more=() if self.close_up else (counts,))

    def press(self, key: Key) -> Action:
        if key is Key.STAR:
            self.close_up = not self.close_up
        elif key in (Key.UP, Key.DOWN) and not self.close_up:
            self.top = clamp(self.top + key.step, self.frame().body.lines)
        elif key is Key.ENTER and self._again is not None:
            return self._again()
        elif key is Key.MENU:
            return Push(self._counting_screen())
        elif key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _counting_screen(self) -> Screen:
        words = counting_words(self.tx)
        values = tuple(words)

        def choose(index: int) -> Action:
            if change(self.ctx, "evening.count", values[index]):
                return Pop(then=lambda: Stay(OK))  # the standings below count again
            return Pop(then=lambda: Push(not_stored_page(self.ctx, title), signals=BAD))

        title = self.tx("title", "What counts?")
        current = values.index(self.ctx.settings.evening.count)
        return ListScreen(self.ctx, title, tuple(words.values()), choose, selected=current)
