"""Why a move in Sequence is good: facts of the position before it and after it."""

from collections.abc import Iterator

from ai.api import Reason
from engines.sequence.board import CORNERS, TWO_EYED, WINDOW_NAMES, names_in, share_two
from engines.sequence.notation import Place, SequenceMove, Take, TurnIn
from engines.sequence.rules import SequencePosition


def lines_of(position: SequencePosition, team: int, chips: int) -> dict[int, int]:
    """Return every five in a line with `chips` squares of a team and all others free.

    Corners count as chips. A line that shares two squares with a sequence of the team is left out:
    it cannot become a sequence. Keys are the lines, values their free squares, both as bit sets.
    """
    own = position.chips[team] | CORNERS
    occupied = 0
    for other, bits in enumerate(position.chips):
        if other != team:
            occupied |= bits
    lines: dict[int, int] = {}
    for window in WINDOW_NAMES:
        missing = window & ~own
        if missing.bit_count() == 5 - chips and not window & occupied:
            sequences = position.sequences[team]
            if not any(share_two(window, line) for line in sequences):
                lines[window] = missing
    return lines


def closing(position: SequencePosition, team: int) -> int:
    """Return the set of squares where one chip makes a sequence for a team."""
    squares = 0
    for missing in lines_of(position, team, 4).values():
        squares |= missing
    return squares


def reasons(position: SequencePosition, move: SequenceMove, given: tuple[str, ...]) -> list[Reason]:
    """Return the reasons for a legal move, the most important first."""
    if isinstance(move, TurnIn):
        return [("turns-in", {"card": move.card})]
    if not isinstance(move, Place | Take):
        return []
    after, _ = position.play(move)
    rest = list(given)
    rest.remove(move.card)
    return list(_reasons(position, after, move, rest))


def _reasons(
    before: SequencePosition, after: SequencePosition, move: Place | Take, rest: list[str]
) -> Iterator[Reason]:
    team = before.terms.team_of[before.seat]
    if after.result is not None and after.result.winners:
        yield "wins", {"squares": list(WINDOW_NAMES[after.sequences[team][-1]])}
        return
    if len(after.sequences[team]) > len(before.sequences[team]):
        yield "makes-sequence", {"squares": list(WINDOW_NAMES[after.sequences[team][-1]])}
    for other, name in enumerate(before.teams):
        stopped = closing(before, other) & ~closing(after, other)
        if other != team and stopped:
            yield "stops-sequence", {"team": name, "squares": list(names_in(stopped))}
    old_squares, new_squares = closing(before, team), closing(after, team)
    if new_squares.bit_count() >= 2 > old_squares.bit_count():
        yield "two-ways", {"squares": list(names_in(new_squares))}
    yield from _line_reasons(before, after, team)
    for square in names_in(new_squares):
        card = next((card for card in rest if square in after.free_squares(card)), None)
        if card is not None:
            yield "hand-completes", {"card": card, "square": square}
            break
    jack = next((card for card in rest if card in TWO_EYED), None)
    if jack is not None and move.card not in TWO_EYED:
        yield "keeps-jack", {"card": jack}


def _line_reasons(before: SequencePosition, after: SequencePosition, team: int) -> Iterator[Reason]:
    new = lines_of(after, team, 4).keys() - lines_of(before, team, 4).keys()
    if new:
        yield "four-in-line", {"squares": list(WINDOW_NAMES[min(new)])}
    for other, name in enumerate(before.teams):
        if other != team and len(lines_of(after, other, 3)) < len(lines_of(before, other, 3)):
            yield "hinders", {"team": name}
    if not new:
        three = lines_of(after, team, 3).keys() - lines_of(before, team, 3).keys()
        if three:
            yield "three-in-line", {"squares": list(WINDOW_NAMES[min(three)])}
