"""When what failed is tried again, at the rig and at the loop alike."""

import pytest

from hardware.errors import Backoff


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


def test_what_never_failed_is_due(clock: Clock) -> None:
    backoff = Backoff((1.0, 2.0), clock)
    assert backoff.due
    assert backoff.wait_s == 0.0


def test_pauses_follow_on_each_other_and_the_last_one_stays(clock: Clock) -> None:
    backoff, waits = Backoff((1.0, 2.0), clock), list[float]()
    for _ in range(4):
        backoff.note_failure()
        waits.append(backoff.wait_s)
        assert not backoff.due
        clock.now += backoff.wait_s
        assert backoff.due
    assert waits == [1.0, 2.0, 2.0, 2.0]


def test_a_hurried_pause_is_over_and_the_next_one_is_as_long_as_it_would_have_been(
    clock: Clock,
) -> None:
    backoff = Backoff((1.0, 2.0), clock)
    backoff.note_failure()
    backoff.hurry()
    assert backoff.due
    assert backoff.wait_s == 0.0
    backoff.note_failure()
    assert backoff.wait_s == 2.0


def test_what_works_again_begins_with_the_first_pause(clock: Clock) -> None:
    backoff = Backoff((1.0, 2.0), clock)
    backoff.note_failure()
    backoff.note_failure()
    backoff.note_success()
    assert backoff.due
    backoff.note_failure()
    assert backoff.wait_s == 1.0
