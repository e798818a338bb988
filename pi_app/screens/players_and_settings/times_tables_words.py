"""The times tables of a player as a picture, in words and as rows for other programs."""

from datetime import UTC, datetime

from pi_app.past.times_tables import TASKS, Mastery, Tables, Task
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Curve, Picture
from pi_app.view.report import Report, Row

SIGNS = {Mastery.KNOWN: "+", Mastery.SHAKY: "~", Mastery.PRACTISE: "-", Mastery.NEW: ""}
"""A sign for each standing, so that they differ without colour."""
_SHADES = {Mastery.KNOWN: 4, Mastery.SHAKY: 2, Mastery.PRACTISE: 1, Mastery.NEW: 0}
_SIDE = 10
_COLOURS = {Mastery.KNOWN: "green", Mastery.SHAKY: "yellow", Mastery.PRACTISE: "red"}


def task_words(task: Task) -> str:
    """Write a task as a question."""
    return "×".join(map(str, task))


def tables_picture(tables: Tables, now: datetime) -> Picture:
    """Return ten rows of ten products, each with the shade and sign of its standing."""
    cells = []
    for row in range(1, _SIDE + 1):
        for column in range(1, _SIDE + 1):
            standing = tables.standing(_task(row, column), now)
            text = f"{row * column}{SIGNS[standing]}"
            cells.append(Cell(f"{row}x{column}", text, _SHADES[standing]))
    return Picture("table", _SIDE, tuple(cells))


def find_task(name: str) -> Task | None:
    """Return the task of a cell in the picture by the cell's name, or None."""
    a, _, b = name.partition("x")
    task = _task(int(a), int(b)) if a.isdecimal() and b.isdecimal() else None
    return task if task in TASKS else None


def _task(a: int, b: int) -> Task:
    return (a, b) if a <= b else (b, a)


def standing_words(tx: Texts) -> dict[Mastery, str]:
    """Return a word for each standing."""
    return {
        Mastery.KNOWN: tx("word", "known"),
        Mastery.SHAKY: tx("word", "shaky"),
        Mastery.PRACTISE: tx("word", "practise"),
        Mastery.NEW: tx("word", "not asked"),
    }


def count_lines(tx: Texts, tables: Tables, now: datetime) -> tuple[str, ...]:
    """Say how many tasks have each standing, with the sign from the picture."""
    words, counts = standing_words(tx), tables.counts(now)
    # stripped, because one standing has no sign
    return tuple(
        f"{SIGNS[mastery]} {words[mastery]}: {counts[mastery]}".strip() for mastery in Mastery
    )


def task_line(tx: Texts, tables: Tables, task: Task, now: datetime) -> str:
    """Say one task's standing, and how often it was answered right and wrong."""
    progress = tables.tasks.get(task)
    words = f"{task_words(task)} = {task[0] * task[1]}"
    if progress is None:
        return tx("line", "{pair}: not asked yet", pair=words)
    return tx(
        "line",
        "{pair}: {word}, right {count}, wrong {wrong}",
        pair=words,
        word=standing_words(tx)[progress.standing(now)],
        count=progress.right,
        wrong=progress.wrong,
    )


def curves_of(tx: Texts, tables: Tables) -> tuple[Curve, ...]:
    """Return a player's history as curves: how many tasks had each standing after each day."""
    words = standing_words(tx)
    points = {
        Mastery.KNOWN: [day.known for day in tables.history],
        Mastery.SHAKY: [day.shaky for day in tables.history],
        Mastery.PRACTISE: [day.practise for day in tables.history],
    }
    # every curve begins at 0, before the first day
    return tuple(
        Curve(words[mastery], _COLOURS[mastery], (0, *points[mastery])) for mastery in points
    )


def tables_report(tx: Texts, tables: Tables, now: datetime, label: str) -> Report:
    """Return a player's standings and history; `label` is the name or number to show."""
    rows = (
        {
            "player": label,
            "task": f"{task[0]}x{task[1]}",
            "product": task[0] * task[1],
            "standing": progress.standing(now).value,
            "right": progress.right,
            "wrong": progress.wrong,
            "last": datetime.fromtimestamp(progress.last, UTC).isoformat(),
            "due": datetime.fromtimestamp(progress.due, UTC).isoformat(),
        }
        for task, progress in tables.tasks.items()
    )
    lines, picture = count_lines(tx, tables, now), tables_picture(tables, now)
    return Report(label, lines, tuple(rows), curves_of(tx, tables), picture)


def day_rows(tables: Tables, label: str) -> tuple[Row, ...]:
    """Return the days of a player's history as rows for programs."""
    return tuple(
        {
            "player": label,
            "day": day.day.isoformat(),
            "known": day.known,
            "shaky": day.shaky,
            "practise": day.practise,
        }
        for day in tables.history
    )
