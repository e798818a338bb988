"""Each input port: which Key arrives for each gesture, short and held. A voice has no input.

What a port does besides (bounce, lost lines, several fingers) is proved by its own suite.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pygame
import pytest

from hardware.config import Devices, EncoderConfig, KeypadConfig, PadsConfig
from hardware.keys import DIAL_KEYS, HELD_KEYS, Key
from hardware.pads import PadCalls, PadPorts, Pads
from pi_app.displays.terminal_keys import Keyboard
from pi_app.displays.window import Look
from tests.docs.pages import ROOT
from tests.hardware.pads.fakes import FakeSource, change, keyboard
from tests.hardware.rig_bench import Bench
from tests.hardware.serial_panel import wire
from tests.pi_app.phones.client import table as phones_table
from tests.players.dial import encoder_settings, stick_settings
from tests.players.window import SAMPLES, Table

SHORT_S, LONG_S, STEP_S = 0.1, 0.7, 0.005
KEYPAD = [key for key in Key if key not in HELD_KEYS | DIAL_KEYS]
DICE = [key for key in KEYPAD if key.die]
HELD = {
    Key.BACK: [Key.BACK_HELD],
    Key.MENU: [Key.MENU_HELD],
    Key.PUSH: [Key.PUSH_HELD],
    Key.STICK_LEFT: [Key.STICK_LEFT_HELD],
    Key.STICK_RIGHT: [Key.STICK_RIGHT_HELD],
    **{key: [key] * 3 for key in (Key.UP, Key.DOWN, Key.STICK_UP, Key.STICK_DOWN)},
}
"""What arrives of a key held for `LONG_S`; every other key arrives once."""
Press = Callable[[Any, float], list[Key]]
"""Makes a gesture of so many seconds; returns the keys that arrive."""


@dataclass(frozen=True)
class Port:
    """A port, and the Key of each gesture at it."""

    open: Callable[[], AbstractContextManager[Press]]
    keys: Mapping[Any, Key]
    held: Mapping[Key, list[Key]] | None = field(default_factory=lambda: HELD)
    """None: nothing can be held there."""


def taken(heard: list[Any]) -> list[Any]:
    """Return what was heard, and forget it."""
    found = heard.copy()
    heard.clear()
    return found


@contextmanager
def pins(devices: Devices | None = None) -> Iterator[Press]:
    bench = Bench(devices)

    def press(gesture: Key | tuple[int, int] | int, held_s: float) -> list[Key]:
        if isinstance(gesture, int):
            bench.simulated.turn(gesture)
            bench.wait(SHORT_S)
        elif isinstance(gesture, tuple):
            assert bench.simulated.keypad is not None
            bench.simulated.keypad.press(gesture)
            bench.wait(held_s)
            bench.simulated.keypad.release(gesture)
            bench.wait(SHORT_S)
        else:
            bench.key(gesture, held_s)
        return taken(bench.heard)

    yield press
    bench.rig.close()


@contextmanager
def pads() -> Iterator[Press]:
    heard, source, now = list[Key](), FakeSource(), 0.0
    opened = Pads(
        PadsConfig(),
        PadCalls(lambda key: not heard.append(key)),  # type: ignore[func-returns-value]
        appliance=True,
        ports=PadPorts(lambda: [keyboard()], lambda _: source, lambda: now, Path("/nowhere")),
    )
    opened.look()

    def press(name: str, held_s: float) -> list[Key]:
        nonlocal now
        now += 1
        source.say(*change(name, 1, now))
        for _ in range(round(held_s / STEP_S)):
            opened.hear(now)
            now += STEP_S
        source.say(*change(name, 0, now))
        opened.hear(now)
        return taken(heard)

    yield press
    opened.close()


@contextmanager
def panel() -> Iterator[Press]:
    ends = wire.Table(seed=1, damage=0)
    ends.settle()

    def press(key: Key, held_s: float) -> list[Key]:
        ends.press(key, round(held_s * 1000))
        ends.run(round(held_s * 1000) + 1000)
        return [each.key for each in taken(ends.heard)]

    yield press


@contextmanager
def terminal() -> Iterator[Press]:
    bytes_of, now = Keyboard(), 0.0

    def press(data: bytes, held_s: float) -> list[Key]:
        nonlocal now
        now, keys = now + 9, list[Key]()
        for after_s in (0.0, 0.5, 0.53) if held_s == LONG_S else (0.0,):
            while (due := bytes_of.due) is not None and due <= now + after_s:
                keys += bytes_of.release_waiting(due)
            keys += bytes_of.decode(data, now + after_s)
        return keys + bytes_of.release_waiting(now + 2)

    yield press


@contextmanager
def window(touch: str) -> Iterator[Press]:
    """Open a window that is keyed at or touched with the mouse or a finger."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        table = Table(Look(rig=True))
    table.window.show(SAMPLES["free"])

    def change(gesture: Any, *, down: bool) -> None:
        if touch == "key":
            code, char, *place = gesture
            facts = {"key": code, "unicode": char} | ({"scancode": place[0]} if place else {})
            table.post(pygame.KEYDOWN if down else pygame.KEYUP, **facts)
        elif touch == "finger":
            table.finger(pygame.FINGERDOWN if down else pygame.FINGERUP, 1, table.place(gesture))
        elif down:
            table.down(gesture)
        else:
            table.up(table.place(gesture))

    def press(gesture: Any, held_s: float) -> list[Key]:
        change(gesture, down=True)
        for _ in range(round(held_s / STEP_S)):
            table.clock.now += STEP_S
            table.window.poll()
        change(gesture, down=False)
        return [key for key in table.heard() if isinstance(key, Key)]

    yield press
    table.window.close()


@contextmanager
def phone() -> Iterator[Press]:
    heard: list[Key] = []
    with (
        phones_table({"Game": "just4fun", "Players": "Anna yellow, Ben red"}) as game,
        game.phone() as browser,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(game.program, "press", heard.append)

        def press(name: str, _held_s: float) -> list[Key]:
            assert browser.key(name)["ok"]
            return taken(heard)

        yield press


def same(keys: list[Key]) -> dict[Any, Key]:
    """Return the gestures at a port whose keys are called as they arrive."""
    return {key: key for key in keys}


def crossings(*rows: str) -> dict[Any, Key]:
    """Return the Key of each crossing of a keypad on which this is printed."""
    return {
        (row, column): LETTERED.get(sign) or Key(sign)
        for row, signs in enumerate(rows)
        for column, sign in enumerate(signs)
    }


LETTERED = dict(
    zip("#*ABCD", (Key.ENTER, Key.STAR, Key.UP, Key.DOWN, Key.BACK, Key.MENU), strict=True)
)
DIGITS = [Key(str(digit)) for digit in range(10)]
PRINTED = {
    **{name: key for key in DIGITS for name in (key.value, f"KP{key.value}")},
    **{f"F{key.die}": key for key in DICE},
    **dict.fromkeys(("KPENTER", "ENTER"), Key.ENTER),
    **dict.fromkeys(("KPPLUS", "KPASTERISK", "SPACE"), Key.STAR),
    **dict.fromkeys(("KPMINUS", "UP", "A"), Key.UP),
    **dict.fromkeys(("KPSLASH", "DOWN", "B"), Key.DOWN),
    **dict.fromkeys(("BACKSPACE", "DELETE", "ESC", "C"), Key.BACK),
    **dict.fromkeys(("KPDOT", "KPCOMMA", "NUMLOCK", "TAB", "D"), Key.MENU),
}
SIGNS = {
    **{key.value: key for key in DIGITS},
    **dict.fromkeys("+* ", Key.STAR),
    **dict.fromkeys("#\r", Key.ENTER),
    **dict.fromkeys("aA-", Key.UP),
    **dict.fromkeys("bB/", Key.DOWN),
    **dict.fromkeys("cC\b\x1b", Key.BACK),
    **dict.fromkeys("dD?.,\t", Key.MENU),
    "u": Key.BACK_HELD,
    "p": Key.MENU_HELD,
}
"""What a keyboard writes, in a terminal and in a window."""
SEQUENCES = {
    **{f"\x1b{lead}A": Key.UP for lead in "[O"},
    **{f"\x1b{lead}B": Key.DOWN for lead in "[O"},
    **dict.fromkeys(("\x7f", "\x1b[3~"), Key.BACK),
    **dict.fromkeys(("\n", "\x1bOM"), Key.ENTER),
    **dict(
        zip(("\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~"), DICE, strict=True)
    ),
}
PLACES = {
    "Enter": (pygame.KSCAN_KP_ENTER, "\r"),
    "`+`": (pygame.KSCAN_KP_PLUS, "+"),
    "`*`": (pygame.KSCAN_KP_MULTIPLY, "*"),
    "`-`": (pygame.KSCAN_KP_MINUS, "-"),
    "`/`": (pygame.KSCAN_KP_DIVIDE, "/"),
    "`.`": (pygame.KSCAN_KP_PERIOD, "."),
    "Backspace": (pygame.KSCAN_BACKSPACE, "\b"),
    "Esc": (pygame.KSCAN_ESCAPE, "\x1b"),
    "Tab": (pygame.KSCAN_TAB, "\t"),
}
"""The keys in the documentation's table: SDL's place, and what a terminal sends."""
WINDOW: dict[Any, Key] = {
    **{(pygame.K_UNKNOWN, sign): key for sign, key in SIGNS.items() if sign.isprintable()},
    # NumLock changes what a number block prints, a layout its point
    **{
        (pygame.K_UNKNOWN, char, place): SIGNS[sign]
        for place, sign in PLACES.values()
        for char in (sign, "", ",")
    },
    **{(getattr(pygame, f"K_KP{key.value}"), key.value): key for key in DIGITS},
    **{(getattr(pygame, f"K_F{key.die}"), ""): key for key in DICE},
    (pygame.K_PLUS, "*"): Key.STAR,
    (pygame.K_BACKSLASH, "#"): Key.ENTER,
    (pygame.K_UP, ""): Key.UP,
    (pygame.K_DOWN, ""): Key.DOWN,
}
PORTS = {
    "keypad": Port(pins, crossings("123A", "456B", "789C", "*0#D")),
    "keypad of another print": Port(
        partial(pins, Devices(keypad=KeypadConfig(layout=("789A", "456B", "123C", "*0#D")))),
        crossings("789A", "456B", "123C", "*0#D"),
    ),
    "die buttons": Port(pins, same(DICE)),
    "encoder": Port(pins, {1: Key.DOWN, -1: Key.UP, Key.PUSH: Key.ENTER}, None),
    "encoder turned round": Port(
        partial(pins, Devices(encoder=EncoderConfig(reverse=True, push="none"))),
        {1: Key.UP, -1: Key.DOWN},
        None,
    ),
    "encoder alone": Port(
        partial(pins, encoder_settings()),
        {1: Key.TURN_RIGHT, -1: Key.TURN_LEFT, Key.PUSH: Key.PUSH},
        {**HELD, Key.TURN_LEFT: [Key.TURN_LEFT], Key.TURN_RIGHT: [Key.TURN_RIGHT]},
    ),
    "joystick": Port(
        partial(pins, replace(stick_settings(), joystick=replace(stick_settings().joystick, b=12))),
        same(
            [key for key in Key if key.value.startswith("STICK") and key not in HELD_KEYS]
            + [Key.PUSH, Key.UP, Key.DOWN, Key.BACK, Key.MENU]
        ),
    ),
    "pads": Port(pads, PRINTED),
    "panel": Port(panel, same(KEYPAD)),
    "terminal": Port(
        terminal,
        {data.encode(): key for data, key in (SIGNS | SEQUENCES).items()},
        {key: [key] * 3 for key in (Key.UP, Key.DOWN)},  # it reports no release
    ),
    "window by keys": Port(partial(window, "key"), WINDOW),
    "window by mouse": Port(partial(window, "mouse"), same(KEYPAD)),
    "window by touch": Port(partial(window, "finger"), same(KEYPAD)),
    "phone": Port(phone, {key.value: key for key in [*KEYPAD, *HELD_KEYS - DIAL_KEYS]}, None),
}


@pytest.mark.parametrize("name", PORTS)
def test_a_gesture_is_its_key_and_a_held_one_what_holding_means(name: str) -> None:
    port = PORTS[name]
    with port.open() as press:
        heard = {gesture: press(gesture, SHORT_S) for gesture in port.keys}
        assert heard == {gesture: [key] for gesture, key in port.keys.items()}
        if port.held is not None:
            heard = {gesture: press(gesture, LONG_S) for gesture in port.keys}
            assert heard == {
                gesture: port.held.get(key, [key]) for gesture, key in port.keys.items()
            }


def test_every_key_can_be_given_at_some_port() -> None:
    given = {key for port in PORTS.values() for key in port.keys.values()}
    held = {
        key
        for port in PORTS.values()
        for one in port.keys.values()
        for key in (port.held or {}).get(one, ())
    }
    assert given | held == set(Key)


PADS = {
    "Enter": "KPENTER", "`+`": "KPPLUS", "`*`": "KPASTERISK", "`-`": "KPMINUS", "`/`": "KPSLASH",
    "`.`": "KPDOT", "Backspace": "BACKSPACE", "Esc": "ESC", "Tab": "TAB", "NumLock": "NUMLOCK",
}  # fmt: skip


def test_the_documentation_names_each_key_of_pads_once_as_all_ports_hear_it() -> None:
    found: list[tuple[str, Key]] = []
    rows = re.findall(r"^\| (.+?) \| (`.+?) \|$", (ROOT / "docs/build.md").read_text("utf-8"), re.M)
    for keys, meaning in rows:
        words = keys.replace(",", "").split()
        if PADS.keys() >= set(words):
            signs = re.findall(r"`(.)`", meaning)
            found += zip(words, map(LETTERED.__getitem__, signs * len(words)), strict=False)
    assert sorted(found) == sorted((word, PRINTED[name]) for word, name in PADS.items())
    assert {word: SIGNS[sign] for word, (_, sign) in PLACES.items()}.items() <= dict(found).items()
