"""When a game of Nine Men's Morris is over, and who has won it."""

from collections.abc import Sequence

from beisitzer.plugin.rules import Player, Result
from muehle.rules.board import MILL


def settle(
    players: Sequence[Player], totals: Sequence[int], *, stuck: int | None, repeated: bool
) -> Result | None:
    """Return how the game ends here, or None.

    `totals` are all stones by seat, on the board and in hand. Whoever has fewer than three has
    lost, then whoever is to move and cannot: `stuck` is that seat. A position that is there for
    the third time is a draw.
    """
    facts = {"stones": {player.name: n for player, n in zip(players, totals, strict=True)}}
    few = [seat for seat, stones in enumerate(totals) if stones < MILL]
    if few:
        return Result((players[1 - few[0]].name,), "few-stones", facts)
    if stuck is not None:
        return Result((players[1 - stuck].name,), "blocked", facts)
    return Result((), "repetition", facts) if repeated else None
