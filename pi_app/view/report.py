"""A report of a look back, the same for every renderer.

Text, picture, screen and phone show title, sentences, curves and board; `pi_app.past.exchange`
writes the rows for programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pi_app.view.frame import Curve, Picture

Row = Mapping[str, object]
"""The values of one row for programs by their column; docs/records.md says what they mean."""


@dataclass(frozen=True, slots=True)
class Report:
    """A look back: its title, sentences for people, rows for programs, curves and a board."""

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    curves: tuple[Curve, ...] = ()
    board: Picture | None = None
