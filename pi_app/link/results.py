"""A finished game for a club's hub, and the note on a game that belongs to a hub."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Annotated, Any

from engines.anonymous import anonymous
from engines.ranking import places
from engines.record import Record, write
from engines.seating import player_pairs
from pi_app.link import contract
from pi_app.store import StoredGame
from pi_app.system.host import version
from pi_app.wire.messages import Count, Items, Message, Number, Whole, Word

log = logging.getLogger(__name__)

LONGEST_S = 24 * 3600
"""A longer game was interrupted, or the clock was set meanwhile."""


class ClubNote(Message):
    """The note on a game that began while the table belonged to a `hub`.

    Without an `evening` it is not sent. `people` are the numbers by seat of a game that was
    assigned; `sure`: the clock was right when it began. After this table's card was rolled back,
    the hub may hold higher revisions. Then revisions after `above` are numbered higher by `by`,
    this one by `was`.
    """

    hub: Word
    evening: contract.Short | None = None
    round: Count | None = None
    people: Annotated[tuple[contract.Short | None, ...], Items(contract.SEATS)] = ()
    sure: bool = True
    above: Annotated[int, Whole(-1)] = -1
    by: Number = 0
    was: Number = 0

    def sent(self, revision: int) -> int:
        """Return a revision's number at the hub."""
        shift = self.by if revision > self.above else self.was
        return min(revision + shift, contract.REVISION_LIMIT)


def result_of(
    game: StoredGame, note: ClubNote, revision: contract.RevisionNumber, *, names: bool
) -> dict[str, Any]:
    """Return the result of a game; with `names` also its people's names."""
    head = {"game_id": game.game_id, "revision": revision}
    if game.result is None:
        return {**head, "withdrawn": True}
    record = Record(game.tags, game.tokens)
    people = [name for name, _ in player_pairs(record.tags["Players"])]
    numbers = note.people or tuple(map(contract.person, people))
    seats = [
        {
            "seat": seat + 1,
            "p": numbers[seat] if seat < len(numbers) else None,
            **({"show": name} if names else {}),
            **place._asdict(),
        }
        for seat, (name, place) in enumerate(zip(people, places(game.result, people), strict=True))
    ]
    reason = game.result.get("reason")
    return {
        **head,
        "evening": note.evening,
        "round": note.round,
        "game": record.tags["Game"],
        "software": version()[:40],
        "began": _utc(game.began) if note.sure else None,
        "ended": _utc(game.ended) if note.sure else None,
        "lasted_s": _lasted_s(game),
        "clock": "sure" if note.sure else "unsure",
        "seats": seats,
        "reason": None if reason is None else str(reason)[:40],
        "record": _record_text(record if names else anonymous(record)),
    }


def _record_text(record: Record) -> str | None:
    """Return a record as text; None if it is too long or impossible."""
    try:
        text = write(record)
    except ValueError as error:
        log.warning("a game has no record: %s", error)
        return None
    return text if len(text.encode("utf-8", "replace")) <= contract.RECORD_LIMIT_BYTES else None


def _utc(when: str | None) -> str | None:
    """Return a stored time in the contract's form, None if it is unreadable."""
    try:
        moment = datetime.fromisoformat(when or "")
    except ValueError:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _lasted_s(game: StoredGame) -> int | None:
    """Return how long a game took by the clock, None if that is impossible."""
    try:
        began, ended = (datetime.fromisoformat(when or "") for when in (game.began, game.ended))
        seconds = round((ended - began).total_seconds())
    except (ValueError, TypeError):
        return None
    return seconds if 0 <= seconds <= LONGEST_S else None
