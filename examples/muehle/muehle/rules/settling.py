"""Decides when a game of Nine Men's Morris is over, and who has won."""

from collections.abc import Sequence

from beisitzer.plugin.rules import Player, Result
from muehle.rules.board import MILL


def settle(
    players: Sequence[Player], totals: Sequence[int], *, stuck: int | None, repeated: bool
) -> Result | None:
    """Return how the game ends here, or None.

    `totals` are all stones by seat, on the board and in hand. A player with fewer than three
    loses; otherwise `stuck`, the seat that is to move and cannot, loses. A position `repeated`
    for the third time is a draw.
    """
    facts = {"stones": {player.name: n for player, n in zip(players, totals, strict=True)}}
    few = [seat for seat, stones in enumerate(totals) if stones < MILL]
    if few:
        return Result((players[1 - few[0]].name,), "few-stones", facts)
    if stuck is not None:
        return Result((players[1 - stuck].name,), "blocked", facts)
    return Result((), "repetition", facts) if repeated else None
