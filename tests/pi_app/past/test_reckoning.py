"""Evaluations are worked out in a process of their own, kept, and never in anybody's way."""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import Popen

import pytest

from ai.evaluation import Evaluation, Point
from engines.record import Record, parse
from pi_app.files.worker import Worker
from pi_app.past.evaluation import (
    MOST_MOVES,
    content_key,
    has_evaluation,
    store_evaluation,
    stored_evaluation,
)
from pi_app.past.reckoning import COMMAND, Evaluations, Reckoning
from pi_app.store.derived import Derived
from pi_app.store.store import StoredGame
from pi_app.table.table import Table
from tests.pi_app.pilot import at_once
from tests.stand_ins.waiting import wait_for

ENDING = parse(
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1@36; red 6@35 5@37"]\n3 6'
)
OTHER = parse(
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1 14 30; red 2 3 4"]\n12+12'
)
PLAIN = COMMAND[:-1]
"""The worker with everybody's priority: an idle one gets no time beside busy loops."""
STUCK = (sys.executable, "-c", "import sys, time; print(1, flush=True); time.sleep(600)")
NONE = (sys.executable, "-c", "")


def table_of(record: Record = ENDING) -> Table:
    stored = StoredGame(1, dict(record.tags), tuple(record.tokens), ())
    return Table.resume(None, stored)


def at_work() -> Worker:
    worker = Worker()
    worker.attach(at_once)
    return worker


def evaluations(derived: Derived, command: Sequence[str] = PLAIN) -> Evaluations:
    return Evaluations(derived, at_work(), command, 0)


def process_of(found: Reckoning) -> "Popen[str] | None":
    return None if found.job is None else found.job.process


def asked(evaluations: Evaluations, table: Table) -> Reckoning:
    found = evaluations.evaluate(table)
    assert found is not None
    return found


def ended(found: Reckoning) -> bool:
    process = process_of(found)
    return process is not None and process.poll() is not None


def canned(moves: int = 2) -> Evaluation:
    points = tuple(Point(at, (0.5, 0.5), (0.1, 0.1)) for at in range(moves + 1))
    return Evaluation(7, points, ())


def test_a_course_is_worked_out_by_another_process_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "games.db.derived"
    found = asked(evaluations(Derived(kept)), table_of())
    wait_for(lambda: found.over)
    assert found.evaluation is not None
    assert [point.move for point in found.evaluation.points] == [0, 1, 2]
    assert found.evaluation.points[-1].chances == (0, 1)
    assert found.done == 2
    again = asked(evaluations(Derived(kept), STUCK), table_of())
    wait_for(lambda: again.over)
    assert again.evaluation == found.evaluation


def test_a_worker_that_is_killed_leaves_the_course_unknown_until_it_is_asked_for_again() -> None:
    table, derived = table_of(), Derived(None)
    killed = evaluations(derived, STUCK)
    found = asked(killed, table)
    wait_for(lambda: found.done)
    process = process_of(found)
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: found.over)
    assert found.evaluation is None
    assert stored_evaluation(derived, found.key) is None
    assert asked(killed, table) is not found
    killed.leave()
    after = asked(evaluations(derived), table)
    wait_for(lambda: after.over)
    assert after.evaluation is not None


def test_another_game_or_the_end_of_it_all_ends_the_process() -> None:
    working = evaluations(Derived(None), STUCK)
    first = asked(working, table_of())
    wait_for(lambda: first.done)
    second = asked(working, table_of(OTHER))
    wait_for(lambda: ended(first))
    wait_for(lambda: second.done)
    working.leave()
    wait_for(lambda: ended(second))
    assert (first.over, second.over) == (True, True)


def test_what_is_left_before_it_began_starts_no_process() -> None:
    patient = Evaluations(Derived(None), at_work(), STUCK, 600)
    found = asked(patient, table_of())
    patient.leave()
    wait_for(lambda: found.over)
    assert process_of(found) is None


def test_the_same_game_is_asked_for_once() -> None:
    table = table_of()
    begun: list[Callable[[], None]] = []
    worker = Worker()
    worker.attach(at_once, begun.append)
    waiting = Evaluations(Derived(None), worker, STUCK, 0)
    assert asked(waiting, table) is asked(waiting, table)
    assert len(begun) == 1


@pytest.mark.parametrize(
    "worker",
    [
        ("/no/such/program",),
        NONE,
        (sys.executable, "-c", "print('{')"),
        (sys.executable, "-c", "print('{}')"),
        (sys.executable, "-c", "print('course')"),
        (sys.executable, "-c", "raise SystemExit(3)"),
    ],
    ids=["not there", "silent", "cut off", "empty", "nonsense", "failed"],
)
def test_a_worker_that_fails_is_nobodys_business(worker: Sequence[str]) -> None:
    derived = Derived(None)
    found = asked(evaluations(derived, worker), table_of())
    wait_for(lambda: found.over)
    assert found.evaluation is None
    assert stored_evaluation(derived, found.key) is None


def test_where_nothing_can_be_kept_the_course_is_found_for_the_moment(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = Derived(tmp_path / "file" / "games.db.derived")
    found = asked(evaluations(nowhere), table_of())
    wait_for(lambda: found.over)
    assert found.evaluation is not None


def test_without_room_for_it_nothing_waits() -> None:
    worker = Worker()
    worker.attach(at_once, lambda _: None)
    while worker.begin(lambda _: None, lambda _: None) is not None:
        pass
    assert asked(Evaluations(Derived(None), worker, STUCK, 0), table_of()).over


def test_a_glance_takes_nothing_from_what_is_worked_on() -> None:
    derived = Derived(None)
    working = evaluations(derived, STUCK)
    first = asked(working, table_of())
    other = working.glance(table_of(OTHER))
    assert other is not None
    assert other.evaluation is None
    assert working.glance(table_of()) is first
    store_evaluation(derived, other.key, canned(1))
    known = working.glance(table_of(OTHER))
    assert known is not None
    assert known.evaluation == canned(1)
    assert not first.over
    working.leave()


def test_a_glance_begins_the_work_where_nothing_else_is_worked_on() -> None:
    free = evaluations(Derived(None))
    found = free.glance(table_of())
    assert found is not None
    wait_for(lambda: found.over)
    assert found.evaluation is not None


def test_only_a_finished_game_with_ai_of_a_bearable_length_has_a_course() -> None:
    assert has_evaluation("numeri", 1, over=True)
    assert not has_evaluation("numeri", 1, over=False)
    assert not has_evaluation("numeri", 0, over=True)
    assert not has_evaluation("numeri", MOST_MOVES + 1, over=True)
    assert not has_evaluation("muehle", 20, over=True)
    assert not has_evaluation("halma", 20, over=True)


def test_a_key_tells_one_content_from_another_wherever_it_is_kept() -> None:
    key = content_key(ENDING.tags, ENDING.tokens)
    assert key == content_key({"Date": "2026-03-01", **ENDING.tags}, list(ENDING.tokens))
    assert key != content_key(ENDING.tags, ENDING.tokens[:1])
    assert key != content_key({**ENDING.tags, "Start": "Ben"}, ENDING.tokens)


def test_what_was_kept_and_reads_otherwise_is_unknown() -> None:
    derived = Derived(None)
    derived.put("course", 1, "key", json.dumps({"tries": 3}).encode())
    assert stored_evaluation(derived, "key") is None
