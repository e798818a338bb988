"""Replays the record of a result, as `beisitzer check` and `score` do."""

from __future__ import annotations

import time

from club.judging.reading import ReadResult
from engines.game import AnyPosition, Game, Result, Step, attempt
from engines.games import GAMES
from engines.notation import Fault
from engines.ranking import places
from engines.record import Reading, begin
from pi_app.link.contract import TIME

TOKEN_LIMIT = 20_000
"""Limit of a record's tokens; no game has so many moves."""
REPLAY_LIMIT_S = 2.0
"""Processor time that a replay may take."""


def fault(result: ReadResult) -> str | None:
    """Return why a result contradicts its record: `no-record`, `slow`, `record` ...

    `version` is for a result of a newer contract, until a newer hub judges it.
    """
    if result.newer:
        return "version"
    if result.game not in GAMES:
        return "unknown-game"
    if result.record is None:
        return "no-record"
    began = time.thread_time()
    try:
        reading = Reading(result.record)
        if reading.tags.get("Game") != result.game or reading.count > TOKEN_LIMIT:
            return "record"
        game, position = begin(reading)
        for _, token in reading.moves():
            step = attempt(position, token)
            if not isinstance(step, Step):
                return "record"
            position = step.after
            if time.thread_time() - began > REPLAY_LIMIT_S:
                return "slow"
    except (Fault, RecursionError):
        return "record"
    end = _result(game, position, moves=reading.count, reason=result.reason)
    return None if end is not None and _agrees(result, position, end) else "record"


def _result(game: Game, end: AnyPosition, *, moves: int, reason: str | None) -> Result | None:
    """Return the game's result; None if it is neither over nor settled."""
    if end.result is not None:
        return end.result
    if reason == TIME:
        return game.score(end) if game.score is not None else Result((), TIME)
    return game.score(end) if game.score is not None and not moves else None


def _agrees(result: ReadResult, end: AnyPosition, computed: Result) -> bool:
    names = [player.name for player in end.players]
    if len(names) != len(result.seats):
        return False
    ran_out = result.reason == TIME and end.result is None
    if (result.reason or "") != computed.reason and not ran_out:
        return False
    stated = [(seat.rank, seat.points, seat.won) for seat in result.seats]
    return stated == [tuple(place) for place in places(computed.as_json(), names)]
