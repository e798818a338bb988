"""How long a code is good, and when it is closed: with a clock of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from club.evening.joining import (
    CLOSED_S,
    MOST_WRONG,
    MOST_WRONG_OF_ALL,
    OPEN_S,
    JoinError,
    join,
    open_joining,
)
from tests.club.judging.desk import Desk


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def attempt(desk: Desk, code: str, clock: Clock, where: str = "192.0.2.7") -> str:
    """Return "joined", or why not."""
    with desk.database.write() as writing:
        joined = join(writing, code, where, clock)
    return joined.code if isinstance(joined, JoinError) else "joined"


def test_a_code_is_good_for_many_tables_and_half_an_hour(tmp_path: Path, clock: Clock) -> None:
    desk = Desk(tmp_path, tables=0)
    with desk.database.write() as writing:
        code = open_joining(writing, "organiser", clock)
    assert [attempt(desk, code, clock) for _ in range(3)] == ["joined"] * 3
    clock.now += OPEN_S + 1
    assert attempt(desk, code, clock) == "not-open"


def test_after_a_minute_a_code_is_good_again_for_five_more(tmp_path: Path, clock: Clock) -> None:
    desk = Desk(tmp_path, tables=0)
    with desk.database.write() as writing:
        code = open_joining(writing, "organiser", clock)
    wrong = "x" + code[1:]
    assert [attempt(desk, wrong, clock) for _ in range(6)] == ["wrong"] * 5 + ["closed"]
    clock.now += CLOSED_S - 1
    assert attempt(desk, code, clock) == "closed"
    clock.now += 2
    assert attempt(desk, wrong, clock) == "wrong"
    assert attempt(desk, code, clock) == "joined"
    assert [attempt(desk, wrong, clock) for _ in range(5)] == ["wrong"] * 4 + ["closed"]
    with desk.database.write() as writing:
        code = open_joining(writing, "organiser", clock)
    assert attempt(desk, code, clock) == "joined", "a new code begins anew"


def test_whoever_guesses_keeps_no_other_address_from_joining(tmp_path: Path, clock: Clock) -> None:
    desk = Desk(tmp_path, tables=0)
    with desk.database.write() as writing:
        code = open_joining(writing, "organiser", clock)
    guessers = [f"192.0.2.{number}" for number in range(1, 9)]
    for _ in range(MOST_WRONG):
        assert {attempt(desk, "x", clock, each) for each in guessers} == {"wrong"}
    assert {attempt(desk, code, clock, each) for each in guessers} == {"closed"}
    assert attempt(desk, code, clock, "198.51.100.1") == "joined"


def test_all_guesses_together_have_a_bound(tmp_path: Path, clock: Clock) -> None:
    """However many addresses somebody has, a code is not found within its half hour."""
    desk = Desk(tmp_path, tables=0)
    with desk.database.write() as writing:
        code = open_joining(writing, "organiser", clock)
    said = [attempt(desk, "x", clock, f"192.0.2.{number}") for number in range(200)]
    assert said.count("wrong") == MOST_WRONG_OF_ALL
    assert attempt(desk, code, clock, "198.51.100.1") == "closed"
    assert MOST_WRONG_OF_ALL * OPEN_S / CLOSED_S / 10 ** len(code) < 0.002
