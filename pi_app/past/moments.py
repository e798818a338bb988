"""A player's moments: mistakes in finished games, asked again after days.

A moment holds the position before the move, as the tags of a record, and the tokens. So it can be
asked even after its game was deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any

from engines.game import AnyPosition, Step, attempt
from engines.notation import Fault
from engines.record import begin_game
from pi_app.past.times_tables import INTERVAL_LIMIT_DAYS, Practice, answered, read_progress, row_of
from pi_app.store import Reader, Store
from pi_app.table.players import MOMENTS, people_of
from pi_app.table.table import Table
from pi_app.texts.printable import printable_json

if TYPE_CHECKING:
    from fsrs import Scheduler

    from ai.evaluation import Evaluation, Mistake

MOST = 24
"""How many moments of a player are kept; the best known ones go first."""
ROUND = 10
"""The most moments that are asked in one go."""
GAME_LIMIT = 30
"""How many of a player's games are remembered as searched."""
_GAMES = "games"
_KEPT_TAGS = ("Game", "Players", "Board", "BoardData", "Rules")
"""The tags of a game that its positions need."""
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Moment:
    """A stored moment: a move of a game, and the answers to it so far.

    `slot` is the number of its row, `tags` begin a game with the position before the move. `right`
    are the tokens that count as right, the best first, `lost` is the best move's chance minus the
    played one's, 0 to 1; `reasons` are those for the best move.
    """

    slot: int
    game: int
    move: int
    tags: Mapping[str, str]
    played: str
    right: tuple[str, ...]
    lost: float
    reasons: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    progress: Practice | None = None

    def is_due(self, now: datetime) -> bool:
        """Tell whether to ask it now, because it is new or due again."""
        return self.progress is None or self.progress.due <= now.timestamp()

    def is_same(self, other: Moment) -> bool:
        """Tell whether both are the same question about the same move."""
        return (self.move, self.tags, self.played) == (other.move, other.tags, other.played)


@dataclass(frozen=True, slots=True)
class MomentQuestion:
    """A moment on the board: its table, which stores nothing, and its moves as steps."""

    moment: Moment
    table: Table
    played: Step
    right: tuple[Step, ...]

    @property
    def best(self) -> Step:
        return self.right[0]

    def is_right(self, step: Step) -> bool:
        """Tell whether a move counts as equally good as the best one."""
        return any(step.after == each.after for each in self.right)


def question_of(moment: Moment) -> MomentQuestion | None:
    """Return a moment as a question; None if its game is not installed or has other rules now."""
    try:
        game, before = begin_game(moment.tags)
    except Fault:
        return None
    played = attempt(before, moment.played)
    right = [attempt(before, token) for token in moment.right]
    steps = tuple(step for step in right if isinstance(step, Step))
    if not isinstance(played, Step) or not steps or len(steps) != len(right):
        return None
    return MomentQuestion(moment, Table(None, 0, moment.tags, game, before), played, steps)


def due_moments(moments: Iterable[Moment], now: datetime, game: int | None = None) -> list[Moment]:
    """Return the moments to ask now, of all games or of one, at most ROUND.

    First repeated ones, the longest due first, then new ones in the order of play.
    """
    due = [each for each in moments if each.is_due(now) and game in (None, each.game)]

    def when(moment: Moment) -> tuple[float, int, int]:
        due = float("inf") if moment.progress is None else moment.progress.due
        return due, moment.game, moment.move

    return sorted(due, key=when)[:ROUND]


def days_until_next(moments: Iterable[Moment], now: datetime) -> int | None:
    """Return the days until the next moment is due, at least 1; None if there is no next one."""
    dues = [each.progress.due for each in moments if each.progress and not each.is_due(now)]
    return ceil((min(dues) - now.timestamp()) / _DAY_S) if dues else None


# --- in the store


def moments_of(store: Reader, name: str) -> list[Moment]:
    """Return a player's moments; none for an unknown player. Unreadable ones are left out."""
    return _moments_in(store.recall_under(f"{MOMENTS}{name}/"))


def _moments_in(rows: Mapping[str, str]) -> list[Moment]:
    found = (_read(slot, rows.get(str(slot), "")) for slot in range(MOST))
    return [moment for moment in found if moment is not None]


def games_looked_through(store: Reader, name: str) -> list[int]:
    """Return the latest games that gave this player moments."""
    return _games_in(store.recall(f"{MOMENTS}{name}/{_GAMES}"))


def _games_in(text: str | None) -> list[int]:
    try:
        return [int(game) for game in json.loads(text or "[]")]
    except (ValueError, TypeError, RecursionError):
        return []


def take_moments(store: Store, table: Table, evaluation: Evaluation) -> None:
    """Store the moments of all people who played this game, in one transaction.

    Nothing is written if they are stored already. Unchanged moments keep their progress; moments
    that a correction removed are forgotten.
    """
    befores = [table.start, *(step.after for step in table.steps)]
    people = people_of(store, table.id, table.start.players)
    rows: dict[str, str] = {}
    for seat, player in enumerate(table.start.players):
        if player.name in people:
            mistakes = [each for each in evaluation.moments if each.seat == seat]
            moments = [
                moment
                for each in mistakes
                if (moment := _moment_of(table, befores[each.move - 1], each)) is not None
            ]
            rows |= _rows_with(store, player.name, table.id, moments)
    if rows:
        store.remember_all(rows)


def _moment_of(table: Table, before: AnyPosition, mistake: Mistake) -> Moment | None:
    """Return a mistake as a moment; None if its position cannot be written as tags."""
    tags = {tag: table.tags[tag] for tag in _KEPT_TAGS if tag in table.tags}
    tags |= {"Position": before.describe(), "Start": before.players[before.seat].name}
    try:
        _, again = begin_game(tags)
    except Fault:
        return None
    if again != before:
        return None
    played = table.steps[mistake.move - 1].token
    facts = (table.id, mistake.move, tags, played, mistake.right, mistake.lost, mistake.reasons)
    return Moment(-1, *facts)


def _rows_with(store: Reader, name: str, game: int, moments: Sequence[Moment]) -> dict[str, str]:
    """Return the rows to change when a game gets these moments."""
    prefix = f"{MOMENTS}{name}/"
    before = store.recall_under(prefix)
    stored = _moments_in(before)
    after = {each.slot: each for each in stored if each.game != game}
    own = [each for each in stored if each.game == game]
    new = []
    for moment in moments:
        same = next((each for each in own if each.is_same(moment)), None)
        if same is None:
            new.append(moment)
        else:
            after[same.slot] = replace(moment, slot=same.slot, progress=same.progress)
    for moment in new:
        if len(after) == MOST:
            known_best = max((each for each in after.values() if each.game != game), key=_known)
            del after[known_best.slot]
        slot = next(slot for slot in range(MOST) if slot not in after)
        after[slot] = replace(moment, slot=slot)
    rows = {str(slot): _text(after[slot]) if slot in after else "" for slot in range(MOST)}
    games = [each for each in _games_in(before.get(_GAMES)) if each != game]
    rows[_GAMES] = json.dumps([*games, game][-GAME_LIMIT:])
    changed = {part: text for part, text in rows.items() if text != before.get(part, "")}
    return {prefix + part: text for part, text in changed.items()}


def _known(moment: Moment) -> tuple[int, int]:
    """Return the sort key of the moment to drop first: due last, played first."""
    return 0 if moment.progress is None else moment.progress.due, -moment.game


def store_answer(store: Store, name: str, moment: Moment, now: datetime, *, right: bool) -> Moment:
    """Store an answer; it is on the disk when this returns. Return the moment after it.

    It is added to answers given elsewhere meanwhile. A moment that is no longer stored, for
    instance of a forgotten player, stays as it is.
    """
    same = (each for each in moments_of(store, name) if each.game == moment.game)
    current = next((each for each in same if each.is_same(moment)), None)
    if current is None:
        return moment
    after = replace(current, progress=answered(_scheduler(), current.progress, now, right=right))
    store.remember(f"{MOMENTS}{name}/{after.slot}", _text(after))
    return after


def forget_moments(store: Store, name: str) -> None:
    """Delete a player's moments."""
    prefix = f"{MOMENTS}{name}/"
    parts = [part for part, text in store.recall_under(prefix).items() if text]
    own = [part for part in parts if part == _GAMES or part.isdecimal()]
    if own:
        store.remember_all({prefix + part: "" for part in own})


@cache
def _scheduler() -> Scheduler:
    """Return the scheduler. A moment is asked once a day at most, so it has no steps of minutes."""
    from fsrs import Scheduler

    return Scheduler(
        learning_steps=(),
        relearning_steps=(),
        enable_fuzzing=False,
        maximum_interval=INTERVAL_LIMIT_DAYS,
    )


def _text(moment: Moment) -> str:
    """Return the row of a moment."""
    row = {
        "game": moment.game,
        "move": moment.move,
        "tags": dict(moment.tags),
        "played": moment.played,
        "right": moment.right,
        "lost": moment.lost,
        "reasons": moment.reasons,
        "progress": None if moment.progress is None else row_of(moment.progress),
    }
    return json.dumps(row, separators=(",", ":"))


def _read(slot: int, text: str) -> Moment | None:
    """Return the moment of a row; None if it is unreadable."""
    if not text:
        return None
    try:
        row = printable_json(text)
        tags = {str(tag): str(value) for tag, value in row["tags"].items()}
        reasons = tuple((str(code), dict(facts)) for code, facts in row["reasons"])
        right = tuple(map(str, row["right"]))
        numbers = int(row["game"]), int(row["move"])
        lost = float(row["lost"])
        progress = row["progress"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    asked = None if progress is None else read_progress(progress)
    if not right or not 0 <= lost <= 1 or (asked is None and progress is not None):
        return None
    return Moment(slot, *numbers, tags, str(row["played"]), right, lost, reasons, asked)
