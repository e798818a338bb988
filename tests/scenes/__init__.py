"""Scenes as data: how a table is set up, the keys that lead to what is worth looking at."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Scene:
    """One situation at the table. `tags` begin the game; without them it starts at home.

    `games` are records that were played before, `evaluations` how they went, if that is known: the
    first player's chances in percent, `spreads`, `turns` as move, seat, points, better move, and
    `moments` as move, seat, points, right moves, reasons.
    `tips` are moves and chances that come out of the thinking here, on a machine of any speed;
    with them the players are given tips. Anna has `learnt` the tables for some weeks.
    """

    name: str
    keys: str
    tags: dict[str, str] = field(default_factory=dict)
    games: tuple[str, ...] = ()
    evaluations: tuple[Mapping[str, Any], ...] = ()
    tips: tuple[tuple[str, float], ...] = ()
    learnt: bool = False


@cache
def scenes_of(file: str) -> list[Scene]:
    """Return the scenes of one file, named FILE-NAME."""
    found = []
    table = tomllib.loads((FOLDER / f"{file}.toml").read_text("utf-8"))
    for entry in table["scene"]:
        tags = table.get("tags", {}) | entry.get("tags", {})
        games = table.get("games", ()) if entry.get("played") else ()
        evaluations = tuple(table.get("course", ())) if games else ()
        tips = tuple(entry.get("tips", {}).items())
        learnt = entry.get("learnt", False)
        name = f"{file}-{entry['name']}"
        found.append(Scene(name, entry["keys"], tags, tuple(games), evaluations, tips, learnt))
    return found


FILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
"""A test tries a file's scenes in one go: a test for each scene cost more than what it tried."""


def scenes() -> list[Scene]:
    """Return the scenes of all files."""
    return [scene for file in FILES for scene in scenes_of(file)]
