"""How each game came out: everybody's place, points and whether they won, without a replay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engines.seating import player_pairs
from pi_app.store.archive import GameEntry, games_with_moves
from pi_app.store.store import Reader
from pi_app.table.default_names import companion_called
from pi_app.table.players import all_companions, called_in

LONGEST = timedelta(hours=8)
"""What took longer lay on the shelf in between: nobody knows how long it was played."""


@dataclass(frozen=True, slots=True)
class Placing:
    """How somebody came out of a game. `rank` is 1 for winners, 0 while the game is not over.

    `points` are those the game was settled by, None where it was not. `starts` tells who moved
    first, `companion` that it was the companion.
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
        """What it is called beside people: the companion is nobody's namesake."""
        return companion_called(self.name) if self.companion else self.name


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game as it came out; its placings in the order of the seats.

    `moves` are those that count, None where nobody counted them.
    """

    entry: GameEntry
    moves: int | None
    placings: tuple[Placing, ...]

    @property
    def reason(self) -> str:
        """How it was decided, as in the record; "" while it goes on."""
        return str(self.entry.result.get("reason", "")) if self.entry.result else ""

    @property
    def minutes(self) -> int | None:
        """How long it took, in minutes; None where that is not known."""
        began, ended = moment(self.entry.began), moment(self.entry.ended or "")
        if began is None or ended is None or not timedelta() < ended - began <= LONGEST:
            return None
        return max(1, round((ended - began).total_seconds() / 60))


def moment(iso: str) -> datetime | None:
    """Return a time of the store with its zone (this machine's, if it names none), else None."""
    try:
        when = datetime.fromisoformat(iso)
        return when if when.tzinfo is not None else when.astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def outcomes(store: Reader, *, finished: bool = False) -> list[Outcome]:
    """Return the games of the history, or those only that are over, the earliest first."""
    games, bot_seats = games_with_moves(store, finished=finished), all_companions(store)
    return [outcome_of(entry, moves, bot_seats.get(entry.id, ())) for entry, moves in games]


def outcome_of(
    entry: GameEntry, moves: int | None = None, companions: Collection[str] = ()
) -> Outcome:
    """Return how a game came out as its result says; the companion played the `companions`."""
    seats = [
        (name, colour) for name, colour in player_pairs(entry.tags.get("Players", "")) if colour
    ]
    first = entry.tags.get("Start") or (seats[0][0] if seats else "")
    points = _points(entry, [name for name, _ in seats])
    ranks = _ranks(entry, points, [name for name, _ in seats])
    return Outcome(
        entry,
        moves,
        tuple(
            Placing(
                name,
                colour,
                name == first,
                name in entry.winners,
                ranks[name],
                points.get(name),
                name in companions,
            )
            for name, colour in seats
        ),
    )


def _points(entry: GameEntry, names: Iterable[str]) -> Mapping[str, int]:
    """Return the points that a game was settled by; none for a game that was not."""
    points = entry.result.get("points") if entry.result else None
    if not isinstance(points, dict):
        return {}
    return {name: points[name] for name in names if isinstance(points.get(name), int)}


def _ranks(entry: GameEntry, points: Mapping[str, int], names: list[str]) -> Mapping[str, int]:
    """Return everybody's place: winners first, the others by points, equal ones share a place."""
    if entry.result is None:
        return dict.fromkeys(names, 0)
    worth = {name: (name in entry.winners, points.get(name, 0)) for name in names}
    return {name: 1 + sum(other > mine for other in worth.values()) for name, mine in worth.items()}


def name_companions(store: Reader, entry: GameEntry) -> GameEntry:
    """Return a game's line of the history with the companion's seats called so."""
    display_name = called_in(store, entry.id)
    result = entry.result
    if result is not None:
        result = {**result, "winners": [display_name(name) for name in entry.winners]}
    return replace(entry, players=tuple(map(display_name, entry.players)), result=result)
