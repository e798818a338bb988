"""The serial panel as a display: the same Frame in a few rows of text, lamps and beeps."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from textwrap import wrap

from hardware.config import PanelConfig
from hardware.keys import Key
from hardware.serial_panel import BeepKind, PanelStatus, SerialPanel
from hardware.serial_panel.port import candidates
from pi_app.view.frame import Choices, Entry, Frame, Header, Signal, Tone
from pi_app.view.output import Output

# 0xRRGGBB; paler than on the rig's lamp, because WS2812 can mix all colours
_COLOURS = {
    "yellow": 0xFFC000,
    "red": 0xFF0000,
    "white": 0xFFFFFF,
    "pink": 0xFF2080,
    "green": 0x00FF00,
    "blue": 0x0000FF,
}
_BEEPS = {Signal.TICK: BeepKind.TICK, Signal.BAD: BeepKind.BAD, Signal.WIN: BeepKind.WIN}
_NUMBERED = 18
"""With this many columns or more, items of a list have their digits before them."""
_WARNING = {Tone.BAD: "! ", Tone.DOUBT: "? ", Tone.WIN: "* "}
"""What a verdict or an alert begins with; plain and good ones with nothing."""


@lru_cache(maxsize=512)
def _wrap(text: str, columns: int) -> tuple[str, ...]:
    """Return the text in lines of at most `columns` characters; an empty text is one line."""
    return tuple(wrap(text, columns)) or ("",)


def text_rows(frame: Frame, columns: int, rows: int) -> list[str]:
    """Return the frame as `rows` rows of at most `columns` characters, what matters first.

    A display of two rows or less has no title; soft keys appear if text leaves them a row.
    """
    room = rows - 1 if rows > 2 else rows  # without the title's row
    if room < 1 or columns < 2:
        return []
    body = _body_rows(frame, columns, room)
    if len(body) < room and frame.keys.soft:
        foot = ""
        for soft in frame.keys.soft:
            word = f"{soft.name}:{soft.label}"
            if len(foot) + len(word) <= columns:  # a shorter word later may still fit
                foot += word + " "
        # in the last row, below empty ones
        body += [""] * (room - 1 - len(body)) + [foot.rstrip()]
    if rows <= 2:
        return body
    # corner and score may be the same text: it is shown once
    both = " ".join(dict.fromkeys(filter(None, (frame.header.corner, frame.header.score))))
    left = columns - len(frame.header.title)
    # both if they fit, else the corner, else neither
    right = next((text for text in (both, frame.header.corner) if len(text) < left), "")
    title_width = columns - len(right)
    return [frame.header.title[:title_width].ljust(title_width) + right, *body]


def lamp_colours(frame: Frame, lamps: int) -> list[int]:
    """Return the die buttons' colours, 0xRRGGBB: those that mean something are lit."""
    colour = _COLOURS.get(frame.header.colour or "", 0xFFFFFF)
    return [colour if number in frame.keys.dice else 0 for number in range(1, lamps + 1)]


def beep_of(signal: Signal) -> BeepKind:
    """Return the panel's sound for a signal; it has four, so some signals share one."""
    return _BEEPS.get(signal, BeepKind.OK)


def _body_rows(frame: Frame, columns: int, room: int) -> list[str]:
    if frame.alert is not None:
        return list(_wrap(_WARNING.get(frame.alert.tone, "") + frame.alert.text, columns))[:room]
    body = [frame.body.big[:columns]] if frame.body.big and frame.body.entry is None else []
    if frame.body.entry is not None:
        body += _entry_rows(frame.body.entry, columns)
    left = room - len(body)
    if frame.body.choices is not None:
        # a sentence above the list gets one row at least
        listed = _list_rows(frame.body.choices, columns, max(1, left - bool(frame.body.lines)))
        return (body + _sentence_rows(frame, columns, left - len(listed)) + listed)[:room]
    return (body + _sentence_rows(frame, columns, left))[:room]


def _entry_rows(entry: Entry, columns: int) -> list[str]:
    verdict = entry.verdict
    if verdict:
        verdict = _WARNING.get(entry.tone, "") + verdict
    together = f"{entry.text} {verdict}".strip()
    if len(together) <= columns:
        return [together] if together else []
    # of a long entry the end is what was keyed last
    return [entry.text[-columns:], *(_wrap(verdict, columns) if verdict else ())]


def _sentence_rows(frame: Frame, columns: int, room: int) -> list[str]:
    """Return the sentences from the top one on; an arrow shows that more follow."""
    lines = [row for line in frame.body.lines[frame.body.top :] for row in _wrap(line, columns)]
    if room < 1 or len(lines) <= room:
        return lines[: max(0, room)]
    narrow = [  # the last column is for the arrow
        row for line in frame.body.lines[frame.body.top :] for row in _wrap(line, columns - 1)
    ]
    shown = narrow[:room]
    shown[-1] = shown[-1].ljust(columns - 1) + "▼"
    return shown


def _list_rows(choices: Choices, columns: int, room: int) -> list[str]:
    """Return the items around the chosen one, which is marked by a pointer."""
    first = max(0, min(choices.selected - room // 2, len(choices.items) - room))
    shown = list(enumerate(choices.items))[first : first + room]
    rows = []
    for index, item in shown:
        pointer = "▶" if index == choices.selected else " "
        if index in choices.greyed:
            pointer = "-"
        text = f"{choices.digit(index)} {choices.words(index)}" if columns >= _NUMBERED else item
        rows.append((pointer + text.lstrip())[:columns])
    return rows


class SerialPanelDisplay(Output):
    """Shows frames on the panel while one is connected."""

    name = "panel"

    def __init__(
        self, config: PanelConfig, put: Callable[[Key], object], wake: Callable[[], None]
    ) -> None:
        """Start looking for the panel; `wake` makes the loop call `poll` soon."""
        self._wake = wake
        self._frame = Frame(Header(""))
        self._shown_for: tuple[int, int, int] | None = None
        """The rows, columns and lamps of the panel that shows the frame."""
        self.panel = SerialPanel(config, put, changed=self._wake_when_connected)
        self.panel.start()

    def _wake_when_connected(self, status: PanelStatus) -> None:
        if status.session is not None:  # connected: perhaps another panel, of another size
            self._wake()

    def show(self, frame: Frame) -> None:
        self._frame = frame
        panel = self.panel
        self._shown_for = (panel.text_rows, panel.text_columns, panel.lamps)
        panel.show_rows(text_rows(frame, panel.text_columns, panel.text_rows))
        panel.show_lamps(lamp_colours(frame, panel.lamps))

    def signal(self, signal: Signal) -> None:
        if signal is not Signal.TURN:  # the panel would cut the sound before it short
            self.panel.beep(beep_of(signal))

    def poll(self) -> None:
        """Show the frame again if the panel's size has changed."""
        panel = self.panel
        if self._shown_for != (panel.text_rows, panel.text_columns, panel.lamps):
            self.show(self._frame)

    def stuck_keys(self) -> tuple[Key, ...]:
        return self.panel.stuck

    def close(self) -> None:
        """Close the panel and leave no old position on it."""
        self.panel.show_rows(["Beisitzer"])
        self.panel.show_lamps([])
        self.panel.close()


def open_panel(
    config: PanelConfig, port: str | None, put: Callable[[Key], object], wake: Callable[[], None]
) -> list[Output]:
    """Return the panel's display: on `port` if given, else as the settings say."""
    if port is not None:
        config = replace(config, enabled=True, port=port)
    return [SerialPanelDisplay(config, put, wake)] if config.enabled else []


def panel_is_there(config: PanelConfig) -> bool:
    """Tell whether a panel can replace any other display: its port is set, or one is plugged in."""
    return config.enabled and bool(candidates(config))
