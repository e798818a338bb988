"""A Frame laid out as rows of text: for a terminal of any size, and for the panel's few rows.

On a terminal the keys are always on the last rows. If there is too little room, stones left and
last moves are dropped first, then the board, then sentences that have been read already.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from textwrap import wrap

from hardware.keys import Key
from pi_app.displays.terminal_board import BESIDE, COLOURS, WORDS, BoardRows, Style, board_rows
from pi_app.view.frame import Body, Choices, Frame, Header, SoftKey, Tone

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
_WARNINGS = {Tone.BAD: "! ", Tone.DOUBT: "? ", Tone.WIN: "* "}
"""The signs before an alert and, without colours, before a verdict; other tones have none."""
_NUMBERED = 18
"""With this many columns or more, items of a list have their digits before them."""


# --- parts for terminal and panel


def _wrap(lines: Iterable[str], width: int) -> list[str]:
    """Return lines in rows; an empty line is a row."""
    return [row for line in lines for row in wrap(line, max(1, width)) or [""]]


def _title(header: Header, columns: int, gap: str = " ") -> str:
    """Return title, corner and score as one row; corner or both are left out if they do not fit."""
    # corner and score may be the same text: it is shown once
    both = gap.join(dict.fromkeys(filter(None, (header.corner, header.score))))
    left = columns - len(header.title)
    right = next((text for text in (both, header.corner) if len(text) < left), "")
    width = columns - len(right)
    return header.title[:width].ljust(width) + right


def _sentences(body: Body, width: int, room: int) -> list[str]:
    """Return the sentences from the current one on; arrows show where more are."""
    rows = _wrap(body.lines, width)
    if len(rows) <= room or not room:
        return rows[:room]
    rows = _wrap(body.lines, width - 2)  # the last columns are for the arrows
    read = len(_wrap(body.lines[: body.top], width - 2))
    first = max(0, min(read, len(rows) - room))
    shown = [row.ljust(width - 2) for row in rows[first : first + room]]
    if first:
        shown[0] += " ▲"
    if first + room < len(rows):
        shown[-1] = f"{shown[-1][: width - 2]} ▼"
    return shown


def _seen(choices: Choices, room: int) -> range:
    """Return the rows of a list around the chosen one."""
    count = len(choices.items)
    first = max(0, min(choices.selected - room // 2, count - room))
    return range(first, min(first + room, count))


# --- the panel


def text_rows(frame: Frame, columns: int, rows: int) -> list[str]:
    """Return the frame as `rows` rows of at most `columns` characters, the most important first.

    A display of two rows or less has no title; soft keys appear if text leaves them a row.
    """
    room = rows - 1 if rows > 2 else rows  # without the title's row
    if room < 1 or columns < 3:
        return []
    body = _panel_words(frame, columns, room)
    if len(body) < room and frame.keys.soft:
        foot = ""
        for soft in frame.keys.soft:
            word = f"{soft.name}:{soft.label}"
            if len(foot) + len(word) <= columns:  # a shorter word later may still fit
                foot += word + " "
        # in the last row, below empty ones
        body += [""] * (room - 1 - len(body)) + [foot.rstrip()]
    return [_title(frame.header, columns), *body] if rows > 2 else body


def _panel_words(frame: Frame, columns: int, room: int) -> list[str]:
    body, entry, choices = frame.body, frame.body.entry, frame.body.choices
    if frame.alert is not None:
        alert = _WARNINGS.get(frame.alert.tone, "") + frame.alert.text
        return _wrap((alert,), columns)[:room]
    words = [body.big[:columns]] if body.big and entry is None else []
    if entry is not None:
        verdict = (_WARNINGS.get(entry.tone, "") + entry.verdict) if entry.verdict else ""
        words = [f"{entry.text} {verdict}".strip()]
        if len(words[0]) > columns:  # keeps the end of a long entry, which was keyed last
            words = [entry.text[-columns:], *wrap(verdict, columns)]
    words = [word for word in words if word]
    left = room - len(words)
    listed: list[str] = []
    if choices is not None:
        # a sentence above the list gets one row at least
        for index in _seen(choices, max(1, left - bool(body.lines))):
            is_selected = index == choices.selected
            pointer = "-" if index in choices.greyed else "▶" if is_selected else " "
            item = choices.items[index]
            if columns >= _NUMBERED:
                item = f"{choices.digit(index)} {choices.words(index)}".lstrip()
            listed.append(f"{pointer}{item}"[:columns])
    return (words + _sentences(body, columns, max(0, left - len(listed))) + listed)[:room]


# --- a terminal


def paint(
    frame: Frame, columns: int, rows: int, style: Style, *, refused: bool = False
) -> list[str]:
    """Return at most `rows` rows of at most `columns` characters that show this frame.

    The score always has the order of the seats. If the last key was `refused`, `×`
    replaces the `>` before the entry; without an entry it is before the title.
    """
    width = max(10, min(columns, WIDEST))
    if frame.board.code:  # a code needs its whole height: the words go next to it
        extras = replace(frame.extras, details=frame.body.lines + frame.extras.details)
        frame = replace(frame, body=replace(frame.body, lines=()), extras=extras)
    words = _words(frame, min(width, _LONGEST), style, "×" if refused else ">")
    header = frame.header
    if header.score and frame.extras.seats:
        header = replace(header, score=":".join(seat.score for seat in frame.extras.seats))
    if refused and frame.body.entry is None:
        header = replace(header, title=f"× {header.title}")
    # provisional: whether sentences scroll, and their keys are shown, depends on the room
    foot = _footer(frame, width, rows, scrolls=False)
    room = max(1, rows - 1 - len(foot))
    # a chart, unlike a board, can be any number of rows high: words come first
    chart = room - 2 - max(words.least, min(WORDS, words.whole))
    board = board_rows(frame, width, style, room - WORDS - 2, chart)
    beside = bool(board.rows) and width - board.width - 2 >= BESIDE
    details = _wrap(frame.extras.lines(), width - board.width - 2 if beside else width)
    # the board gets the rows that words can spare, with an empty row before and after it
    lower = _beside(board, details if beside else [], room - words.least - 2)
    height = room - len(lower) - 1 if lower else room
    if len(lower) >= len(board.rows) > 0:  # a whole board stays in place whatever the words are
        height = min(height, max(min(WORDS, room - len(board.rows) - 2), words.least))
    title = f" {_title(header, width - 2, '  ')} "
    lines = [style(COLOURS.get(header.colour or "", "reverse"), title)]
    left = max(1, height - 1 - len(words.fixed))
    # the list gets the rows left by sentences, but at least four
    listed = min(words.items, max(left - len(words.sentences), min(4, left)))
    for_sentences = max(0, left - listed)
    sentences = _sentences(frame.body, words.width, for_sentences)
    body = ["", *words.fixed, *sentences, *_list_rows(frame.body.choices, words, listed, style)]
    lines += body[: max(1, height)]
    if lower:
        lines += [""] * (1 + height - len(lines))  # 1: the title
        lines += ["", *lower]
    left = rows - len(foot) - len(lines) - 1
    if details and not (beside and lower) and left > 0:
        lines += ["", *details[:left]]
    foot = _footer(frame, width, rows, scrolls=len(words.sentences) > for_sentences)
    lines = lines[: rows - len(foot)]  # the last footer may be higher than the first one
    if len(lines) + len(foot) < rows:
        lines.append("")
    return [*lines, *(style("reverse", row) for row in foot)]


@dataclass(frozen=True, slots=True)
class _Words:
    """The rows of a frame's words in a width: `fixed` ones never scroll; `items` are in a list."""

    width: int
    fixed: list[str]
    sentences: list[str]
    items: int

    @property
    def least(self) -> int:
        """How many rows must be shown even if the board is dropped."""
        return 1 + len(self.fixed) + min(4, len(self.sentences)) + min(4, self.items)

    @property
    def whole(self) -> int:
        """How many rows show everything."""
        return 1 + len(self.fixed) + len(self.sentences) + self.items


def _words(frame: Frame, width: int, style: Style, sign: str) -> _Words:
    """Return a frame's words; `sign` stands before the entry."""
    fixed: list[str] = []
    entry, alert, choices = frame.body.entry, frame.alert, frame.body.choices
    if alert is not None:
        text = _WARNINGS.get(alert.tone, "") + alert.text
        fixed += [*(style(_TONES[alert.tone], row) for row in wrap(text, width)), ""]
    if frame.body.big:
        fixed += [style("bold", frame.body.big[:width]), ""]
    if entry is not None:
        # 5: the sign with its space, and three spaces before the verdict
        if len(entry.text) + len(entry.verdict) + 5 > width:
            text = style("bold", entry.text[-width + 2 :])
            verdict = [style(_TONES[entry.tone], row) for row in wrap(entry.verdict, width)]
            fixed += [f"{sign} {text}", *verdict, ""]
        else:
            said = f"   {style(_TONES[entry.tone], entry.verdict)}" if entry.verdict else ""
            fixed += [f"{sign} {style('bold', entry.text)}{said}", ""]
    return _Words(
        width, fixed, _wrap(frame.body.lines, width), len(choices.items) if choices else 0
    )


def _list_rows(choices: Choices | None, words: _Words, room: int, style: Style) -> list[str]:
    """Return the part of the list around the chosen item, which has a sign and is inverted.

    Items that cannot be chosen are in brackets. If the sentence of an item is too wide, its short
    words are shown.
    """
    if choices is None or not room:
        return []
    wide = max(map(len, choices.keyed), default=0)
    seen = _seen(choices, room)
    rows = []
    for index in seen:
        item = choices.sentence(index)
        if len(item) + wide + 8 > words.width:
            item = choices.words(index) or item
        if index in choices.greyed:
            item = f"({item})"
        digits = f"{choices.digit(index):>{wide}} " if wide else ""
        chosen = index == choices.selected
        text = f"{'>' if chosen else ' '} {digits}{item} "[: words.width - 2]
        arrow = "▼" if index == seen[-1] < len(choices.items) - 1 else ""
        arrow = "▲" if index == seen[0] > 0 else arrow
        look = "reverse" if chosen else "dim" if index in choices.greyed else ""
        rows.append((style(look, text) if look else text) + arrow)
    return rows


def _beside(board: BoardRows, details: list[str], room: int) -> list[str]:
    """Return the board's rows that fit into the room, with the details next to them."""
    seen = board.rows[: max(0, room)]
    high = min(room, max(len(seen), len(details))) if seen else 0
    blank = " " * board.width
    return [
        f"{row or blank}  {detail}" if detail is not None else row or blank
        for row, detail in islice(zip_longest(seen, details), high)
    ]


def _footer(frame: Frame, width: int, rows: int, *, scrolls: bool) -> list[str]:
    """Return the rows of keys: their names on keyboard and keypad, and their actions."""
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
