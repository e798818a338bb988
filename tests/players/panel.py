"""A hand at the panel: reads its rows, presses its keys, finds its way through its menus."""

from collections.abc import Collection
from pathlib import Path
from typing import Self

from tests.firmware.rig import Firmware

POINTER = "▶"


class Hand(Firmware):
    """Our firmware with somebody before it."""

    def __init__(self, folder: Path) -> None:
        """Start the panel; the hand keys faster than people do, and the panel debounces."""
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder)

    def __enter__(self) -> Self:
        return self

    def rows(self) -> list[str]:
        """Return what the display shows now."""
        return list(_rows(self.lines).values())

    def shows(self, *texts: str, timeout_s: float = 300) -> list[str]:
        """Wait until the display shows all these texts, and return its rows."""
        good = self.wait_for(lambda lines: _has(_rows(lines).values(), texts), timeout_s)
        assert good, f"{texts} never came: {self.rows()} {self.lines[-20:]}"
        return self.rows()

    def sees_turn(self, name: str, timeout_s: float = 300) -> None:
        """Wait until this player's turn is on show; a row below may name who played before."""
        good = self.wait_for(lambda lines: _rows(lines).get(0, "").startswith(name), timeout_s)
        assert good, f"{name}'s turn never came: {self.rows()} {self.lines[-20:]}"

    def choose(self, *words: str) -> None:
        """Go up from a list's begin over its end to a row with this word; so in each list.

        No greyed row lies on these ways: it has no pointer.
        """
        self._moves("")
        for word in words:
            for _ in range(40):
                if word in (here := self.pointer()):
                    break
                self.press("^")
                self._moves(here)
            assert word in self.pointer(), f"no {word}: {self.rows()}"
            here = self.pointer()
            self.press("#")
            if word != words[-1]:
                self._moves(here)

    def pointer(self) -> str:
        """Return the chosen row of the list on show; "" while it is being drawn."""
        chosen = [row for row in self.rows() if row.startswith(POINTER)]
        return chosen[0] if len(chosen) == 1 else ""

    def _moves(self, before: str) -> None:
        good = self.wait_for(lambda _: self.pointer() not in ("", before), 300)
        assert good, f"{before} stays: {self.rows()}"

    def turns(self, names: tuple[str, ...]) -> list[str]:
        """Return whose turns were shown, in order."""
        heads = [line.removeprefix("TEXT 0 ") for line in self.lines if line.startswith("TEXT 0 ")]
        seen: list[str] = []
        for head in heads:
            name = next((name for name in names if head.startswith(name)), None)
            if name is not None and seen[-1:] != [name]:
                seen.append(name)
        return seen


def _rows(lines: list[str]) -> dict[int, str]:
    rows: dict[int, str] = {}
    for line in list(lines):
        word, _, rest = line.partition(" ")
        if word == "TEXT":
            number, _, text = rest.partition(" ")
            rows[int(number)] = text
        elif word in ("SESSION", "WAITING"):
            rows.clear()
    return dict(sorted(rows.items()))


def _has(rows: Collection[str], texts: tuple[str, ...]) -> bool:
    return all(any(text in row for row in rows) for text in texts)
