"""A frame as JSON values for pages, without anything secret."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pi_app.view.data import Data, as_data, frame_as_data
from pi_app.view.frame import Frame, Header, Picture, Viewers
from pi_app.view.report import Report


def frame_data(frame: Frame, game: str | None) -> Data:
    """Return a frame as data; the fields of a secret frame are empty.

    If it is `paired`, only paired browsers get it; others get `hidden_data`. `game` is the kind of
    game that it shows.
    """
    shown = Frame(Header("")) if frame.secret else frame
    board = shown.board
    body = shown.body.without_counts()  # `seats` has the counts
    data = frame_as_data(replace(shown, body=body, board=replace(board, picture=None)))
    return {
        **data,
        "game": game,
        "secret": frame.secret,
        "paired": frame.viewers is Viewers.HOUSE,
        "picture": picture_data(board.picture),
    }


def hidden_data(shown: Mapping[str, Any]) -> Data:
    """Return the data for browsers that may not see the frame with these data."""
    hidden = frame_data(Frame(Header("")), shown.get("game"))
    return {**hidden, **{name: shown.get(name) for name in ("news", "keyed", "paired")}}


@lru_cache(maxsize=2)  # the board on the displays, and a player's own view of it
def picture_data(picture: Picture | None) -> Any:
    """Return a board as data; cached, as it takes longer than the rest and few keys change it."""
    return as_data(picture)


def report_data(report: Report) -> Data:
    """Return a report for pages as JSON values."""
    return {
        "title": report.title,
        "lines": list(report.lines),
        "curves": as_data(report.curves),
    }
