"""Frames as lines of JSON on standard output: for pipes and screen readers."""

import json
from dataclasses import replace
from typing import TextIO

from pi_app.view.data import Data, frame_as_data
from pi_app.view.frame import Board, Frame
from pi_app.view.output import Output


class PlainDisplay(Output):
    """Writes each frame at once as one line of JSON: its words, without the board."""

    name = "plain"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, frame: Frame) -> None:
        self._stream.write(json.dumps(frame_words(frame), ensure_ascii=False) + "\n")
        self._stream.flush()


def frame_words(frame: Frame) -> Data:
    """Return the words of a frame by field, without its board and empty fields.

    It omits texts that must not be overheard, as the voice does, because screen readers speak them.
    """
    body = frame.body
    if body.entry is not None and body.entry.aloud:
        body = replace(body, entry=replace(body.entry, text=body.entry.aloud))
    data = frame_as_data(replace(frame, body=body, board=Board()))
    return {name: part for name, part in data.items() if part}
