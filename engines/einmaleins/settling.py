"""How a game of Einmaleins ends: somebody is out of cards, or nobody can draw."""

from engines.game import Player, Result


def out_result(players: tuple[Player, ...], hands: tuple[int, ...]) -> Result | None:
    """Return the result if somebody has no card left, else None."""
    return Result((players[hands.index(0)].name,), "out") if 0 in hands else None


def stalemate_result(players: tuple[Player, ...], hands: tuple[int, ...]) -> Result:
    """Return the result if no card is left to draw: fewest cards win, ties share (ruling)."""
    least = min(hands)
    winners = [player.name for player, hand in zip(players, hands, strict=True) if hand == least]
    return Result(tuple(winners), "stalemate")
