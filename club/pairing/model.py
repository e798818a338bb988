"""Values for pairing and standings: people, tables of a round, results.

A person is their id in the club (`p` in the contract, such as "p17"); names are not used here, so
two people may share one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Mode = Literal["free", "round-robin", "swiss", "tables"]
"""How an evening's rounds are paired."""


@dataclass(frozen=True, slots=True)
class Seating:
    """One table of a round: its people, seat 1 first, who has the first move.

    `absent` are people who were seated and never came: nobody has met them here.
    """

    people: tuple[str, ...]
    game: str = ""
    """The game to play, "" if the evening has only one or leaves it open."""
    absent: frozenset[str] = frozenset()

    @property
    def present(self) -> tuple[str, ...]:
        """The people who played, in the order of their seats."""
        return tuple(person for person in self.people if person not in self.absent)

    def meetings(self) -> Iterator[frozenset[str]]:
        """Yield each pair of people who met at this table."""
        yield from map(frozenset, combinations(self.present, 2))


@dataclass(frozen=True, slots=True)
class Round:
    """A round as paired or played; people in neither list were absent."""

    number: int
    """From 1; rounds need not be contiguous."""
    tables: tuple[Seating, ...]
    byes: tuple[str, ...] = ()
    """People who were present and sat out."""

    @property
    def everybody(self) -> tuple[str, ...]:
        """Everybody who was present."""
        return (*(p for table in self.tables for p in table.people), *self.byes)


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """All input for the next round: the same request always gives the same round."""

    number: int
    """The round's number, 1 or more."""
    people: tuple[str, ...]
    """The people present now."""
    history: tuple[Round, ...] = ()
    """All earlier rounds, in any order. They may name people who have left."""
    results: tuple["TableResult", ...] = ()
    """Counted results. Only `swiss` reads them."""
    per_table: int = 4
    """People at a table, 2 to 4."""
    rounds: int = 0
    """How many rounds are planned; 0 if that is open."""
    seed: int | str = 0
    """The seed of chance; an evening's id gives the same people other tables than last week."""
    games: tuple[str, ...] = ()
    """The evening's games; people get those they have played least."""
    roster: tuple[str, ...] = ()
    """Everybody of the evening by start number, present or not.

    Round robin uses it; () means `people`.
    """


@dataclass(frozen=True, slots=True)
class Scored:
    """One seat of a result. `p` is None for a guest without a number, who still takes a place."""

    p: str | None
    rank: int
    """1 or more; people with a shared rank have the same number, and so do members of a team."""
    won: bool | None = None
    """Whether the game says that they won; None derives it from the ranks."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A counted result: the seats in order, seat 1 had the first move."""

    round: int | None
    """None for a free game."""
    game: str
    seats: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's content: rounds with their seats, counted results, presence."""

    rounds: tuple[Round, ...] = ()
    results: tuple[TableResult, ...] = ()
    presence: tuple[tuple[int, str, bool], ...] = ()
    """(round, person, whether they are present from that round on), by round."""

    def present(self, people: Sequence[str], number: int) -> tuple[str, ...]:
        """Return the people present in a round: all, unless the sheet says no."""
        last = {p: there for first, p, there in self.presence if first <= number}
        return tuple(p for p in people if last.get(p, True))


class PairingError(Exception):
    """A round that cannot be paired: a code and facts, no sentence.

    Codes: `too-few` (n), `few-teams` (n), `all-met`; each has its `round`, too.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, object] = facts
