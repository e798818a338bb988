"""What the finished games say of each player, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pi_app.store.archive import GameEntry


@dataclass(slots=True)
class PlayerStatistics:
    """One player in one game. `won_by` counts the reasons of the games won (row, points ...).

    `points` sums the `settled` games that were settled by points; `longest` is in moves.
    """

    game: str
    player: str
    played: int = 0
    won: int = 0
    won_by: Counter[str] = field(default_factory=Counter)
    points: int = 0
    settled: int = 0
    longest: int = 0

    @property
    def average(self) -> float | None:
        """Average points of the games that were settled by points, None without one."""
        return self.points / self.settled if self.settled else None


def statistics(games: Iterable[tuple[GameEntry, int]]) -> list[PlayerStatistics]:
    """Count finished games (with their number of moves) by game and player, winners first."""
    found: dict[tuple[str, str], PlayerStatistics] = {}
    for entry, moves in games:
        result = entry.result
        if result is None:
            continue
        points = result.get("points")
        for name in entry.players:
            key = (entry.game, name)
            one = found.setdefault(key, PlayerStatistics(entry.game, name))
            one.played += 1
            one.longest = max(one.longest, moves)
            if name in entry.winners:
                one.won += 1
                one.won_by[str(result.get("reason"))] += 1
            if isinstance(points, dict) and isinstance(points.get(name), int):
                one.points += points[name]
                one.settled += 1
    return sorted(found.values(), key=lambda one: (one.game, -one.won, -one.played, one.player))
