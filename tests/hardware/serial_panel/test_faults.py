"""Host and firmware on a line that does its worst: what arrives is what was pressed."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.panel.session import NO_SESSION, ROOM, Session
from hardware.keys import Key
from hardware.serial_panel.protocol import BODY_BYTES
from hardware.serial_panel.session import HostSession
from tests.hardware.serial_panel.wire import KEYS, STEP_MS, Buzzer, Press, Table

SILENCE_MS = 10_000
LATE_MS = 500
"""The slack for lines that the simulated line holds up, in milliseconds."""


def _keys(presses: Sequence[Press]) -> list[Key]:
    return [press.key for press in presses]


def _ages(heard: Sequence[Press], pressed: Sequence[Press]) -> list[int]:
    """Give how old each key was when it was heard, in milliseconds.

    ValueError if `heard` is not `pressed` with some left out, none added, none moved.
    """
    ages = []
    rest = list(pressed)
    for press in reversed(heard):
        while (last := rest.pop() if rest else None) is None or last.key is not press.key:
            if last is None:
                raise ValueError(f"{press} was never pressed, or arrived twice")
        ages.append(press.at - last.at)
    return ages


@pytest.mark.parametrize("seed", [4, 5, 6])
@pytest.mark.parametrize("ways", [("up", "down"), ("up",), ("down",)])
def test_after_a_long_outage_no_stale_key_arrives_and_none_twice(
    seed: int, ways: tuple[str, ...]
) -> None:
    table = Table(seed)
    for _ in range(25):
        table.settle()
        table.run(1_000)
        length = table.chance.randint(6_000, 15_000)
        for way in ways:
            getattr(table, way).outages = [(table.now, table.now + length)]
        for _ in range(length // 700):
            table.tap()
            table.run(700)
        table.settle()
    for session in {press.session for press in table.heard}:
        heard = [press for press in table.heard if press.session == session]
        pressed = [press for press in table.pressed if press.session == session]
        assert max(_ages(heard, pressed)) <= SILENCE_MS + LATE_MS
    assert len(table.heard) > 30


def test_a_killed_companion_finds_the_panel_again_within_a_second() -> None:
    table = Table(seed=9, damage=0)
    table.settle()
    table.press(Key.D1, 80)
    table.run(500)
    table.start_host()
    table.run(1_000)
    assert table.joined
    table.press(Key.D2, 80)
    table.run(500)
    assert _keys(table.heard) == [Key.D1, Key.D2]


def test_a_restarted_panel_is_found_again_within_two_seconds() -> None:
    table = Table(seed=10, damage=0)
    table.settle()
    table.press(Key.MENU, 5_000)
    table.run(500)
    table.start_panel()
    table.run(2_000)
    assert table.joined
    table.press(Key.D2, 80)
    table.run(6_000)
    assert _keys(table.heard) == [Key.D2]


def test_a_key_stuck_on_the_panel_is_known_and_heard_no_more_until_it_is_released() -> None:
    table = Table(seed=14, damage=0)
    table.settle()
    table.press(Key.UP, 14_000)
    table.run(11_000)
    assert table.listener.stuck == (Key.UP,)
    heard = len(table.heard)
    assert heard > 60
    table.press(Key.D5, 80)
    table.run(2_000)
    assert _keys(table.heard[heard:]) == [Key.D5]
    table.run(2_000)
    assert not table.listener.stuck


@pytest.mark.parametrize("seed", range(3))
def test_a_tap_is_never_heard_as_held_or_repeated_on_a_bad_line(seed: int) -> None:
    table = Table(seed, damage=0.2)
    table.settle()
    for _ in range(300):
        table.press(table.chance.choice((Key.UP, Key.DOWN, Key.BACK, Key.MENU)), 60)
        table.run(table.chance.randint(400, 900))
    table.settle()
    assert _keys(table.heard) == _keys(table.pressed)


@pytest.mark.parametrize("seed", [11, 12])
def test_floods_of_keys_are_dropped_whole_and_with_a_beep(seed: int) -> None:
    table = Table(seed)
    table.settle()
    table.outage(4_000)
    for i in range(100):
        table.press(KEYS[i % 10], 20)
        table.run(30)
    kept = len(table.pressed)
    assert kept == ROOM // 2
    assert table.buzzer.bad == 100 - kept
    table.run(2_000)
    table.settle()
    table.press(Key.ENTER, 80)
    table.settle()
    assert _keys(table.heard) == _keys(table.pressed)


JUNK = st.one_of(
    st.binary(max_size=400),
    st.lists(
        st.sampled_from([b"@", b"*", b"\n", b"\r\n", b"@PING 7*D339\n", b"KEY", b"\xff", b"A" * 99])
    ).map(b"".join),
)


@given(st.lists(JUNK, max_size=20))
@settings(max_examples=150, deadline=None)
def test_junk_stops_neither_side_and_fills_no_memory(chunks: list[bytes]) -> None:
    host, panel = HostSession(), Session(Buzzer())
    now = 0
    for chunk in chunks:
        now += 1_700
        host.receive(chunk, now / 1000)
        panel.receive(chunk, now)
        assert len(host.tick(now / 1000)) < 1_000
        assert len(panel.tick(now)) < 400 + 20 * len(chunk)
        assert len(host._reader._open) <= 2 * BODY_BYTES
    host.receive(b"\n", now / 1000)
    panel.receive(b"\n", now)
    for _ in range(100):
        now += STEP_MS
        panel.receive(host.tick(now / 1000), now)
        host.receive(panel.tick(now), now / 1000)
    assert host.joined
    assert panel.session == host.session != NO_SESSION


def test_a_megabyte_of_noise_is_read_through_at_once() -> None:
    noise = random.Random(13).randbytes(1_000_000)
    host = HostSession()
    assert host.receive(noise, 0.0) == []
    assert host.dropped > 0
