"""A frame as JSON values for pages, without anything secret."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from pi_app.view.frame import (
    Alert,
    Cell,
    Choices,
    Entry,
    Frame,
    Header,
    Picture,
    SoftKey,
    Token,
    Viewers,
)
from pi_app.view.report import Report

Data = dict[str, Any]


def frame_data(frame: Frame, game: str | None) -> Data:
    """Return a frame's fields by their names; those of a secret frame are empty.

    If it is `paired`, only paired browsers get it; others get `hidden_data`.

    `game` is the kind of game that it shows. Speech and the score history, which would have to be
    computed, are left out.
    """
    shown = Frame(Header("")) if frame.secret else frame
    body = shown.body.without_counts()  # `seats` has the counts
    return {
        "game": game,
        "secret": frame.secret,
        "paired": frame.viewers is Viewers.HOUSE,
        "title": shown.header.title,
        "colour": shown.header.colour,
        "corner": shown.header.corner,
        "score": shown.header.score,
        "big": shown.body.big,
        "tone": shown.body.tone.value,
        "lines": list(body.lines),
        "top": shown.body.top,
        "entry": _entry(shown.body.entry),
        "choices": _choices(shown.body.choices),
        "softkeys": [_softkey(key) for key in shown.keys.soft],
        "alert": _fields(shown.alert),
        "picture": picture_data(shown.board.picture),
        "close_up": shown.board.close_up,
        "details": list(shown.extras.details),
        "moves": [asdict(move) for move in shown.extras.moves],
        "dice": list(shown.keys.dice),
        "seats": [asdict(seat) for seat in shown.extras.seats],
        "curves": [asdict(curve) for curve in shown.board.curves],
        "typing": shown.keys.typing,
        "lettered": shown.keys.lettered,
        "exact": shown.keys.exact,
    }


def hidden_data(shown: Mapping[str, Any]) -> Data:
    """Return what browsers get that may not see the frame with these data."""
    hidden = frame_data(Frame(Header("")), shown.get("game"))
    return {**hidden, **{name: shown.get(name) for name in ("news", "keyed", "paired")}}


def _choices(choices: Choices | None) -> Data | None:
    if choices is None:
        return None
    return {
        "items": [
            {
                "digit": choices.digit(index),
                "text": choices.words(index),
                "sentence": choices.sentence(index),
                "greyed": index in choices.greyed,
                "undoes": index in choices.undoing,
                "tile": _tile(choices.picture_of(item)) if choices.picture_of else None,
            }
            for index, item in enumerate(choices.items)
        ],
        "selected": choices.selected,
        "numbered": choices.numbered,
    }


@lru_cache(maxsize=16)
def _tile(picture: Picture | None) -> Data | None:
    """Return the empty board that is shown for an item of a list."""
    if picture is None:
        return None
    return {
        "kind": picture.kind,
        "columns": picture.columns,
        "cells": [  # lists in this order, which the pages' script knows
            [cell.name, cell.text, cell.shade, cell.large, cell.note] for cell in picture.cells
        ],
        "lines": [list(line) for line in picture.lines],
    }


def _softkey(key: SoftKey) -> Data:
    return {"key": key.key.value, "label": key.label, "scrolls": key.scrolls, "sign": key.sign}


def _entry(entry: Entry | None) -> Data | None:
    if entry is None:
        return None
    # without `aloud`: only a secret frame has it
    return {name: value for name, value in asdict(entry).items() if name != "aloud"}


def _fields(value: Alert | None) -> Data | None:
    return None if value is None else asdict(value)


@lru_cache(maxsize=2)  # the board on the displays, and a player's own view of it
def picture_data(picture: Picture | None) -> Data | None:
    """Return a board as JSON values; cached, because most keys do not change it."""
    if picture is None:
        return None
    return {
        "kind": picture.kind,
        "columns": picture.columns,
        "cells": [_cell(cell) for cell in picture.cells],
        "strokes": [asdict(stroke) for stroke in picture.strokes],
        "turned": picture.turned,
        "lines": [list(line) for line in picture.lines],
    }


def _cell(cell: Cell) -> Data:
    return {
        "name": cell.name,
        "text": cell.text,
        "shade": cell.shade,
        "tokens": [_token(token) for token in cell.tokens],
        "marks": sorted(mark.value for mark in cell.marks),
        "note": cell.note,
        "large": cell.large,
    }


def _token(token: Token) -> Data:
    return {"colour": token.colour, "text": token.text, "count": token.count, "side": token.side}


def report_data(report: Report) -> Data:
    """Return what a page shows of a report as JSON values."""
    return {
        "title": report.title,
        "lines": list(report.lines),
        "curves": [asdict(curve) for curve in report.curves],
        "picture": picture_data(report.board),
    }


def moment_data(facts: Mapping[str, Any]) -> Data:
    """Return what a page shows of moments, its picture, seats and options as JSON values."""
    data = dict(facts)
    if data.get("question"):
        data["question"] = moment_data(data["question"])
    if "picture" in data:
        data["picture"] = picture_data(data["picture"])
    for part in {"seats", "options"} & data.keys():
        data[part] = [asdict(each) for each in data[part]]
    return data
