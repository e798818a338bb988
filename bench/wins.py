"""How well the AI plays: a sample of the figures on strength, compared with their goals.

`python -m bench.strength table` measures them with all their games (docs/ai.md). The few games
played here cannot show that a goal is reached, but they can show that it is missed: if even the
better end of the interval misses it. So the budget is for that end.
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figure import Figure
from bench.strength.rows import ROWS, RowFigure, StrengthRow
from bench.strength.table import file_of, measure, unit_of


def sampled(row: StrengthRow, folder: Path) -> RowFigure:
    """Return a row's figure from its `sample` of games."""
    few = replace(row, games=row.sample)
    return measure(few, file_of(few, folder), quiet=True)


def figures() -> list[Figure]:
    """Return the figure of every row with a sample, and the ends of its 95 % interval."""
    results: list[Figure] = []
    with TemporaryDirectory() as folder:
        for row in ROWS:
            if not row.sample:
                continue
            measured = sampled(row, Path(folder))
            unit = unit_of(row)
            least, most = (None, None) if row.goal is None else row.goal.ends
            title = f"wins, {row.name}"
            results += [
                Figure(f"{title}, {measured.games} games", measured.value, unit),
                Figure(f"{title}, at least", measured.low, unit, most),
                Figure(f"{title}, at most", measured.high, unit, least, higher=True),
            ]
    return results
