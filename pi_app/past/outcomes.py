"""The outcome of each game: everybody's place, points and whether they won, without a replay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engines.ranking import Ranked, places
from engines.seating import player_pairs
from pi_app.store import DAY_ALONE, GameEntry, Reader
from pi_app.system.host import FIRST_YEAR
from pi_app.table.default_names import companion_display_name
from pi_app.table.players import companions_in

LONGEST = timedelta(hours=8)
"""A longer game was interrupted, so its playing time is unknown."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A player's result in a game. `rank` is 1 for winners, 0 while the game is not over.

    `points` is None if the game was not settled by points. `starts` is true for the player who
    moved first, `companion` for a seat that the companion played.
    """

    name: str
    colour: str
    starts: bool
    won: bool
    rank: int
    points: int | None
    companion: bool = False

    @property
    def display_name(self) -> str:
        """The name to show: it tells the companion from a person with the same name."""
        return companion_display_name(self.name) if self.companion else self.name


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one game; its placings are in the order of the seats.

    `moves` is the number of moves that count, None if they were not counted.
    """

    entry: GameEntry
    moves: int | None
    placings: tuple[Placing, ...]

    @property
    def named_entry(self) -> GameEntry:
        """The game's line of the history with the companion's seats named as the companion's."""
        names = {placing.name: placing.display_name for placing in self.placings}
        result = self.entry.result
        if result is not None:
            result = {**result, "winners": [names.get(name, name) for name in self.entry.winners]}
        players = tuple(names.get(name, name) for name in self.entry.players)
        return replace(self.entry, players=players, result=result)

    @property
    def reason(self) -> str:
        """How the game was decided, as in the record; "" while it is not over."""
        return str(self.entry.result.get("reason", "")) if self.entry.result else ""

    @property
    def minutes(self) -> int | None:
        """How long the game took, in minutes; None if unknown."""
        began, ended = moment(self.entry.began), moment(self.entry.ended or "")
        if began is None or ended is None or not timedelta() < ended - began <= LONGEST:
            return None
        return max(1, round((ended - began).total_seconds() / 60))


def moment(iso: str) -> datetime | None:
    """Parse a stored time, in this machine's zone if it names none; None if it cannot be parsed."""
    try:
        when = datetime.fromisoformat(iso)
        return when if when.tzinfo is not None else when.astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def knows_day(time: str) -> bool:
    """Tell whether a stored time has a real day, as an unset clock gives none.

    An imported record has a real day, at midnight.
    """
    return time >= str(FIRST_YEAR) or time.endswith(DAY_ALONE)


def outcomes(store: Reader, *, finished: bool = False) -> list[Outcome]:
    """Return the outcomes of all games, or only of finished ones, the earliest first."""
    games = reversed(store.list_games())
    return [
        outcome_in(entry, entry.moves)
        for entry in games
        if not finished or entry.result is not None
    ]


def outcome_of(
    entry: GameEntry, moves: int | None = None, bot_seats: Collection[str] = ()
) -> Outcome:
    """Return the outcome in a game's result; the companion played the `bot_seats`.

    Winners are ranked first, the others by points; equal ones share a place.
    """
    seats = [
        (name, colour)
        for name, colour in player_pairs(entry.tags.get("Players", ""))
        if colour  # an empty text gives one empty pair
    ]
    # without the tag the first seat begins
    first = entry.tags.get("Start") or (seats[0][0] if seats else "")
    names = [name for name, _ in seats]
    if entry.result is None:
        taken = [Ranked(0, None, won=False)] * len(seats)
    else:
        taken = places(entry.result, names)
    return Outcome(
        entry,
        moves,
        tuple(
            Placing(
                name, colour, name == first, place.won, place.rank, place.points, name in bot_seats
            )
            for (name, colour), place in zip(seats, taken, strict=True)
        ),
    )


def outcome_in(entry: GameEntry, moves: int | None = None) -> Outcome:
    """Return a stored game's outcome, including which seats the companion played."""
    return outcome_of(entry, moves, companions_in(entry))
