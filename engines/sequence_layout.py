"""What lies on a Sequence board: chips and completed sequences, read from a `Position` text."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.notation import position_parts
from engines.sequence_board import (
    BITS,
    CORNERS,
    INDEX,
    THROUGH,
    WINDOW_NAMES,
    names_in,
    window_between,
)

Sequences = tuple[tuple[int, ...], ...]
"""By team, the bit sets of its completed sequences in the order they were made."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Chips as one bit set a team, and the completed sequences of each team."""

    chips: tuple[int, ...]
    sequences: Sequences


def share_two(one: int, other: int) -> bool:
    """Tell whether two sets of squares share two squares or more."""
    shared = one & other
    return shared & (shared - 1) != 0


def candidates(covered: int, square: int, sequences: Sequence[int]) -> list[int]:
    """Return every five through a square that would be a new sequence, in the order tried.

    `covered` are the team's chips, `sequences` its earlier ones.
    """
    covered |= CORNERS
    return [
        window
        for window in THROUGH[square]
        if covered & window == window and not any(share_two(window, old) for old in sequences)
    ]


def new_sequences(
    covered: int, square: int, earlier: Sequence[int], chosen: int | None
) -> list[int]:
    """Return the sequences a chip on this square makes: the chosen five first, then in order.

    Printed rule: the second sequence may share one field with an earlier one.
    """
    possible = candidates(covered, square, earlier)
    taken = [] if chosen is None else [chosen]
    for window in possible:
        if not any(share_two(window, other) for other in taken):
            taken.append(window)
    return taken


def read_layout(text: str, teams: Sequence[str], needed: int) -> Layout:
    """Read the words of a `Position`; ValueError, with one sentence, where it is impossible.

    `needed` is the number of sequences that wins: no two teams can have so many.
    """
    chips = dict.fromkeys(teams, 0)
    sequences: dict[str, list[int]] = {team: [] for team in teams}
    for team, items in position_parts(text, teams):
        if len(set(items)) < len(items):
            raise ValueError(f"{team} names a square or a line twice")
        for item in items:
            if "-" in item:
                _add_sequence(team, item, sequences[team])
            else:
                chips[team] |= _chip(team, item)
        for line in sequences[team]:
            chips[team] |= line & ~CORNERS
    taken = 0
    for team, own in chips.items():
        if taken & own:
            raise ValueError(f"two teams are on {names_in(taken & own)[0]}, one is {team}")
        taken |= own
    if sum(len(lines) >= needed for lines in sequences.values()) > 1:
        raise ValueError("more than one team has sequences enough to win")
    return Layout(tuple(chips.values()), tuple(tuple(lines) for lines in sequences.values()))


def _chip(team: str, square: str) -> int:
    if square not in INDEX:
        raise ValueError(f"{team}: {square[:40]!r} is no square")
    bit = BITS[INDEX[square]]
    if bit & CORNERS:
        raise ValueError(f"{team}: no chip lies on the corner {square}")
    return bit


def _add_sequence(team: str, item: str, lines: list[int]) -> None:
    one, _, other = item.partition("-")
    line = window_between(one, other)
    if line is None:
        raise ValueError(f"{team}: {item[:40]!r} are not the ends of five in a line")
    if any(share_two(line, earlier) for earlier in lines):
        raise ValueError(f"{team}: {item} shares two squares with another sequence")
    lines.append(line)


def write_layout(layout: Layout, teams: Sequence[str]) -> str:
    """Return a layout in the words of a `Position`, chips outside of sequences first."""
    parts = []
    for team, chips, lines in zip(teams, layout.chips, layout.sequences, strict=True):
        for line in lines:
            chips &= ~line  # noqa: PLW2901 - what the lines hold is not named again
        ends = [WINDOW_NAMES[line] for line in lines]
        words = [*names_in(chips), *(f"{names[0]}-{names[-1]}" for names in ends)]
        if words:
            parts.append(" ".join((team, *words)))
    return "; ".join(parts)
