"""Between title and keys: the focus (the most important text), sentences, a list."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.framebuffer import Framebuffer
from hardware.typefaces import HEADLINE, NUMERALS, TEXT, Typeface
from pi_app.displays.oled.rim import FOOT, TOP
from pi_app.view.frame import Alert, Choices, Entry, Frame, SoftKey, Tone

_FACES = (NUMERALS, HEADLINE, TEXT)
"""Typefaces of the focus, the largest first."""

_ROW = 9
"""Pixel rows for a row of a list, and for a line of many sentences."""

_LETTER = 8
"""The least pixel columns of a row, so that a letter fits even next to a wide board."""

_AIRY = 10
"""Pixel rows for a line of text where there is room."""

_DENSE = 8
"""Pixel rows for a line of text below a headline that would otherwise become small."""

_PITCH = {NUMERALS: 22, HEADLINE: 14, TEXT: 10}
"""Pixel rows from one row of the focus to the next."""

_BAR = 6
"""Pixel columns of the scroll bar."""

_ICON_ROOM = 8
"""Pixel columns that an alert's icon has to itself: 4 at its left, 4 between it and the words."""

_SIGNS = {Tone.GOOD: "✓", Tone.BAD: "✗", Tone.DOUBT: "?", Tone.WIN: "👑"}
"""The sign after the focus; a plain tone has none."""
_ALERTS = {Tone.GOOD: "✓", Tone.BAD: "⚠", Tone.DOUBT: "?", Tone.WIN: "👑", Tone.PLAIN: "•"}
"""The icon before an alert."""


@dataclass(slots=True)
class _Ink:
    """A text to write; a list's row has a number before it."""

    x: int
    y: int
    text: str
    face: Typeface = TEXT
    number: str = ""
    """The digit that chooses the row; "" for a text outside a list."""
    left: int = 0
    """The number's left edge."""
    chosen: bool = False
    greyed: bool = False


@dataclass(slots=True)
class _Bar:
    """A scroll bar: `shown` rows of `count`, from the row `first` on."""

    y: int
    height: int
    first: int
    shown: int
    count: int


@dataclass(slots=True)
class BodyView:
    """One layout of a frame's words in `width` pixels, with its focus in one face."""

    frame: Frame
    width: int
    face: Typeface
    focus: str
    """The text that matters most, written in `face`."""
    fits: bool = True
    """Whether everything is shown whole; a layout with False is only the last resort."""
    scrolls: bool = False
    """Whether sentences continue beyond the display, so that the scrolling keys are shown."""
    finished: bool = False
    """Whether everything was placed, not only the focus."""
    bottom: int = TOP
    """The first free pixel row."""
    ink: list[_Ink] = field(default_factory=list)
    """All texts of this layout."""
    bars: list[_Bar] = field(default_factory=list)

    @classmethod
    def layouts(cls, frame: Frame, width: int, *, shown: str = "") -> "Iterator[BodyView]":
        """Yield layouts of the frame's words, first with the largest focus, then smaller ones.

        A focus that the board shows already (`shown`) is left out.
        """
        entry = frame.body.entry
        focus = frame.body.big if entry is None else entry.result or entry.text
        if focus == shown:
            focus = ""
        # without a focus, and for an alert, all faces would give the same layout
        for face in _FACES if focus and frame.alert is None else (TEXT,):
            # numerals have no letters; the last face shows missing characters as question marks
            if focus and face is not TEXT and not all(map(face.covers, focus.split())):
                continue
            body = cls(frame, width, face, focus)
            if frame.alert is None and focus:
                body._write_focus(focus, entry)
            if body.fits:  # the rest of an unfit layout is placed only if it is chosen
                body.finish()
            yield body

    @property
    def small(self) -> bool:
        """Whether the focus is no larger than the rest."""
        return self.face is TEXT and bool(self.focus) and self.frame.alert is None

    @property
    def keys(self) -> tuple[SoftKey, ...]:
        """The soft keys that do something in this layout."""
        return tuple(key for key in self.frame.keys.soft if self.scrolls or not key.scrolls)

    # --- arranging

    def finish(self) -> None:
        """Place everything below the focus, unless that was done before."""
        if self.finished:
            return None
        self.finished = True
        frame = self.frame
        if frame.alert is not None:
            return self._write_alert(frame.alert)
        lines: tuple[str, ...] = frame.body.lines[frame.body.top :]
        if frame.body.entry is not None:
            entry = frame.body.entry
            keyed = entry.text if entry.result else ""  # without a result the text is the focus
            lines = (*filter(None, (keyed, entry.verdict)), *lines)
        if frame.body.choices is not None:
            least_rows = 2 if lines or self.focus else 5  # rows that words leave to the list
            self._write_above_list(lines, min(len(frame.body.choices.items), least_rows))
            return self._write_list(frame.body.choices)
        if lines or frame.body.top:  # scrolled past the end: the bar is still shown
            # write sentences: few with wide line spacing, too many with a scroll bar
            room = FOOT - self.bottom
            rows = self._wrap(lines, self.width)
            pitch = _AIRY if len(rows) * _AIRY - 2 <= room else _ROW  # below the last row no gap
            if self.face is HEADLINE and len(rows) > (room + 1) // pitch:
                pitch = _DENSE
                self.bottom -= (
                    1  # into the gap below the headline: often just enough for one row more
                )
            most = (FOOT - self.bottom + 1) // pitch
            self.scrolls = bool(self.frame.body.top) or len(rows) > most
            if self.scrolls:
                self.fits = False
                rows = self._wrap(lines, self.width - _BAR)  # narrower: the bar needs its columns
                before = self._wrap(self.frame.body.lines[: self.frame.body.top], self.width - _BAR)
                self.bars.append(
                    _Bar(self.bottom, most * pitch - 2, len(before), most, len(before) + len(rows))
                )
            elif self.bottom == TOP and pitch == _AIRY:
                self.bottom += 2  # without a focus the first sentence keeps away from the rule
            for row in rows[:most]:
                self.ink.append(_Ink(0, self.bottom, row))
                self.bottom += pitch
        return None

    def _write_focus(self, text: str, entry: Entry | None) -> None:
        """Write the focus, followed by the sign of its tone, such as a tick or a cross."""
        face = self.face
        tone = self.frame.body.tone
        if entry is not None:
            tone = entry.tone if entry.verdict else Tone.PLAIN  # not judged yet: no sign
        sign = _SIGNS.get(tone, "")
        if sign == "✗" and face is NUMERALS and "×" in text:
            sign = ""  # in numerals it would be one × more; the sentence below says it too
        sign_face = face
        if face is NUMERALS and sign == "👑":  # numerals have no crown
            sign_face = HEADLINE
        room = self.width - (sign_face.width(sign) + 4 if sign else 0)
        rows: tuple[str, ...] = (text,)
        if face.width(text) > room:
            rows = face.wrap_text(text, room)
            whole = " ".join(rows) == " ".join(text.split())  # no word was broken
            if not whole or len(rows) > 2:
                # keeps the end, which is the newest
                while len(text) > 1 and face.width(text) > room:
                    text = "…" + text.removeprefix("…")[1:]
                rows = (text,)
            # a smaller face is tried first, except for a headline in two whole rows
            self.fits = face is TEXT or (face is HEADLINE and len(rows) == 2)
        y = TOP
        for row in rows:
            self.ink.append(_Ink(0, y, row, face))
            y += _PITCH[face]
        if sign:  # next to the last word, at the height of the first row
            self.ink.append(_Ink(face.width(rows[-1]) + 4, TOP, sign, sign_face))
        has_descenders = face is HEADLINE and any(char in "gjpqy,;" for char in rows[-1])
        self.bottom = y + 2 if has_descenders else y

    def _write_above_list(self, lines: tuple[str, ...], least: int) -> None:
        """Write sentences above a list, which keeps at least `least` rows."""
        rows = list(self._wrap(lines, self.width))
        most = max(0, (FOOT - self.bottom - least * _ROW) // _ROW)
        if len(rows) > most:
            self.fits = False
            rows = rows[:most]
            if rows:
                rows[-1] = TEXT.cut_text(rows[-1] + " …", self.width)
        for row in rows:
            self.ink.append(_Ink(0, self.bottom, row))
            self.bottom += _ROW
        if not rows and self.bottom == TOP:
            self.bottom -= 1  # with no rule above it, so that a dark row stays above the keys

    def _write_list(self, choices: Choices) -> None:
        """Write the part of the list around the chosen item, which is inverted."""
        count = len(choices.items)
        shown = max(0, min((FOOT - self.bottom) // _ROW, count))
        self.fits = self.fits and shown >= min(count, 3)  # fewer rows do not look like a list
        first = max(0, min(choices.selected - shown // 2, count - shown))
        room = self.width - (_BAR if shown < count else 0) - 4
        numbers = choices.keyed
        most_digits = max(map(len, numbers), default=0)
        # texts begin behind the widest number, so that they are aligned
        x = 2 + (TEXT.width("0" * most_digits) + 4 if most_digits else 0)
        for index in range(first, first + shown):
            number = numbers[index]
            words = choices.words(index)
            text = TEXT.cut_text(words, room - x + 2)
            self.fits = self.fits and text == words
            row = _Ink(
                x,
                self.bottom + 1,
                text,
                number=number,
                left=x - 4 - TEXT.width("0" * len(number)),
                chosen=index == choices.selected,
                greyed=index in choices.greyed,
            )
            self.ink.append(row)
            self.bottom += _ROW
        if shown < count:
            top = self.bottom - shown * _ROW
            self.bars.append(_Bar(top, shown * _ROW, first, shown, count))

    def _wrap(self, lines: tuple[str, ...], width: int) -> tuple[str, ...]:
        return tuple(row for line in lines for row in TEXT.wrap_text(line, max(_LETTER, width)))

    def _write_alert(self, alert: Alert) -> None:
        """Write the alert next to its icon, as large as it fits."""
        icon = _ALERTS[alert.tone]
        x = HEADLINE.width(icon) + _ICON_ROOM
        # if nothing fits, the last of these is painted
        for face, pitch in ((HEADLINE, 14), (TEXT, _AIRY), (TEXT, _ROW)):
            rows = face.wrap_text(alert.text, self.width - x - 4)
            height = (len(rows) - 1) * pitch + face.baseline
            # a word that was broken at the edge counts as two
            whole_words = len(" ".join(rows).split()) == len(alert.text.split())
            if height <= FOOT - TOP - 6 and whole_words:
                break
        y = TOP + 1 + (FOOT - TOP - 2 - height) // 2
        self.ink.append(_Ink(4, TOP + (FOOT - TOP - 14) // 2, icon, HEADLINE))
        for row in rows:
            self.ink.append(_Ink(x, y, row, face))
            y += pitch

    # --- painting

    def paint(self, canvas: Framebuffer) -> None:
        """Draw this layout."""
        if self.frame.alert is not None:
            canvas.outline(0, TOP, self.width, FOOT - TOP - 1)
        for ink in self.ink:
            if ink.chosen:
                canvas.tag(0, ink.y - 1, ink.x + TEXT.width(ink.text) + 3, _ROW)
            if ink.number:
                canvas.text(ink.left, ink.y, ink.number, on=not ink.chosen)
            canvas.text(ink.x, ink.y, ink.text, ink.face, on=not ink.chosen)
            if ink.greyed:  # struck through: one colour knows no grey
                for x in range(ink.x - 1, ink.x + TEXT.width(ink.text)):
                    canvas.pixel(x, ink.y + 4, on=not ink.chosen)
        for bar in self.bars:
            x = self.width - 2
            for y in range(bar.y, bar.y + bar.height, 2):  # the whole way, dotted
                canvas.pixel(x, y)
            length = max(5, bar.height * bar.shown // bar.count)
            last_first = max(1, bar.count - bar.shown)  # the first row when the end is shown
            y = bar.y + (bar.height - length) * min(bar.first, last_first) // last_first
            canvas.rect(x - 1, y, 3, length)
