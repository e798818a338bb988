"""The facts of each finished game that statistics count: who did what on which field.

Finding them takes a replay, so they are computed once per game and stored in the derived file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from engines.game import IllegalMoveError, SetupError
from engines.record import begin_game
from engines.replay import steps
from pi_app.past.outcomes import Outcome, outcome_of
from pi_app.store.archive import content_keys, find_game, finished_games
from pi_app.store.derived import Derived
from pi_app.store.store import Reader, StoredGame
from pi_app.table.default_names import companion_display_name
from pi_app.table.players import all_companions
from pi_app.table.presentation import PRESENTATIONS

KIND = "facts"
"""The kind of these values in the cache (`Derived`)."""
VERSION = 2
"""Raised when the facts change their meaning."""
AT_ONCE = 50
"""Games between two checks whether somebody waits."""

CellCounts = Mapping[str, int]
"""A count by the name of a cell in the game's picture."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What one player did in one game."""

    name: str
    colour: str
    won: bool
    points: int | None
    """None if the game was not settled by points."""
    reached: CellCounts
    """How often each cell was reached."""
    barred: CellCounts
    """How often each cell became barred to this player."""
    row: int
    """The length of the longest row; 0 for none."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What statistics count of one finished game."""

    game: str
    board: str
    """The tags that name its board, as `board_of` writes them; "" for the usual one."""
    reason: str
    moves: int
    minutes: int | None
    """None if the time is unknown, or too short for a game that was played."""
    starter: int
    """The index of the seat that moved first."""
    replayed: bool
    """Whether its moves could be replayed here: if not, its fields and rows are unknown."""
    seats: tuple[SeatFacts, ...]

    def name_companions(self, companions: Collection[str]) -> GameFacts:
        """Return these facts with the companion's seats named as the companion's."""
        if not companions:
            return self
        seats = (
            replace(seat, name=companion_display_name(seat.name))
            if seat.name in companions
            else seat
            for seat in self.seats
        )
        return replace(self, seats=tuple(seats))

    def as_bytes(self) -> bytes:
        """Return these facts as they are stored."""
        seats = [
            [seat.name, seat.colour, seat.won, seat.points, seat.reached, seat.barred, seat.row]
            for seat in self.seats
        ]
        parts = (self.board, self.reason, self.moves, self.minutes, self.starter, self.replayed)
        return json.dumps([self.game, *parts, seats], separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> GameFacts:
        """Read what `as_bytes` wrote."""
        game, board, reason, moves, minutes, starter, replayed, seats = json.loads(data)
        # a seat's values are in the order of the fields
        facts = tuple([SeatFacts(*seat) for seat in seats])
        return cls(game, board, reason, moves, minutes, starter, replayed, facts)


def every_game(
    store: Reader,
    derived: Derived,
    report_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Iterator[GameFacts]:
    """Yield the facts of every finished game, the earliest first.

    Facts that are not stored yet are computed and stored, but not if the store is damaged and may
    have lost a part of a game. `report_progress` is called before every few games with the numbers
    of games done and of all games; it may raise to stop.
    """
    games, bot_seats = finished_games(store), all_companions(store)
    for first in range(0, len(games), AT_ONCE):
        batch = games[first : first + AT_ONCE]
        report_progress(first, len(games))
        keys = content_keys(store, batch)
        stored = derived.get_many(KIND, VERSION, keys.values())
        new: dict[str, bytes] = {}
        try:
            for number, game in enumerate(batch, first):
                # "": damage removed the game meanwhile
                key = keys.get(game, "")
                if key in stored:
                    yield GameFacts.from_bytes(stored[key]).name_companions(bot_seats.get(game, ()))
                    continue
                report_progress(number, len(games))  # a replay takes long
                facts = facts_of(store, game)
                if facts is not None:
                    yield facts.name_companions(bot_seats.get(game, ()))
                    if facts.replayed:  # else its game may be installed tomorrow
                        new[key] = facts.as_bytes()
        finally:  # also after a stop, so that they are there next time
            if new and store.whole:
                derived.put_many(KIND, VERSION, new)


def facts_of(store: Reader, game: int) -> GameFacts | None:
    """Return the facts of a finished game; None if it does not exist or is not over."""
    entry = find_game(store, game)
    if entry is None or entry.result is None:
        return None
    try:
        stored = store.load(game)
    except KeyError:
        return None
    outcome = outcome_of(entry, len(stored.tokens))
    seats = range(len(outcome.placings))
    reached: list[Counter[str]] = [Counter() for _ in seats]
    barred: list[Counter[str]] = [Counter() for _ in seats]
    rows = [0 for _ in seats]
    replayed = _count_feats(stored, reached, barred, rows)
    starters = [seat for seat, placing in enumerate(outcome.placings) if placing.starts]
    return GameFacts(
        outcome.entry.game,
        board_of(outcome.entry.tags),
        outcome.reason,
        len(stored.tokens),
        _minutes(outcome),
        starters[0] if starters else 0,
        replayed,
        tuple(
            SeatFacts(
                placing.name,
                placing.colour,
                placing.won,
                placing.points,
                reached[seat],
                barred[seat],
                rows[seat],
            )
            for seat, placing in enumerate(outcome.placings)
        ),
    )


def _minutes(outcome: Outcome) -> int | None:
    """Return how long a game took; None if it was keyed within a minute, so not played."""
    minutes = outcome.minutes
    return minutes if minutes is not None and minutes > 1 else None


def _count_feats(
    stored: StoredGame,
    reached: list[Counter[str]],
    barred: list[Counter[str]],
    rows: list[int],
) -> bool:
    """Replay a game and count into the lists, by seat; return whether it can be replayed."""
    presentation = PRESENTATIONS.get(stored.tags.get("Game", ""))
    if presentation is None:
        return False
    try:
        _, before = begin_game(stored.tags)
        played = steps(before, stored.tokens)
    except (SetupError, IllegalMoveError):
        return False
    for step in played:
        seat, feats = before.seat, presentation.feats(before, step)
        reached[seat].update(feats.reached)
        for barred_seat, cell in feats.barred:
            barred[barred_seat][cell] += 1
        rows[seat] = max(rows[seat], feats.row)
        before = step.after
    return True


def board_of(tags: Mapping[str, str]) -> str:
    """Return the tags that name a game's board as one text, "" if there are none."""
    board = {name: tags[name] for name in ("Board", "BoardData") if name in tags}
    return json.dumps(board) if board else ""


def board_tags(board: str) -> dict[str, str]:
    """Return the tags from a text that `board_of` wrote."""
    return dict(json.loads(board)) if board else {}
