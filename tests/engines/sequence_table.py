"""Helpers of the Sequence tests: a table in one line, moves as tokens."""

from collections.abc import Mapping
from itertools import islice

from engines.game import Event, Player, Setup
from engines.sequence.rules import SequencePosition, begin

TWO = "blue green "
THREE = "blue green red "
CELLS = [(row, column) for row in range(1, 11) for column in range(1, 11)]


def table(
    position: str | None = None,
    *,
    colours: str = TWO,
    start: int = 0,
    rules: Mapping[str, str] | None = None,
    board: str | None = None,
    board_data: str | None = None,
) -> SequencePosition:
    players = tuple(Player(f"P{seat}", colour) for seat, colour in enumerate(colours.split()))
    return begin(Setup(players, start, board, board_data, rules or {}, position))


def tokens(position: SequencePosition, *hand: str) -> list[str]:
    return [move.token for move in position.legal(hand)]


def sequences(events: tuple[Event, ...]) -> list[str]:
    """Return the new sequences by their ends."""
    lines = [event.facts["squares"] for event in events if event.code == "sequence"]
    assert all(len(line) == 5 for line in lines)
    return [f"{line[0]}-{line[-1]}" for line in lines]


def full_board() -> str:
    """Return a position with a chip on every square but the corners, no line named."""
    squares = [f"r{r}c{c}" for r, c in CELLS if not (r in {1, 10} and c in {1, 10})]
    return "blue " + " ".join(islice(squares, 0, None, 2)) + "; green " + " ".join(squares[1::2])
