"""Draws the house, a picture of the code's rooms and their imports, from the code.

The floors come from the import contracts in `pyproject.toml`, the sentences from each room's
`__init__`. An arrow is an import; arrows that others imply are left out.
"""

import ast
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from textwrap import wrap

from tools.svg import box, document, text, wire

ROOT = Path(__file__).parents[1]
PACKAGES = ("pi_app", "ai", "hardware", "engines")
Arrow = tuple[str, str]
"""Two rooms: the first one imports from the second."""

_INK = "#5b6b82"
_LINKED = "#b0343c"
_WIDTH, _HIGH, _GAP, _EDGE = 860, 78, 34, 20
_FILLS = {"engines": "#eef7ee", "ai": "#fdeef4", "hardware": "#fdf3e7"}


def floors() -> list[list[str]]:
    """Return the rooms of `pi_app` floor by floor from the top, then the packages below them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layered = [contract for contract in contracts if "layers" in contract]
    # one contract orders the rooms of `pi_app`, another one the packages
    within = next(rules for rules in layered if rules.get("containers") == ["pi_app"])["layers"]
    packages = next(rules["layers"] for rules in layered if "pi_app" in rules["layers"])
    below = packages[packages.index("pi_app") + 1 :]
    # rooms of one floor are separated by `|`; `__main__` is no room
    return [layer.split(" | ") for layer in (*within, *below) if layer != "__main__"]


def sentence(room: str) -> str:
    """Return the first sentence of a room's `__init__`."""
    folder = ROOT / room if room in PACKAGES else ROOT / "pi_app" / room
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    return " ".join(doc.split("\n\n")[0].split())


def rooms_within(room: str) -> list[str]:
    """Return the rooms within a room of `pi_app`."""
    return sorted(path.parent.name for path in (ROOT / "pi_app" / room).glob("*/__init__.py"))


@cache
def imports() -> frozenset[Arrow]:
    """Return every pair of rooms of which the first imports from the second."""
    import grimp

    graph = grimp.build_graph(*PACKAGES)
    arrows = {
        (_room(module), _room(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    rooms = {room for floor in floors() for room in floor}
    return frozenset(
        (start, end) for start, end in arrows if start != end and start in rooms and end in rooms
    )


def _room(module: str) -> str:
    package, _, inner = module.partition(".")
    return inner.partition(".")[0] if package == "pi_app" else package


def arrows_up() -> list[Arrow]:
    """Return the imports that do not go downwards; there should be none."""
    level = {room: index for index, floor in enumerate(floors()) for room in floor}
    return sorted((start, end) for start, end in imports() if level[start] >= level[end])


def needed_arrows() -> list[Arrow]:
    """Return the imports that no chain of others implies."""
    return sorted(arrow for arrow in imports() if not _is_reachable(*arrow, imports() - {arrow}))


def _is_reachable(start: str, end: str, arrows: Iterable[Arrow]) -> bool:
    reachable, todo = {start}, [start]
    while todo:
        room = todo.pop()
        fresh = {target for source, target in arrows if source == room} - reachable
        reachable |= fresh
        todo += fresh
    return end in reachable


def house_drawing() -> str:
    """Return the house as SVG."""
    places: dict[str, tuple[float, float, float]] = {}  # left, top and width of each room
    for level, floor in enumerate(floors()):
        columns = 2 if floor == ["engines"] else len(floor)  # the firmware is drawn next to it
        width = (_WIDTH - _EDGE * (columns + 1)) / columns
        for column, room in enumerate(floor):
            places[room] = (_EDGE + column * (width + _EDGE), 20 + level * (_HIGH + _GAP), width)
    drawn = [_arrow(*arrow, places) for arrow in needed_arrows()]
    drawn += _draw_discovery(places["run"], places["games"])
    for room, (x, y, width) in places.items():
        drawn += _draw_room(room, x, y, width)
    x, y, width = places["hardware"]
    drawn += [
        wire(f"{x + width / 2},{y + _HIGH} {x + width / 2},{y + _HIGH + _GAP}", "#8a3fb0"),
        text(x + width / 2 + 10, y + _HIGH + 22, "lines of text over USB", 12, "#8a3fb0"),
        box(x, y + _HIGH + _GAP, width, _HIGH, "#f4effa", _INK, 6),
        text(x + 12, y + _HIGH + _GAP + 25, "firmware/", 15),
        text(x + 12, y + _HIGH + _GAP + 43, "MicroPython, on the Pico.", 12, "#3b4656"),
    ]
    return document(
        _WIDTH, int(y) + 2 * _HIGH + _GAP + 20, drawn, "The house: rooms, and who imports whom"
    )


def _draw_room(room: str, x: float, y: float, width: float) -> list[str]:
    inner = ", ".join(rooms_within(room)) if room not in PACKAGES else ""
    # a letter of this size is 6.4 wide on average, and the box has room for three lines
    lines = wrap(sentence(room), int((width - 24) / 6.4))[:3]
    return [
        box(x, y, width, _HIGH, _FILLS.get(room, "#eef3fb"), _INK, 6),
        text(x + 12, y + 25, f"{room}/", 15),
        *([text(x + 34 + 9 * len(room), y + 25, inner, 12)] if inner else ()),
        *(text(x + 12, y + 43 + 14 * row, line, 12, "#3b4656") for row, line in enumerate(lines)),
    ]


def _arrow(start: str, end: str, places: dict[str, tuple[float, float, float]]) -> str:
    """Draw an import; rooms in between are drawn over it.

    `places` has left, top and width of each room.
    """
    x, y, width = places[start]
    to_x, to_y, to_width = places[end]
    left, right = max(x, to_x), min(x + width, to_x + to_width)
    if left < right:  # one room is above the other: the arrow goes straight down
        from_x = into_x = (left + right) / 2
    else:
        from_x = x + width - 30 if to_x > x else x + 30
        into_x = to_x + 30
    tip = f"{into_x - 5:g},{to_y - 8:g} {into_x:g},{to_y:g} {into_x + 5:g},{to_y - 8:g}"
    return wire(f"{from_x:g},{y + _HIGH:g} {into_x:g},{to_y:g} {tip}", _INK)


def _draw_discovery(
    start: tuple[float, float, float], end: tuple[float, float, float]
) -> list[str]:
    """Draw the finding of games by entry points, which is not an import."""
    left, top, _ = start
    x, y = left + 200, top + _HIGH  # beside the arrows of the imports
    _, end_y, _ = end
    return [
        wire(f"{x:g},{y:g} {x:g},{end_y:g}", _LINKED),
        text(x + 10, y + 22, "found by name: entry points", 12, _LINKED),
    ]
