"""Just 4 Fun once more, as slowly and plainly as possible: what the referee is held to."""

from itertools import combinations

Stones = dict[tuple[int, str], int]
"""Stones by field and player's name; none is written as no entry or 0."""


def count(stones: Stones, field: int, name: str) -> int:
    return stones.get((field, name), 0)


def may_place(stones: Stones, names: list[str], field: int, name: str) -> bool:
    mine = count(stones, field, name)
    return field <= 36 and all(count(stones, field, other) - mine < 2 for other in names)


def legal_sums(
    stones: Stones, names: list[str], hand: list[int], name: str
) -> dict[int, list[int]]:
    """Every legal sum with its fewest, then smallest, cards."""
    found: dict[int, list[int]] = {}
    choices = [sorted(cards) for n in (1, 2, 3, 4) for cards in combinations(hand, n)]
    for cards in sorted(choices, key=lambda cards: (len(cards), cards)):
        if may_place(stones, names, sum(cards), name):
            found.setdefault(sum(cards), cards)
    return found


def owner(stones: Stones, names: list[str], field: int) -> str | None:
    for name in names:
        others = [count(stones, field, other) for other in names if other != name]
        if count(stones, field, name) > max(others):
            return name
    return None


def rows(stones: Stones, names: list[str], board: list[list[int]], name: str) -> list[list[int]]:
    """All rows of four of a player, found by walking from every field in all directions."""
    found = set()
    for y in range(6):
        for x in range(6):
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    places = [(y + dy * i, x + dx * i) for i in range(4)]
                    if (dy, dx) == (0, 0) or not all(0 <= a < 6 and 0 <= b < 6 for a, b in places):
                        continue
                    fields = [board[a][b] for a, b in places]
                    if all(owner(stones, names, field) == name for field in fields):
                        found.add(tuple(sorted(fields)))
    return [list(row) for row in sorted(found)]


def place(stones: Stones, names: list[str], field: int, name: str) -> dict[str, int] | None:
    """Put a stone down; return the stones taken off if this secures the field, else None."""
    stones[field, name] = count(stones, field, name) + 1
    others = {other: count(stones, field, other) for other in names if other != name}
    if count(stones, field, name) - max(others.values()) != 2:
        return None
    for other in others:
        stones[field, other] = 0
    return {other: n for other, n in others.items() if n}


def points(stones: Stones, names: list[str]) -> dict[str, int]:
    won = dict.fromkeys(names, 0)
    for field in range(1, 37):
        left = {name: count(stones, field, name) for name in names}
        most = max(left.values())
        best = [name for name in names if left[name] == most]
        if most and len(best) == 1:
            won[best[0]] += field
    return won
