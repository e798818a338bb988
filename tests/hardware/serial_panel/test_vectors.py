"""The host keeps the protocol's vectors: lines, words and whole dialogues with times."""

import json
from pathlib import Path
from typing import Any

import pytest

from hardware.keys import Key
from hardware.serial_panel.listener import Listener
from hardware.serial_panel.protocol import (
    BadLineError,
    BeepKind,
    HostHello,
    KeyEvent,
    LineReader,
    PanelHello,
    PanelMessage,
    Pong,
    decode,
    encode,
    parse,
)
from hardware.serial_panel.session import HostSession
from tests.firmware.vectors import compare, unroll

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "firmware" / "panel-vectors.json").read_text()
)
SESSIONS = ["0a1b2c3d", "deadbeef", "00000001"]
STEP_MS = 10


@pytest.mark.parametrize(("body", "line"), VECTORS["lines"])
def test_a_body_and_its_line(body: str, line: str) -> None:
    assert encode(body) == line.encode()
    assert decode(line[1:-1].encode()) == body


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("case", VECTORS["framing"], ids=lambda case: case["why"])
def test_bytes_become_bodies_however_they_are_cut(case: dict[str, Any], size: int) -> None:
    reader, bodies, dropped = LineReader(), [], 0
    data = case["bytes"].encode("latin-1")
    for start in range(0, len(data), size):
        for line in reader.feed(data[start : start + size]):
            try:
                bodies.append(decode(line))
            except BadLineError:
                dropped += 1
    assert (bodies, dropped) == (case["bodies"], case["dropped"])


def _plain(message: PanelMessage) -> object:
    match message:
        case HostHello():
            return "echo"
        case Pong(number):
            return f"pong {number}"
        case KeyEvent(session, sequence, key, ms):
            return {"key": key.value, "session": session, "sequence": sequence, "ms": ms}
        case PanelHello() as hello:
            return {
                "hello": hello.session,
                "name": hello.name,
                "firmware": hello.firmware,
                "keys": hello.keys,
                "lamps": hello.lamps,
                "buzzer": hello.buzzer,
                "text": [hello.rows, hello.columns],
            }


@pytest.mark.parametrize(("body", "expected"), VECTORS["host_words"])
def test_words_are_read_or_the_line_is_dropped(body: str, expected: object) -> None:
    if expected is None:
        with pytest.raises(BadLineError):
            parse(body)
    else:
        assert _plain(parse(body)) == expected


@pytest.mark.parametrize(
    "dialogue",
    [d for d in VECTORS["dialogues"] if d["side"] == "host"],
    ids=lambda dialogue: dialogue["name"],
)
def test_a_dialogue_goes_as_written(dialogue: dict[str, Any]) -> None:
    host = Host()
    steps = unroll(dialogue)
    sent: list[list[object]] = []
    keys: list[list[object]] = []
    for now in range(0, dialogue["end"] + STEP_MS, STEP_MS):
        host.hear(host.pongs, now / 1000)
        while steps and steps[0][0] <= now:
            _, kind, value = steps.pop(0)[:3]
            host.step(kind, value, now / 1000)
        host.hear(b"", now / 1000)
        keys += [[now, key.value] for key in host.keys]
        host.keys.clear()
        sent += [[now, body] for body in host.tick(now / 1000)]
    beeps = dialogue.get("beeps", [])
    assert compare(dialogue, sent, beeps, host.session.dropped) == []
    assert keys == dialogue.get("keys", [])


class Host:
    """A host, a far end that may answer its PINGs, and a program that may be full."""

    def __init__(self) -> None:
        names = iter(SESSIONS)
        self.session = HostSession(lambda: next(names))
        self._listener = Listener(self.session, self._put)
        self._full = self._answers = False
        self.keys: list[Key] = []
        self.pongs = b""

    def _put(self, key: Key) -> bool:
        if not self._full:
            self.keys.append(key)
        return not self._full

    def hear(self, data: bytes, now: float) -> None:
        self._listener.hear(data, now)

    def tick(self, now: float) -> list[str]:
        bodies = [line[1:-5] for line in self.session.tick(now).decode().splitlines()]
        pings = [body[5:] for body in bodies if body.startswith("PING ")]
        self.pongs = b"".join(encode(f"PONG {n}") for n in pings) if self._answers else b""
        return bodies

    def step(self, kind: str, value: Any, now: float) -> None:
        match kind:
            case "line":
                self.hear(encode(value), now)
            case "rows":
                self.session.set_rows(value)
            case "lamps":
                self.session.set_lamps(value)
            case "beep":
                self.session.beep(BeepKind(value))
            case "answers":
                self._answers = value
            case "full":
                self._full = value
            case _:
                raise ValueError(kind)
