"""Debounce on bounce traces, ghosts, rollover, long presses, repeats, the encoder's edges."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.config import KeypadConfig
from hardware.inputs.contacts import Contact, Cross, Matrix, doubtful
from hardware.inputs.encoder import Quadrature
from hardware.inputs.keypad import keys_of
from hardware.keys import TIMES, Key, Times
from hardware.presses import Presses
from tests.hardware.rig_bench import Bench

RECORDED = Path(__file__).parent / "recorded_presses"
KEYS = keys_of(KeypadConfig())
AT = {key: cross for cross, key in KEYS.items()}
SCAN_S = 0.005


def trace(name: str) -> list[tuple[float, bool]]:
    """Return (seconds, conducts) of a trace: edges as a logic analyser lists them."""
    lines = (RECORDED / f"{name}.bounce").read_text().splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return [(int(us) / 1e6, level == "0") for us, level in pairs]


def sampled(edges: list[tuple[float, bool]], phase: float) -> Iterator[tuple[float, bool]]:
    """Yield what scans see, the first one `phase` seconds before the first edge."""
    for step in range(200):
        now = step * SCAN_S - phase
        level = False
        for at, conducts in edges:
            if at <= now:
                level = conducts
        yield now, level


@pytest.mark.parametrize("phase", [0.0, 0.0013, 0.0029, 0.0047])
@pytest.mark.parametrize(
    ("name", "presses"),
    [("membrane", 1), ("tactile", 1), ("worn", 1), ("arcade", 1), ("touch", 0), ("double", 2)],
)
def test_a_bounce_trace_is_heard_as_the_presses_it_was(
    name: str, presses: int, phase: float
) -> None:
    matrix = Matrix(KEYS, quiet_s=0.02)
    heard = []
    for now, conducts in sampled(trace(name), phase):
        heard += matrix.scan({AT[Key.D5]} if conducts else set(), now)
    assert heard == [Key.D5] * presses
    assert not matrix.busy


def test_without_debounce_the_traces_would_be_heard_too_often() -> None:
    matrix = Matrix(KEYS, quiet_s=0.0)
    heard = []
    for now, conducts in sampled(trace("worn"), 0.0):
        heard += matrix.scan({AT[Key.D5]} if conducts else set(), now)
    assert len(heard) > 1


def test_a_contact_counts_once_quiet_for_the_whole_time() -> None:
    contact = Contact(0.02)
    assert not contact.feed(0.0, closed=True)
    assert contact.changing
    assert not contact.feed(0.019, closed=True)
    assert not contact.feed(0.0195, closed=False)
    assert not contact.feed(0.03, closed=True)
    assert contact.feed(0.0501, closed=True)
    assert contact.closed


def press(bench: Bench, *keys: Key) -> None:
    for key in keys:
        bench.simulated.down(key)
    bench.wait(0.05)


def release(bench: Bench, *keys: Key) -> None:
    for key in keys:
        bench.simulated.up(key)
    bench.wait(0.05)


@pytest.mark.parametrize("one", [Key.D1, Key.STAR, Key.BACK])
@pytest.mark.parametrize("two", [Key.D5, Key.ENTER, Key.D3])
def test_any_two_keys_at_once_are_both_heard(bench: Bench, one: Key, two: Key) -> None:
    press(bench, one)
    press(bench, two)
    release(bench, one)
    release(bench, two)
    assert sorted(bench.heard) == sorted([one, two])


def test_three_corners_bring_no_ghost_and_the_third_key_is_heard_later(bench: Bench) -> None:
    press(bench, Key.D1)
    press(bench, Key.D2)
    press(bench, Key.D4)
    assert bench.heard == [Key.D1, Key.D2]
    release(bench, Key.D1)
    assert bench.heard == [Key.D1, Key.D2, Key.D4]
    release(bench, Key.D2, Key.D4)
    assert Key.D5 not in bench.heard


def test_three_keys_of_one_row_are_not_doubtful(bench: Bench) -> None:
    press(bench, Key.D1, Key.D2, Key.D3)
    assert sorted(bench.heard) == [Key.D1, Key.D2, Key.D3]


@given(st.sets(st.sampled_from(sorted(KEYS)), max_size=4))
def test_no_key_is_heard_that_is_not_pressed(pressed: set[Cross]) -> None:
    bench = Bench()
    press(bench, *(KEYS[cross] for cross in pressed))
    bench.wait(0.05)
    assert {AT[key] for key in bench.heard} <= pressed


def test_doubtful_is_the_rectangle_and_nothing_else() -> None:
    rectangle = {(0, 0), (0, 2), (3, 0), (3, 2)}
    assert doubtful(rectangle | {(1, 1)}) == rectangle
    assert doubtful({(0, 0), (0, 2), (3, 0)}) == set()


def test_a_long_press_noticed_only_on_release_is_still_long() -> None:
    presses = Presses()
    assert presses.down(Key.BACK, 0.0) == []
    assert presses.up(Key.BACK, TIMES.hold_s) == [Key.BACK_HELD]
    assert presses.up(Key.BACK, 2.0) == []


def test_up_and_down_repeat_and_nothing_else_does() -> None:
    presses = Presses(Times(repeat_after_s=0.5, repeat_every_s=0.1))
    assert presses.down(Key.UP, 0.0) == [Key.UP]
    assert presses.down(Key.D5, 0.0) == [Key.D5]
    assert presses.note_held(0.49) == []
    assert presses.note_held(0.5) == [Key.UP]
    assert presses.note_held(0.55) == []
    assert presses.note_held(0.6) == [Key.UP]
    assert presses.note_held(9.0) == [Key.UP]
    assert presses.up(Key.UP, 9.0) == []
    assert presses.note_held(20.0) == []


def test_repeat_can_be_switched_off() -> None:
    presses = Presses(Times(repeat_after_s=0))
    assert presses.down(Key.UP, 0.0) == [Key.UP]
    assert presses.note_held(100.0) == []
    assert presses.stuck == (Key.UP,)


RIGHT = [(True, False), (True, True), (False, True), (False, False)]


def turned(states: list[tuple[bool, bool]], steps: int = 4) -> list[int]:
    quadrature = Quadrature(steps)
    return [click for a, b in states if (click := quadrature.feed(a=a, b=b))]


def test_a_click_is_four_edges() -> None:
    assert turned(RIGHT * 3) == [1, 1, 1]
    left = [(b, a) for a, b in RIGHT]
    assert turned(left * 2) == [-1, -1]


@pytest.mark.parametrize(("steps", "clicks"), [(1, 4), (2, 2)])
def test_encoders_with_fewer_edges_in_a_click(steps: int, clicks: int) -> None:
    assert turned(RIGHT, steps) == [1] * clicks


@given(st.lists(st.integers(0, 3), max_size=6))
def test_bounce_on_any_edge_cancels_out(bounces: list[int]) -> None:
    states = [(False, False)]
    for at, state in enumerate(RIGHT):
        before = states[-1]
        states += [state, before] * (bounces[at] if at < len(bounces) else 0)
        states.append(state)
    assert turned(states) == [1]


def test_half_a_turn_and_back_is_no_click() -> None:
    assert turned([*RIGHT[:2], RIGHT[0], (False, False)]) == []


def test_an_edge_seen_too_late_does_not_lose_the_click() -> None:
    assert turned([RIGHT[0], RIGHT[1], (False, False), *RIGHT]) == [1, 1]
