"""Chips and completed sequences on a board, read from and written as words of a `Position`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.notation import QUOTED, ImpossibleError, position_parts
from engines.sequence.board import (
    BITS,
    CORNERS,
    INDEX,
    SIDE,
    THROUGH,
    WINDOW_NAMES,
    names_in,
    window_between,
)

MOST_CHIPS = 48
"""Chips of a team (printed list of what is in the box)."""

Sequences = tuple[tuple[int, ...], ...]
"""By team, the bit sets of its completed sequences in the order they were made."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Chips as one bit set a team, and the completed sequences of each team."""

    chips: tuple[int, ...]
    sequences: Sequences


def share_two(squares: int, other_squares: int) -> bool:
    """Tell whether two sets of squares share two squares or more."""
    shared = squares & other_squares
    without_lowest = shared & (shared - 1)
    return without_lowest != 0


def candidates(covered: int, square: int, sequences: Sequence[int]) -> list[int]:
    """Return every five through a square that would be a new sequence, in the order of search.

    `covered` are the team's chips, `sequences` its earlier sequences.
    """
    open_squares = ~(covered | CORNERS)
    possible = [window for window in THROUGH[square] if not window & open_squares]
    return [
        window
        for window in possible
        if not any(share_two(window, earlier) for earlier in sequences)
    ]


def unnamed_fives(chips: int, sequences: Sequence[int]) -> list[int]:
    """Return every five in a line of a team's chips that could be named as a new sequence.

    Normal play leaves none; an entered position or a broken sequence may.
    """
    covered = chips | CORNERS
    # from one square of a line to the next; this is quick, but also finds lines around the edge
    if not any(
        covered & covered >> step & covered >> 2 * step & covered >> 3 * step & covered >> 4 * step
        for step in (1, SIDE - 1, SIDE, SIDE + 1)
    ):
        return []
    return [
        window
        for window in WINDOW_NAMES
        if not window & ~covered and not any(share_two(window, line) for line in sequences)
    ]


def new_sequences(
    covered: int, square: int, earlier: Sequence[int], chosen: int | None
) -> list[int]:
    """Return the sequences that a chip on this square makes, the chosen five first.

    Printed rule: the second sequence may share one field with an earlier one.
    """
    possible = candidates(covered, square, earlier)
    lines = [] if chosen is None else [chosen]
    for window in possible:
        if not any(share_two(window, other) for other in lines):
            lines.append(window)
    return lines


def read_layout(text: str, teams: Sequence[str], needed: int) -> Layout:
    """Read the words of a `Position`; ImpossibleError if it is impossible.

    `needed` is the number of sequences that wins: only one team can have as many.
    """
    chips = dict.fromkeys(teams, 0)
    sequences: dict[str, list[int]] = {team: [] for team in teams}
    for team, items in position_parts(text, teams):
        if len(set(items)) < len(items):
            raise ImpossibleError(
                "square-twice", "{team} names a square or a line twice", team=team
            )
        for item in items:
            if "-" in item:
                _add_sequence(team, item, sequences[team])
            else:
                chips[team] |= _read_chip(team, item)
        for line in sequences[team]:
            chips[team] |= line & ~CORNERS
    _check_chips(chips)
    if sum(len(lines) >= needed for lines in sequences.values()) > 1:
        raise ImpossibleError("two-winners", "more than one team has sequences enough to win")
    return Layout(tuple(chips.values()), tuple(tuple(lines) for lines in sequences.values()))


def _check_chips(chips: Mapping[str, int]) -> None:
    """Raise ImpossibleError if two teams are on one square, or a team has too many chips."""
    taken = 0
    for team, own in chips.items():
        if taken & own:
            square = names_in(taken & own)[0]
            sentence = "two teams are on {square}, one is {team}"
            raise ImpossibleError("two-teams", sentence, square=square, team=team)
        taken |= own
        if own.bit_count() > MOST_CHIPS:
            sentence = "{team} has more than {most} chips"
            raise ImpossibleError("too-many-chips", sentence, team=team, most=MOST_CHIPS)


def _read_chip(team: str, square: str) -> int:
    if square not in INDEX:
        sentence = "{team}: {square!r} is no square"
        raise ImpossibleError("no-square", sentence, team=team, square=square[:QUOTED])
    bit = BITS[INDEX[square]]
    if bit & CORNERS:
        sentence = "{team}: no chip lies on the corner {square}"
        raise ImpossibleError("chip-on-corner", sentence, team=team, square=square)
    return bit


def _add_sequence(team: str, item: str, lines: list[int]) -> None:
    start, _, end = item.partition("-")
    line = window_between(start, end)
    if line is None:
        sentence = "{team}: {item!r} are not the ends of five in a line"
        raise ImpossibleError("no-line", sentence, team=team, item=item[:QUOTED])
    if any(share_two(line, earlier) for earlier in lines):
        sentence = "{team}: {item} shares two squares with another sequence"
        raise ImpossibleError("lines-share-two", sentence, team=team, item=item)
    lines.append(line)


def describe_layout(layout: Layout, teams: Sequence[str]) -> str:
    """Return a layout in the words of a `Position`, chips outside of sequences first."""
    parts: list[str] = []
    for team, chips, lines in zip(teams, layout.chips, layout.sequences, strict=True):
        for line in lines:
            chips &= ~line  # noqa: PLW2901 - squares of sequences are not named twice
        ends = [WINDOW_NAMES[line] for line in lines]
        words = [*names_in(chips), *(f"{names[0]}-{names[-1]}" for names in ends)]
        if words:
            parts.append(" ".join((team, *words)))
    return "; ".join(parts)
