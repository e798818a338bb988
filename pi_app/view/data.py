"""Frames as JSON values by the names of their fields, for pages and other programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pi_app.view.frame import Choices, Frame

Data = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One item of a list as people see it: its digit, and its words in two lengths.

    Choosing a `greyed` item does nothing; one that `undoes` takes something back.
    """

    digit: str
    text: str
    sentence: str
    greyed: bool
    undoes: bool


def frame_as_data(frame: Frame) -> Data:
    """Return a frame: the fields of all its parts side by side, and its alert."""
    data: Data = {"alert": as_data(frame.alert)}
    for part in (frame.header, frame.body, frame.board, frame.extras, frame.keys):
        data |= as_data(part)
    return data


def as_data(value: Any) -> Any:
    """Return a part of a frame as JSON values by the names of its fields, without functions."""
    if isinstance(value, (str, int, type(None))):
        return value
    if isinstance(value, (tuple, list)):
        return [as_data(each) for each in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {name: as_data(part) for name, part in value.items()}
    if isinstance(value, Choices):
        # a list: its rows, and which one is marked
        rows = [
            ListRow(
                value.digit(index),
                value.words(index),
                value.sentence(index),
                index in value.greyed,
                index in value.undoing,
            )
            for index in range(len(value.items))
        ]
        return {"items": as_data(rows), "selected": value.selected, "numbered": value.numbered}
    # not `fields`, which is slow: this runs for each cell of a board
    parts = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
    return {name: as_data(part) for name, part in parts if not callable(part)}
