"""The figures on strength: who plays whom, how many games, with which seed, and the goal.

Games and seed stand here before the first game is played. Times are seconds of thinking.
"""

from dataclasses import dataclass
from math import inf
from typing import Literal

from ai.match import Bot
from bench.strength.side import Thinking
from tests.ai.opponents import einmaleins, just4fun, numeri, sequence

GAMES = ("just4fun", "sequence", "numeri", "einmaleins")
OPPONENTS: dict[str, dict[str, Bot]] = {
    "just4fun": {
        "greedy": just4fun.greedy,
        "one-ply": just4fun.one_ply,
        "two-ply": just4fun.two_ply,
    },
    "sequence": {"greedy": sequence.greedy, "shape": sequence.window_shape},
    "numeri": {"greedy": numeri.greedy},
    "einmaleins": {"greedy": einmaleins.greedy},
}
SEED = 47
RIVAL = "aaa0b519704a"
"""The commit that duels are played against: the last one before anything was learnt by play."""

FAST = Thinking(seconds=0.02)

Sitting = Thinking | str
"""Who sits there: the AI, or the opponent of this name."""


@dataclass(frozen=True, slots=True)
class RowFigure:
    """A row's figure with the ends of its 95 % interval, all in percent."""

    games: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Goal:
    """What part of a figure, its value or the lower end of its interval, has to be in a range."""

    part: Literal["value", "low"]
    least: float = -inf
    most: float = inf

    def reached(self, measured: RowFigure) -> bool:
        """Return whether the figure keeps the goal."""
        shown = measured.value if self.part == "value" else measured.low
        return self.least <= shown <= self.most

    def __str__(self) -> str:
        if self.most == inf:
            return f"{self.least:g}"
        return (
            f"at most {self.most:g}" if self.least == -inf else f"{self.least:g} to {self.most:g}"
        )


def at_least(percent: float) -> Goal:
    """Return the goal that the lower end of the interval reaches this percentage."""
    return Goal("low", least=percent)


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """A figure: its name in `bench.strength table`, the game, how many games, and the goal."""

    name: str
    game: str
    games: int
    goal: Goal | None = None
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Match(StrengthRow):
    """How often the first of these seats wins; the seats rotate."""

    seats: tuple[Sitting, ...] = ()


@dataclass(frozen=True, slots=True)
class Swap(StrengthRow):
    """What the AI gains if one of its greedy opponents is a copy of itself: nothing."""

    players: int = 3
    thinking: Thinking = FAST


@dataclass(frozen=True, slots=True)
class Calibration(StrengthRow):
    """The mean gap of chances and results, in percentage points."""


@dataclass(frozen=True, slots=True)
class AgainstCommit(StrengthRow):
    """A duel with another commit."""

    thinking: Thinking = FAST
    theirs: Thinking = FAST
    commit: str = RIVAL


def against(
    game: str,
    opponent: str,
    thinking: Thinking,
    games: int,
    goal: float | None = None,
    *,
    players: int = 2,
) -> Match:
    """Return the row of one of ours against opponents of one kind, everybody for himself."""
    kind = "-plain" if thinking.plain else ""
    count = f"-{players}p" if players > 2 else ""
    return Match(
        f"{game}-{opponent}{count}-{thinking.seconds:g}{kind}",
        game,
        games,
        None if goal is None else at_least(goal),
        seats=(thinking, *[opponent] * (players - 1)),
    )


def _two_players() -> list[StrengthRow]:
    """Return the opponents of old: compiled, by the score alone (0 s), and as Python."""
    fast, short, usual = FAST, Thinking(seconds=0.005), Thinking(seconds=0.05)
    score, plain = Thinking(seconds=0.0), Thinking(seconds=0.02, plain=True)
    slow = Thinking(seconds=0.1, plain=True)
    return [
        against("just4fun", "greedy", fast, 3000, 85),
        against("just4fun", "one-ply", usual, 1000, 76),
        against("just4fun", "one-ply", fast, 600),
        against("just4fun", "one-ply", short, 1000),
        against("just4fun", "two-ply", fast, 1000, 65),
        against("just4fun", "two-ply", short, 1000),
        against("just4fun", "greedy", score, 2000),
        against("just4fun", "one-ply", score, 2000),
        against("just4fun", "two-ply", score, 2000),
        against("sequence", "greedy", Thinking(seconds=0.03), 1300, 62),
        against("sequence", "shape", Thinking(seconds=0.03), 12000, 70),
        against("sequence", "greedy", fast, 600, 62),
        against("sequence", "shape", fast, 600),
        against("sequence", "greedy", score, 1000),
        against("sequence", "shape", score, 2000),
        against("numeri", "greedy", fast, 1000, 75),
        against("einmaleins", "greedy", usual, 1000, 63),
        against("einmaleins", "greedy", fast, 1000, 63),
        against("just4fun", "greedy", slow, 600, 82),
        *(against(game, opponent, plain, 600) for game in GAMES for opponent in OPPONENTS[game]),
    ]


def _more_players() -> list[StrengthRow]:
    """Return one of ours against others of one kind, and in Sequence a team of two of ours.

    There four are two teams of two, so half of all games would be won without any skill: one of
    ours has a greedy partner, and a goal of its own.
    """
    rows: list[StrengthRow] = []
    for game in GAMES:
        for players, goal in ((3, 50), (4, 55 if game == "sequence" else 38)):
            for opponent in OPPONENTS[game]:
                row = against(
                    game,
                    opponent,
                    FAST,
                    600,
                    goal if opponent == "greedy" else None,
                    players=players,
                )
                rows.append(row)
    # the scores that choose in the other games do not need the time
    rows += [
        against(game, "greedy", Thinking(seconds=0.1), 600, goal, players=players)
        for game in ("numeri", "einmaleins")
        for players, goal in ((3, 50), (4, 38))
    ]
    team = (FAST, "greedy", FAST, "greedy")
    return [*rows, Match("sequence-team-4p-0.02", "sequence", 600, at_least(62), 120, seats=team)]


def _levels() -> list[StrengthRow]:
    """Return each level against the next lower one, and the lower ones against greedy."""
    step = Goal("value", least=65.0, most=75.0)
    rows: list[StrengthRow] = []
    for game in GAMES:
        best, club, beginner = (Thinking(level) for level in ("best", "club", "beginner"))
        rows += [
            Match(f"{game}-best-club", game, 600, step, 40, seats=(best, club)),
            Match(f"{game}-club-beginner", game, 600, step, 40, seats=(club, beginner)),
            Match(f"{game}-club-greedy", game, 300, seats=(club, "greedy")),
            Match(f"{game}-beginner-greedy", game, 300, seats=(beginner, "greedy")),
        ]
    return rows


def _swaps() -> list[StrengthRow]:
    none = Goal("low", most=0.0)
    return [
        Swap(f"{game}-copy-{players}p-0.02", game, 600, none, 60, players=players)
        for game in GAMES
        for players in (3, 4)
    ]


def _calibrations() -> list[StrengthRow]:
    return [
        Calibration(f"{game}-calibration", game, 400, Goal("value", most=3.0)) for game in GAMES
    ]


def _duels() -> list[StrengthRow]:
    """Return the duels with RIVAL, and where the lower end has to be.

    RIVAL always uses up its time, the AI stops once it is sure. So that both take about as much
    processor time, the AI may think longer, for `ours` seconds where RIVAL has `theirs`.
    """
    plans = (
        # game, theirs, ours, games, seed, goal
        ("numeri", 0.02, 0.02, 600, 47, 52),
        ("numeri", 0.1, 0.13, 800, 47, 52),
        ("einmaleins", 0.02, 0.02, 600, 47, 52),
        ("einmaleins", 0.1, 0.125, 1800, 47, 52),
        ("just4fun", 0.02, 0.034, 2000, 471, 48),
        ("just4fun", 0.1, 0.1, 1000, 477, 48),
        ("sequence", 0.02, 0.025, 2000, 471, 48),
        ("sequence", 0.1, 0.125, 800, 471, 48),
    )
    return [
        AgainstCommit(
            f"{game}-duel-{theirs:g}",
            game,
            games,
            at_least(goal),
            seed=seed,
            thinking=Thinking(seconds=ours),
            theirs=Thinking(seconds=theirs),
        )
        for game, theirs, ours, games, seed, goal in plans
    ]


ROWS: tuple[StrengthRow, ...] = (
    *_two_players(),
    *_more_players(),
    *_levels(),
    *_swaps(),
    *_calibrations(),
    *_duels(),
)
"""Every figure; a name stands for one row."""
