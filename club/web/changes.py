"""What has changed between two states of the hall: a few lines instead of the whole standings.

`changes.js` puts them together again in the browser.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from club.web.hall import HallFacts

ChangedRun = list[Any]
"""From where in the old list how many are kept, and what comes behind them anew."""
APART = ("names", "standings", "round")
"""Facts of which the parts are compared."""


def change_of(before: HallFacts, after: HallFacts) -> HallFacts:
    """Return what `before` lacks to be `after`; both are facts of the hall.

    `set` has facts that are others, `names` the names that are, null for those that went;
    `standings` and `tables` are runs, and are not there where nothing has changed.
    """
    change: HallFacts = {
        "set": {
            name: value
            for name, value in after.items()
            if name not in APART and before[name] != value
        }
    }
    if names := _names(before["names"], after["names"]):
        change["names"] = names
    if before["standings"] != after["standings"]:
        change["standings"] = runs(before["standings"], after["standings"])
    old, new = before["round"], after["round"]
    if old == new:
        return change
    if old and new and {**old, "tables": None} == {**new, "tables": None}:
        change["tables"] = runs(old["tables"], new["tables"])
    else:
        change["set"]["round"] = new
    return change


def _names(before: dict[str, str], after: dict[str, str]) -> dict[str, str | None]:
    gone: dict[str, str | None] = {p: None for p in before if p not in after}
    return gone | {p: name for p, name in after.items() if before.get(p) != name}


def runs(before: Sequence[object], after: Sequence[object]) -> list[ChangedRun]:
    """Return how a list is put together from an older one: each item as JSON would have it."""
    places = {_key(item): at for at, item in enumerate(before)}
    found: list[ChangedRun] = [[0, 0]]
    for item in after:
        at = places.get(_key(item))
        last = found[-1]
        if at is None:
            last.append(item)
        elif len(last) == 2 and last[0] + last[1] == at:
            last[1] += 1
        else:
            found.append([at, 1])
    return found


def _key(item: object) -> Hashable:
    return repr(item)
