"""Painting a Frame as rows of text for a terminal of any size.

The keys are always on the last rows. If there is too little room, stones left and last moves are
dropped first, then the board, then sentences that have been read already.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, zip_longest
from textwrap import wrap

from hardware.keys import Key
from pi_app.displays.terminal_board import BESIDE, COLOURS, WORDS, BoardRows, Style, board_rows
from pi_app.view.frame import Choices, Entry, Frame, SoftKey, Tone

WIDEST = 132
"""The most columns in use."""

_LONGEST = 100
"""The most columns of a sentence: longer lines are hard to read."""

KEYBOARD = {
    Key.ENTER: "Enter",
    Key.STAR: "+",
    Key.UP: "↑",
    Key.DOWN: "↓",
    Key.BACK: "Esc",
    Key.BACK_HELD: "u",
    Key.MENU: "Tab",
}
"""The keyboard's keys for those of the keypad."""

_TONES = {
    Tone.PLAIN: "bold",
    Tone.GOOD: "green",
    Tone.BAD: "bold_red",
    Tone.DOUBT: "bold_yellow",
    Tone.WIN: "bold_green",
}


def paint(
    frame: Frame, columns: int, rows: int, style: Style, *, refused: bool = False
) -> list[str]:
    """Return at most `rows` rows of at most `columns` characters that show this frame.

    If the last key was `refused`, `×` replaces the `>` before the entry; without an entry it is
    before the title.
    """
    width = max(10, min(columns, WIDEST))
    if frame.board.code:  # a code needs its whole height: the words go next to it
        extras = replace(frame.extras, details=frame.body.lines + frame.extras.details)
        frame = replace(frame, body=replace(frame.body, lines=()), extras=extras)
    middle = _Middle(frame, min(width, _LONGEST), style, "×" if refused else ">")
    if refused and frame.body.entry is None:
        header = replace(frame.header, title=f"× {frame.header.title}")
        frame = replace(frame, header=header)
    # provisional: whether sentences scroll, and their keys are shown, depends on the room
    foot = _footer(frame, width, rows, scrolls=False)
    room = max(1, rows - 1 - len(foot))
    # a chart, unlike a board, can be any number of rows high: words come first
    chart = room - 2 - max(middle.least, min(WORDS, middle.whole))
    board = board_rows(frame, width, style, room - WORDS - 2, chart)
    beside = bool(board.rows) and width - board.width - 2 >= BESIDE
    details = _wrap(frame.extras.lines(), width - board.width - 2 if beside else width)
    # the board gets what the words can spare, with an empty row before and after it
    lower = _board_rows(board, details if beside else [], room - middle.least - 2)
    words = room - len(lower) - 1 if lower else room
    if len(lower) >= len(board.rows) > 0:  # a whole board stays in place whatever the words are
        words = min(words, max(min(WORDS, room - len(board.rows) - 2), middle.least))
    # corner and score may be the same text: it is shown once
    corner = "  ".join(dict.fromkeys(filter(None, (frame.header.corner, frame.header.score))))
    title = f" {frame.header.title[: width - len(corner) - 2]}".ljust(width - len(corner) - 1)
    lines = [style(COLOURS.get(frame.header.colour or "", "reverse"), f"{title}{corner} ")]
    lines += middle.paint(words)
    if lower:
        lines += [""] * (1 + words - len(lines))  # 1: the title
        lines += ["", *lower]
    left = rows - len(foot) - len(lines) - 1
    details_shown = beside and bool(lower)
    if details and not details_shown and left > 0:
        lines += ["", *details[:left]]
    foot = _footer(frame, width, rows, scrolls=middle.scrolls)
    lines = lines[: rows - len(foot)]  # the last footer may be higher than the first one
    if len(lines) + len(foot) < rows:
        lines.append("")
    return [*lines, *(style("reverse", row) for row in foot)]


def _board_rows(board: BoardRows, details: list[str], room: int) -> list[str]:
    """Return the board's rows that fit into the room, with the details next to them."""
    seen = board.rows[: max(0, room)]
    high = min(room, max(len(seen), len(details))) if seen else 0
    blank = " " * board.width
    return [
        f"{row or blank}  {detail}" if detail is not None else row or blank
        for row, detail in islice(zip_longest(seen, details), high)
    ]


def _footer(frame: Frame, width: int, rows: int, *, scrolls: bool) -> list[str]:
    """Return the rows of keys: as the keyboard and the keypad call them, and what each does."""
    keys = [key for key in frame.keys.soft if scrolls or not key.scrolls]
    foot = _foot_rows(frame, keys, width)
    if len(foot) > 1:
        foot = _foot_rows(frame, [key for key in keys if not key.spare], width)
    return [line[:width].ljust(width) for line in foot[: max(1, rows // 4)]]


def _foot_rows(frame: Frame, keys: list[SoftKey], width: int) -> list[str]:
    items = []
    for key in keys:
        sign, typed = key.name, KEYBOARD.get(key.key)
        items.append(f"[{typed} {sign}] {key.label}" if typed else f"[{sign}] {key.label}")
    items += ["[A-Z]"] if frame.keys.typing or frame.keys.lettered else []
    named = {key.key for key in frame.keys.soft}
    if frame.body.choices is not None and not named & {Key.UP, Key.DOWN}:
        items.append("[↑↓ AB]")
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 3 + len(item) > width:
            lines.append("")
        lines[-1] += f"   {item}" if lines[-1] else item
    return lines


def _wrap(lines: tuple[str, ...], width: int) -> list[str]:
    return [row for line in lines for row in wrap(line, max(1, width)) or [""]]


class _Middle:
    """The rows between title and board: alert, big words, entry, sentences and list."""

    def __init__(self, frame: Frame, width: int, style: Style, sign: str) -> None:
        self.frame = frame
        self.sign = sign
        """The sign before the entry."""
        self.width = width
        self.style = style
        self.scrolls = False
        """Whether there are more sentences than fit."""
        self.fixed = self._fixed_rows()
        self.sentences = _wrap(frame.body.lines, width - 2)
        self.items = (
            _list_items(frame.body.choices, width - 5) if frame.body.choices is not None else []
        )

    @property
    def least(self) -> int:
        """How many rows must be shown even if the board is dropped."""
        return 1 + len(self.fixed) + min(4, len(self.sentences)) + min(4, len(self.items))

    @property
    def whole(self) -> int:
        """How many rows show everything."""
        return 1 + len(self.fixed) + len(self.sentences) + len(self.items)

    def paint(self, room: int) -> list[str]:
        """Return at most `room` rows, the first one empty."""
        lines = ["", *self.fixed]
        left = max(1, room - len(lines))
        # the list gets what sentences leave, but at least four rows
        listed = min(len(self.items), max(left - len(self.sentences), min(4, left)))
        lines += self._sentence_rows(max(0, left - listed))
        return (lines + self._list_rows(listed))[: max(1, room)]

    def _fixed_rows(self) -> list[str]:
        """Return alert, big words and entry, which never scroll."""
        frame = self.frame
        lines: list[str] = []
        if frame.alert is not None:
            sign = "??" if frame.alert.tone is Tone.DOUBT else "!!"
            lines += [*self._wrap(f"{sign} {frame.alert.text}", frame.alert.tone), ""]
        if frame.body.big:
            lines += [self.style("bold", frame.body.big[: self.width]), ""]
        if frame.body.entry is not None:
            lines += [*self._entry_rows(frame.body.entry), ""]
        return lines

    def _entry_rows(self, entry: Entry) -> list[str]:
        """Return the entry, the verdict next to it or, if both are long, below it."""
        # 5: the sign with its space, and three spaces before the verdict
        if len(entry.text) + len(entry.verdict) + 5 > self.width:
            text = self.style("bold", entry.text[-self.width + 2 :])
            return [f"{self.sign} {text}", *self._wrap(entry.verdict, entry.tone)]
        verdict = f"   {self.style(_TONES[entry.tone], entry.verdict)}" if entry.verdict else ""
        return [f"{self.sign} {self.style('bold', entry.text)}{verdict}"]

    def _wrap(self, text: str, tone: Tone) -> list[str]:
        return [self.style(_TONES[tone], row) for row in wrap(text, self.width)]

    def _sentence_rows(self, room: int) -> list[str]:
        """Return the sentences from the current one on; arrows show where more are."""
        rows = self.sentences
        if len(rows) <= room:
            return rows
        self.scrolls = True
        first = len(_wrap(self.frame.body.lines[: self.frame.body.top], self.width - 2))
        first = max(0, min(first, len(rows) - room))
        shown = [row.ljust(self.width - 2) for row in rows[first : first + room]]
        if shown and first + room < len(rows):
            shown[-1] = shown[-1] + " ▼"
        if shown and first:
            shown[0] = shown[0][: self.width - 2] + " ▲"
        return shown

    def _list_rows(self, room: int) -> list[str]:
        """Return the part of the list around the chosen item, which has a sign and is inverted."""
        choices = self.frame.body.choices
        if choices is None or not room:
            return []
        count = len(self.items)
        first = max(0, min(choices.selected - room // 2, count - room))
        rows = []
        for index in range(first, first + room):
            chosen = index == choices.selected
            has_more_above = index == first and first > 0
            has_more_below = index == first + room - 1 and index < count - 1
            text = f"{'>' if chosen else ' '} {self.items[index]} "[: self.width - 2]
            arrow = "▼" if has_more_below else ""
            if has_more_above:
                arrow = "▲"
            grey = self.style("dim", text) if index in choices.greyed else text
            rows.append((self.style("reverse", text) if chosen else grey) + arrow)
        return rows


def _list_items(choices: Choices, width: int) -> list[str]:
    """Return the items with their digits; items that cannot be chosen are in brackets.

    An item whose sentence is wider than `width` columns says its short words.
    """
    wide = max(map(len, choices.keyed), default=0)
    said = (
        choices.sentence(index)
        if len(choices.sentence(index)) + wide + 3 <= width
        else choices.words(index) or choices.sentence(index)
        for index in range(len(choices.items))
    )
    words = (f"({text})" if index in choices.greyed else text for index, text in enumerate(said))
    rows = zip(choices.keyed, words, strict=True)
    return [f"{digits:>{wide}} {item}" if wide else item for digits, item in rows]
