"""Statistics of finished games: of each game, each player in it and each pair of players.

Unnamed seats ("Yellow") have no statistics of their own, but their games count for the game's.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations

from pi_app.past.facts import GameFacts, SeatFacts
from pi_app.table.default_names import is_default_name
from pi_app.view.frame import Curve

MOST_CURVES = 4
"""The most players in a chart: those with the most games."""
LATEST = 100
"""The most games in a chart: the latest ones."""
_COLOURS = ("yellow", "red", "green", "blue", "white", "pink")


@dataclass(slots=True)
class Streak:
    """Games won one after the other: now, and at most."""

    now: int = 0
    most: int = 0

    def add(self, *, won: bool) -> None:
        self.now = self.now + 1 if won else 0
        self.most = max(self.most, self.now)


@dataclass(slots=True)
class Length:
    """The length of games in moves, and in minutes for the `timed` games, where that is known."""

    games: int = 0
    moves: int = 0
    longest: int = 0
    timed: int = 0
    minutes: int = 0

    def add(self, facts: GameFacts) -> None:
        self.games += 1
        self.moves += facts.moves
        self.longest = max(self.longest, facts.moves)
        if facts.minutes is not None:
            self.timed += 1
            self.minutes += facts.minutes

    @property
    def average_moves(self) -> float:
        return self.moves / max(1, self.games)

    @property
    def average_minutes(self) -> float | None:
        """None if the time of no game is known."""
        return self.minutes / self.timed if self.timed else None


@dataclass(slots=True)
class FieldCounts:
    """How often cells of one board were reached, and became barred to somebody.

    `games` counts a game once for each of its seats.
    """

    games: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    barred: Counter[str] = field(default_factory=Counter)

    def add(self, seat: SeatFacts) -> None:
        self.games += 1
        for counter, counts in ((self.reached, seat.reached), (self.barred, seat.barred)):
            for cell, times in counts.items():  # a third of the time that `update` takes
                counter[cell] += times

    def join(self, other: FieldCounts) -> None:
        """Add the counts of another."""
        self.games += other.games
        self.reached.update(other.reached)
        self.barred.update(other.barred)


@dataclass(slots=True)
class PlayerStatistics:
    """One player in one game. `won_by` counts the reasons of the games won (row, points ...).

    `points` is the sum over the `settled` games, which were settled by points. `first` counts the
    games in which the player began, `won_first` those of them that were won. `row` is the longest
    row, 0 for none.
    """

    game: str
    player: str
    played: int = 0
    won: int = 0
    won_by: Counter[str] = field(default_factory=Counter)
    points: int = 0
    settled: int = 0
    first: int = 0
    won_first: int = 0
    row: int = 0
    streak: Streak = field(default_factory=Streak)
    length: Length = field(default_factory=Length)
    colours: Counter[str] = field(default_factory=Counter)
    boards: dict[str, FieldCounts] = field(default_factory=lambda: defaultdict(FieldCounts))
    won_at: deque[int] = field(default_factory=lambda: deque(maxlen=LATEST))
    """The numbers, from 1, of the game's latest games that were won."""

    @property
    def average(self) -> float | None:
        """The average points of games settled by points, or None."""
        return self.points / self.settled if self.settled else None

    def add(self, number: int, facts: GameFacts, seat: SeatFacts, *, first: bool) -> None:
        """Count one more game, the `number`th of all."""
        self.played += 1
        self.length.add(facts)
        self.streak.add(won=seat.won)
        self.colours[seat.colour] += 1
        self.first += first
        self.row = max(self.row, seat.row)
        if facts.replayed:
            self.boards[facts.board].add(seat)
        if seat.won:
            self.won += 1
            self.won_first += first
            self.won_by[facts.reason] += 1
            self.won_at.append(number)
        if seat.points is not None:
            self.points += seat.points
            self.settled += 1


@dataclass(slots=True)
class PairStatistics:
    """Two players of one game, in the order of their names.

    `won` and `streaks` have an item for each of `names`. Of `together` games as partners,
    `won_together` were won.
    """

    names: tuple[str, str]
    played: int = 0
    won: list[int] = field(default_factory=lambda: [0, 0])
    streaks: tuple[Streak, Streak] = field(default_factory=lambda: (Streak(), Streak()))
    together: int = 0
    won_together: int = 0

    def add(self, first: SeatFacts, second: SeatFacts) -> None:
        if first.colour == second.colour:  # partners
            self.together += 1
            self.won_together += first.won
            return
        self.played += 1
        for index, seat in enumerate((first, second)):
            self.won[index] += seat.won
            self.streaks[index].add(won=seat.won)


@dataclass(slots=True)
class GameStatistics:
    """One game. `decided` games were won by somebody, `first_won` of them by the player who began.

    `first_share` is how many that would be if it made no difference who begins.
    """

    game: str
    length: Length = field(default_factory=Length)
    reasons: Counter[str] = field(default_factory=Counter)
    decided: int = 0
    first_won: int = 0
    first_share: float = 0.0
    players: dict[str, PlayerStatistics] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairStatistics] = field(default_factory=dict)
    unnamed: dict[str, FieldCounts] = field(default_factory=lambda: defaultdict(FieldCounts))
    """The counts of unnamed seats, by board."""

    def add(self, facts: GameFacts) -> None:
        """Count one more game; games must come in order, the earliest first."""
        self.length.add(facts)
        self.reasons[facts.reason] += 1
        if any(seat.won for seat in facts.seats):
            self.decided += 1
            self.first_won += facts.seats[facts.starter].won
            # partners share a colour and win together
            self.first_share += 1 / len({seat.colour for seat in facts.seats})
        named_seats = []
        for index, seat in enumerate(facts.seats):
            if is_default_name(seat.name):
                if facts.replayed:
                    self.unnamed[facts.board].add(seat)
                continue
            named_seats.append(seat)
            player = self.players.get(seat.name)
            if player is None:
                player = self.players[seat.name] = PlayerStatistics(self.game, seat.name)
            player.add(self.length.games, facts, seat, first=index == facts.starter)
        for first_seat, second_seat in combinations(
            sorted(named_seats, key=lambda seat: seat.name), 2
        ):
            names = (first_seat.name, second_seat.name)
            pair = self.pairs.get(names)
            if pair is None:
                pair = self.pairs[names] = PairStatistics(names)
            pair.add(first_seat, second_seat)

    @property
    def boards(self) -> dict[str, FieldCounts]:
        """The counts of all seats, by board; a game counts once for each seat."""
        total: dict[str, FieldCounts] = defaultdict(FieldCounts)
        for boards in (self.unnamed, *(player.boards for player in self.players.values())):
            for board, fields in boards.items():
                total[board].join(fields)
        return total

    @property
    def ranking(self) -> list[PlayerStatistics]:
        """The players, the one with most wins first."""
        return sorted(
            self.players.values(), key=lambda player: (-player.won, -player.played, player.player)
        )

    @property
    def meetings(self) -> list[PairStatistics]:
        """The pairs, the one with most games first."""
        return sorted(
            self.pairs.values(), key=lambda pair: (-pair.played - pair.together, pair.names)
        )

    @property
    def longest_row(self) -> tuple[int, list[str]]:
        """The longest row of a named player and the names of those who had it; (0, []) if none."""
        longest = max((player.row for player in self.players.values()), default=0)
        return longest, sorted(
            name for name, player in self.players.items() if longest and player.row == longest
        )

    @property
    def best_streak(self) -> tuple[int, list[str]]:
        """The most games that a player won one after the other, and the names of those who did."""
        most = max((player.streak.most for player in self.players.values()), default=0)
        return most, sorted(
            name for name, player in self.players.items() if most and player.streak.most == most
        )


def statistics(games: Iterable[GameFacts]) -> list[GameStatistics]:
    """Count finished games, given in order; return statistics, of the most played game first."""
    games_by_name: dict[str, GameStatistics] = {}
    for facts in games:
        game = games_by_name.get(facts.game)
        if game is None:
            game = games_by_name[facts.game] = GameStatistics(facts.game)
        game.add(facts)
    return sorted(games_by_name.values(), key=lambda game: (-game.length.games, game.game))


def usual_board(boards: dict[str, FieldCounts]) -> tuple[str, FieldCounts]:
    """Return the most used board and its counts; ("", empty counts) without games."""
    if not boards:
        return "", FieldCounts()
    board = max(boards, key=lambda name: boards[name].games)
    return board, boards[board]


def favourites(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """Return the cells with the highest counts, equal ones in the order of their names."""
    # by length first, so that 9 comes before 10
    return sorted(counts.items(), key=lambda item: (-item[1], len(item[0]), item[0]))[:most]


def wins(game: GameStatistics, names: Sequence[str] = ()) -> tuple[Curve, ...]:
    """Return each player's number of wins over the latest games: these players or the busiest."""
    players = [game.players[name] for name in names if name in game.players]
    if not players:
        most = sorted(game.ranking, key=lambda player: -player.played)[:MOST_CURVES]
        # the busiest, but in the order of the ranking
        players = [player for player in game.ranking if player in most]
    games = game.length.games
    # the numbers of the latest games, which count from 1
    latest = range(games - min(games, LATEST) + 1, games + 1)
    colours: list[str] = []
    curves = []
    for player in players:
        usual = [colour for colour, _ in player.colours.most_common()]
        free = [colour for colour in (*usual, *_COLOURS) if colour not in colours]
        colours.append(free[0] if free else usual[0])
        won = set(player.won_at)
        score_history = accumulate((number in won for number in latest), initial=0)
        curves.append(Curve(player.player, colours[-1], tuple(score_history)))
    return tuple(curves)
