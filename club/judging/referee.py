"""Replays the record of a result, as `beisitzer check` and `score` do."""

from __future__ import annotations

from club.judging.reading import ReadEvent
from engines.game import AnyPosition, Game, Result
from engines.games import GAMES
from engines.record import Reading, RecordError, begin
from engines.replay import Step, attempt
from pi_app.link.contract import placings

MOST_TOKENS = 20_000
"""Tokens of a record; longer ones would keep others waiting, and no game has so many moves."""
TIME = "time"
"""The reason of a game that ended because its round did."""


def fault(event: ReadEvent, record: str) -> str | None:
    """Return `unknown-game` or `record` if the record does not say what the result says."""
    if event.game not in GAMES:
        return "unknown-game"
    try:
        reading = Reading(record)
        if reading.tags.get("Game") != event.game or reading.count > MOST_TOKENS:
            return "record"
        game, position = begin(reading)
    except (RecordError, RecursionError):
        return "record"
    for _, token in reading.moves():
        step = attempt(position, token)
        if not isinstance(step, Step):
            return "record"
        position = step.after
    result = _result(game, position, moves=reading.count, reason=event.reason)
    return None if result is not None and _agrees(event, position, result) else "record"


def _result(game: Game, end: AnyPosition, *, moves: int, reason: str) -> Result | None:
    """Return how the game ended; None if it is not over, and was not only settled either."""
    if end.result is not None:
        return end.result
    if reason == TIME:
        return game.score(end) if game.score is not None else Result((), TIME)
    return game.score(end) if game.score is not None and not moves else None


def _agrees(event: ReadEvent, end: AnyPosition, result: Result) -> bool:
    names = [player.name for player in end.players]
    if len(names) != len(event.seats):
        return False
    ran_out = event.reason == TIME and end.result is None
    if event.reason != result.reason and not ran_out:
        return False
    stated = [{"rank": s.rank, "points": s.points, "won": s.won} for s in event.seats]
    return stated == placings(result.as_json(), names)
