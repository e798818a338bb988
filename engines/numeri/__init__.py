"""numeri: the die says which stone moves; stones on the most valuable fields win."""

from engines.game import Game, GivenError, Result, Setup
from engines.notation import QUOTED, number
from engines.numeri.board import BOARD
from engines.numeri.moves import STONES
from engines.numeri.position import NumeriPosition
from engines.numeri.settling import settle
from engines.seating import board_of, check_table

__all__ = ["COLOURS", "GAME", "NumeriPosition", "begin", "score"]

COLOURS = ("yellow", "red", "green", "blue")
COUNTS_OF_PLAYERS = frozenset({2, 3, 4})


def begin(setup: Setup) -> NumeriPosition:
    """Return the first position; SetupError if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS)
    fields = (0,) * (STONES * len(setup.players))
    track = board_of(setup, BOARD)
    first = NumeriPosition(setup.players, track, fields, taken=0, seat=setup.start)
    return first.apply_setup(setup)


def score(position: NumeriPosition) -> Result:
    """Return the result, or if there is none yet, the one as if the game ended now."""
    return position.result or settle(position.players, position.track, position.fields)


def given(_position: NumeriPosition, _hand: str | None, roll: str | None) -> int:
    """Read the roll; GivenError if it is missing or not 1 to 6."""
    if roll is None:
        raise GivenError("numeri needs the roll: --roll 1 to 6", "roll-needed")
    rolled = number(roll, STONES)
    if not rolled:
        reason = f"a die does not show {roll[:QUOTED]!r}, only 1 to 6"
        raise GivenError(reason, "no-die", word=roll[:QUOTED])
    return rolled


GAME = Game(
    name="numeri",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    score=score,
    board=BOARD,
)
