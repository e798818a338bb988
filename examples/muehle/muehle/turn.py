"""Keying a turn of Nine Men's Morris: one or two points, and the stone that a mill takes."""

from dataclasses import dataclass, replace

from beisitzer.plugin.presentation import Mark, Picture
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
    GameTurn,
    HelpLevel,
    Key,
    Stay,
    Table,
    Tone,
    Viewers,
    scroll,
    soft,
)
from muehle.rules.board import COLUMNS
from muehle.rules.moves import AGREED
from muehle.rules.position import MuehlePosition


@dataclass(frozen=True, slots=True)
class Keyed:
    """The points keyed so far and the column of an incomplete one; `draw` for an agreed draw."""

    points: tuple[str, ...] = ()
    column: str = ""
    draw: bool = False

    def __bool__(self) -> bool:
        return bool(self.points or self.column or self.draw)

    def digit(self, digit: int) -> "Keyed | None":
        """Return this with one more digit, a point's column or row; None if it is neither."""
        if self.draw or not 1 <= digit <= len(COLUMNS):
            return None
        if self.column:
            return Keyed((*self.points, f"{self.column}{digit}"))
        return Keyed(self.points, COLUMNS[digit - 1])

    def shorter(self) -> "Keyed":
        """Return this without the last digit: a column, or the row of a complete point."""
        if self.column or self.draw:
            return Keyed(self.points)
        return Keyed(self.points[:-1], self.points[-1][0])


class MuehleTurn(GameTurn[MuehlePosition]):
    """The turn: the keyed points are judged before ENTER plays them."""

    viewers = Viewers.ALL  # nothing of this game is secret

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.keyed = Keyed()
        self.refused = False
        """Whether ENTER was pressed for a move that cannot be played: then everybody sees why."""

    def clear(self) -> None:
        self.keyed = Keyed()
        self.refused = False

    def keying(self) -> bool:
        return bool(self.keyed)

    @property
    def way(self) -> int:
        """The number of points that make a move here, without the stone that it takes."""
        return 1 if self.position.in_hand[self.position.seat] else 2

    def token(self) -> str:
        """Return what is keyed as a token, perhaps an incomplete one."""
        if self.keyed.draw:
            return AGREED
        way, taken = self.keyed.points[: self.way], self.keyed.points[self.way :]
        return "-".join(way) + "".join(f"x{point}" for point in taken)

    def turn_frame(self) -> Frame:
        tx = self.tx
        keying = bool(self.keyed)
        return replace(
            self.bare(self._board()),
            body=Body(
                entry=self._entry() if keying else None,
                lines=() if keying else self._lines(),
                top=self.notice_top,
            ),
            keys=soft((Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "delete")))
            if keying
            else soft(
                (Key.STAR, tx("soft", "tie")),
                (Key.MENU, tx("soft", "menu")),
                scroll(tx("soft", "more")),
            ),
        )

    def _lines(self) -> tuple[str, ...]:
        return self.notice or (self._question(),)

    def _question(self) -> str:
        """Return the question for the next key, or ""."""
        tx, count = self.tx, len(self.keyed.points)
        if self._full():
            return ""
        if count == self.way:
            return tx("verdict", "mill! take a stone")
        if self.way == 1:
            return tx("verdict", "Place where?")
        return tx("verdict", "Where to?") if count else tx("verdict", "Move which stone?")

    def _wants_stone(self) -> bool:
        refusal = self.table.refusal(self.token())
        return refusal is not None and refusal.code == "must-take"

    def _entry(self) -> Entry:
        tx, keyed = self.tx, self.keyed
        text = self.token()
        if keyed.draw:
            return Entry(text, tx("verdict", "Do both agree on a draw?"))
        if keyed.column:
            mark = "" if not keyed.points else "-" if len(keyed.points) < self.way else "x"
            return Entry(f"{text}{mark}{keyed.column}", self._question())
        refusal = self._refusal()
        if refusal is None:
            return Entry(text, self._question() or tx("verdict", "possible"), Tone.GOOD)
        if not self.refused and self.help is HelpLevel.NONE:
            return Entry(text, self._question())
        return Entry(text, self.presentation.words.refusal(tx, refusal), Tone.BAD)

    def _refusal(self) -> Refusal | None:
        """Return why the keys cannot become a move; None while they can."""
        points = self.keyed.points
        if len(points) < self.way:
            own = not points or self.position.stones.get(points[0]) == self.position.seat
            return None if own else Refusal("not-own", self.token(), {"field": points[0]})
        return None if self._wants_stone() else self.table.refusal(self.token())

    def _board(self) -> Picture:
        """Return the board with the keyed points and, depending on help, the legal ones marked."""
        keyed, position = self.keyed, self.position
        picture = (
            self.cached_picture() if not keyed else self.presentation.picture(self.tx, position)
        )
        picture = picture.with_mark(Mark.SELECTED, keyed.points)
        if self.help is not HelpLevel.LEGAL:
            return picture
        if len(keyed.points) < self.way and len(keyed.points) == 1 and self._refusal() is None:
            return picture.with_mark(Mark.LEGAL, position.targets(keyed.points[0]))
        if len(keyed.points) == self.way and self._wants_stone():
            return picture.with_mark(Mark.LEGAL, position.takeable_points())
        return picture

    def key(self, key: Key) -> Action:
        self.refused = False
        if key is Key.ENTER:
            if self.keyed.column or not self.keyed:
                return Stay(BAD)
            if self.table.refusal(self.token()) is None:
                return self.play_token(self.token())
            self.refused = True
            return Stay(BAD)
        if key is Key.BACK and self.keyed:
            self.keyed = self.keyed.shorter()
            return Stay(TICK)
        if key is Key.STAR and not self.keyed:
            self.keyed = Keyed(draw=True)
            return Stay(TICK)
        if key in (Key.UP, Key.DOWN) and not self.keyed:
            return self.turn_notice(key.step, self._lines())
        longer = None if key.digit is None or self._full() else self.keyed.digit(key.digit)
        if longer is None:
            return Stay(BAD)
        self.keyed = longer
        return Stay(TICK)

    def _full(self) -> bool:
        """Whether the move is complete, so that no point may follow."""
        count = len(self.keyed.points)
        return count > self.way or (count == self.way and not self._wants_stone())

    def tap(self, name: str) -> Action:
        """Add the tapped point as if it had been keyed."""
        if name not in self.position.grid.next_to or self.keyed.draw or self._full():
            return Stay(BAD)
        self.keyed = Keyed((*self.keyed.points, name))
        return Stay(TICK)


SCREENS = GameScreens(MuehleTurn)
