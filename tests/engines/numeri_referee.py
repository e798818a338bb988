"""A second, plain referee of both editions of numeri, written from the record's page alone.

It shares no line with `engines.numeri`: a table is a dict of lists, and every rule is
spelt out in the order in which the page lists the violations.
"""

import re
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

Event = dict[str, Any]


@dataclass
class Referee:
    """A game in play: `stones["Anna"][2]` is the field of Anna's stone 3, 0 if it is in the hand.

    `barrier` counts the fields before the barrier; it is read for the edition of 2009 only.
    """

    edition: str
    values: list[int]
    barrier: int
    names: list[str]
    stones: dict[str, list[int]]
    to_move: str

    @property
    def highest(self) -> int:
        return 5 if self.edition == "2009" else 6

    def finished(self) -> bool:
        taken = {field for fields in self.stones.values() for field in fields}
        last = len(self.values)
        return {last - 2, last - 1, last} <= taken

    def splits_allowed(self) -> bool:
        if self.edition == "2009":
            return any(f > self.barrier for fields in self.stones.values() for f in fields)
        return all(field > 0 for field in self.stones[self.to_move])

    def splits(self, roll: str) -> list[tuple[int, ...]]:
        """Return the sets of stones, ascending, that add up to the roll."""
        sizes = (2,) if self.edition == "2009" else (2, 3)
        if roll == "*":
            return []
        sets = [
            chosen
            for size in sizes
            for chosen in combinations(range(1, self.highest + 1), size)
            if sum(chosen) == int(roll)
        ]
        return sorted(sets)

    def walk(self, order: tuple[int, ...]) -> tuple[dict[str, list[int]], list[Event]] | None:
        """Move these stones one after the other; None as soon as one is stuck."""
        after = {name: list(fields) for name, fields in self.stones.items()}
        events: list[Event] = []
        for stone in order:
            start = after[self.to_move][stone - 1]
            taken = {field for fields in after.values() for field in fields}
            ahead = [f for f in range(start + 1, len(self.values) + 1) if f not in taken]
            if not ahead:
                return None
            after[self.to_move][stone - 1] = ahead[0]
            events.append({"event": "moved", "stone": stone, "from": start, "to": ahead[0]})
        return after, events

    def orders(self, roll: str) -> list[tuple[str, tuple[int, ...]]]:
        """Every token of this roll that moves something in these rules, with its stones."""
        if roll == "*":
            return [(f"*:{stone}", (stone,)) for stone in range(1, self.highest + 1)]
        found: list[tuple[str, tuple[int, ...]]] = [(roll, (int(roll),))]
        if self.splits_allowed():
            for chosen in self.splits(roll):
                found += [
                    (f"{roll}:{','.join(map(str, order))}", order) for order in permutations(chosen)
                ]
        return found

    def legal(self, roll: str) -> list[str]:
        tokens = [token for token, order in self.orders(roll) if self.walk(order)]
        return tokens or [f"{roll}:-"]

    def violation(self, token: str) -> str | None:  # noqa: C901  # the page's list, read downwards
        if self.finished():
            return "game-over"
        star = self.edition == "2009"
        pattern = r"(\d|\*)(?::(-|\d(?:,\d)*))?" if star else r"(\d)(?::(-|\d(?:,\d)*))?"
        found = re.fullmatch(pattern, token, re.ASCII)
        if not found or token == "*":  # noqa: S105  # no password
            return "bad-move"
        roll, rest = found.groups()
        if roll != "*" and not 1 <= int(roll) <= self.highest:
            return "bad-die"
        order: tuple[int, ...] = (int(roll),) if rest is None else ()
        if rest is not None and rest != "-":
            order = tuple(int(part) for part in rest.split(","))
            if roll == "*":
                if len(order) != 1 or not 1 <= order[0] <= self.highest:
                    return "bad-split"
            elif tuple(sorted(order)) not in self.splits(roll):
                return "bad-split"
            elif not self.splits_allowed():
                return "split-too-early"
        if order and self.walk(order) is None:
            return "stone-stuck"
        if rest == "-" and self.legal(roll) != [token]:
            return "must-move"
        return None

    def play(self, token: str) -> list[Event]:
        """Play a token that breaks no rule; the events of the page, in its order."""
        rest = token.partition(":")[2]
        if rest == "-":
            self.to_move = self.following()
            return [{"event": "turn-lost"}]
        order = tuple(int(part) for part in (rest or token).split(","))
        walked = self.walk(order)
        assert walked is not None
        self.stones, events = walked
        own = set(self.stones[self.to_move]) - {0}
        moved = {self.stones[self.to_move][stone - 1] for stone in order}
        again = False
        for first in sorted(own):
            run = [first]
            while run[-1] + 1 in own:
                run.append(run[-1] + 1)
            if first - 1 not in own and len(run) >= 3 and moved & set(run):
                events.append({"event": "chain", "fields": run})
                again = True
        if self.finished():
            events.append({"event": "finish"})
        elif not again:
            self.to_move = self.following()
        return events

    def following(self) -> str:
        return self.names[(self.names.index(self.to_move) + 1) % len(self.names)]

    def result(self) -> dict[str, Any]:
        """Return what `score` prints, whether the game is over or not."""
        missing = -5 if self.edition == "2009" else 0
        rows = {
            name: [
                [stone, field, stone * (self.values[field - 1] if field else missing)]
                for stone, field in enumerate(fields, 1)
            ]
            for name, fields in self.stones.items()
        }
        points = {name: sum(row[2] for row in rows[name]) for name in self.names}
        best = max(points.values())
        winners = [name for name in self.names if points[name] == best]
        return {"winners": winners, "reason": "points", "points": points, "stones": rows}
