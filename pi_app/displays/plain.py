"""Frames as lines of plain text on standard output: for pipes and screen readers."""

import json
from typing import TextIO

from pi_app.view.frame import Frame
from pi_app.view.output import Output


class PlainDisplay(Output):
    """Writes each frame at once as one line of JSON: its texts, without its look."""

    name = "plain"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, frame: Frame) -> None:
        self._stream.write(json.dumps(frame_texts(frame), ensure_ascii=False) + "\n")
        self._stream.flush()


def frame_texts(frame: Frame) -> dict[str, object]:
    """Return the texts of a frame by their names; empty ones are left out."""
    entry, choices, alert = frame.body.entry, frame.body.choices, frame.alert
    parts: dict[str, object] = {
        "alert": alert.text if alert else "",
        "title": frame.header.title,
        "corner": frame.header.corner,
        "score": frame.header.score,
        "big": frame.body.big,
        "entry": (entry.aloud or entry.text) if entry else "",
        "result": entry.result if entry else "",
        "verdict": entry.verdict if entry else "",
        "lines": list(frame.body.lines[frame.body.top :]),
        "choices": list(choices.items) if choices else [],
        "digits": list(choices.keyed) if choices and choices.numbered else [],
        "greyed": [choices.items[index] for index in sorted(choices.greyed)] if choices else [],
        "selected": choices.items[choices.selected] if choices and choices.items else "",
        "details": list(frame.extras.lines()),
    }
    return {name: part for name, part in parts.items() if part}
