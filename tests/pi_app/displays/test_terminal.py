"""The terminal: frames as lines of text, and a start that waits for no silent terminal."""

import io
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest
from blessed import Terminal

from pi_app.displays.terminal import screen_lines
from pi_app.view.frame import Body, Choices, Frame, Header
from tests.pi_app.pilot import frame_of
from tests.scenes import scenes

WIDTH = 80


def shown(frame: Frame) -> list[str]:
    terminal = Terminal(kind="xterm", stream=io.StringIO(), force_styling=True)
    lines = screen_lines(terminal, frame, WIDTH, 24)
    return [re.sub(r"\x1b(\[[0-9;]*[A-Za-z]|\(B)", "", line).rstrip() for line in lines]


def test_every_row_says_what_is_keyed_for_it() -> None:
    lines = shown(Frame(Header("List"), Body(choices=Choices(tuple("abcdefghij")))))
    assert {"  9 i", "  0 j"} <= set(lines)
    lines = shown(
        Frame(Header("List"), Body(choices=Choices(("all", "10", "15"), digits=("0", "10", "15"))))
    )
    assert {"   0 all", "  15"} <= {line.replace(">", " ").rstrip() for line in lines}


def test_a_row_that_cannot_be_chosen_is_told_without_colours() -> None:
    lines = shown(
        Frame(Header("List"), Body(choices=Choices(("one", "two"), greyed=frozenset({1}))))
    )
    assert {"> 1 one", "  2 (two)"} <= set(lines)


@pytest.mark.parametrize("width", [40, 80, 100])
def test_sentences_are_wrapped_to_the_width(width: int) -> None:
    terminal = Terminal(kind="xterm", stream=io.StringIO(), force_styling=None)
    lines = screen_lines(terminal, Frame(Header("Long"), Body(lines=("word " * 60,))), width, 24)
    assert max(map(len, lines)) <= width


def unseen(frame: Frame, columns: int) -> list[str]:
    """Return the texts of a frame that a terminal of this width does not show whole."""
    terminal = Terminal(kind="xterm", stream=io.StringIO(), force_styling=None)
    screen = screen_lines(terminal, frame, columns, 24)
    assert max(map(len, screen)) <= columns
    seen = "".join("".join(screen).split())
    scrolls = "▼" in seen or "▲" in seen
    wanted = [frame.header.title, frame.body.big, frame.alert.text if frame.alert else ""]
    if frame.body.entry is not None:
        wanted += [frame.body.entry.text, frame.body.entry.verdict]
    if frame.body.choices is not None and not scrolls:
        choices = frame.body.choices
        rows = [(choices.sentence(n), choices.words(n)) for n in range(len(choices.items))]
        wanted += [
            long
            for long, short in rows
            if not any("".join(x.split()) in seen for x in (long, short))
        ]
    wanted += [] if scrolls else frame.body.lines
    wanted += [key.label for key in frame.keys.soft if not key.spare and not key.scrolls]
    return [text for text in wanted if "".join(text.split()) not in seen]


def test_scenes_show_all_they_say_on_a_narrow_terminal() -> None:
    missing = {scene.name: unseen(frame_of(scene, "de"), 60) for scene in scenes()}
    assert {name: texts for name, texts in missing.items() if texts} == {}


_START = """
import os, sys
from pi_app.displays.terminal import TerminalDisplay
display = TerminalDisplay(lambda key: True, lambda: None)
os.write(1, b"READY")
from tests.pi_app.pilot import Pilot, frame_of
pilot = Pilot.game("just4fun", Position="red 29x2")
pilot.program.outputs = [display]
for keys in ("5*11*13", "#"):
    pilot.key(keys)
if "crash" in sys.argv:
    raise RuntimeError
display.close()
"""


def run_on_terminal(
    *words: str, term: str | None = "xterm", ends: bool = False, timeout_s: float = 60
) -> bytes:
    """Return what a program writes on a terminal that answers nothing, until READY or its end."""
    line, far = pty.openpty()
    environment = os.environ | {"LC_ALL": "C.UTF-8", "TERM": term or ""}
    if term is None:
        del environment["TERM"]
    command = [sys.executable, "-c", *words]
    seen, end = b"", time.monotonic() + timeout_s
    with subprocess.Popen(
        command, stdin=far, stdout=far, stderr=subprocess.DEVNULL, env=environment
    ) as child:
        while ends or b"READY" not in seen:
            assert time.monotonic() < end, seen
            has_ended = child.poll() is not None
            if select.select([line], [], [], 0.1)[0]:
                seen += os.read(line, 65_536)
            elif has_ended:
                break
        child.kill()
    os.close(line)
    os.close(far)
    return seen


def test_a_terminal_that_answers_no_question_is_not_waited_for() -> None:
    """Blessed would wait five seconds, twice, for a serial console that answers nothing."""
    assert b"READY" in run_on_terminal(_START, timeout_s=8)


@pytest.mark.parametrize("words", [(), ("crash",)])
def test_keys_repeat_again_after_the_end_also_after_a_crash(words: tuple[str, ...]) -> None:
    seen = run_on_terminal(_START, *words, ends=True)
    assert [seen.count(mode) for mode in (b"\x1b[?8l", b"\x1b[?8h")] == [1, 1]
    assert [seen.count(mode) for mode in (b"\x1b[?2004h", b"\x1b[?2004l")] == [1, 1]
    assert seen.index(b"READY") < seen.index(b"\x1b[?8h")


@pytest.mark.parametrize("term", ["dumb", None])
def test_a_terminal_that_obeys_no_escapes_gets_plain_lines_each_once(term: str | None) -> None:
    seen = run_on_terminal(_START, term=term, ends=True)
    assert not set(seen) & {0x1B, 0x07}
    lines = [line.strip() for line in seen.decode().splitlines()]
    assert "> 5+11+13   29 blocked: Ben leads by 2" in lines
    assert "× 5+11+13   29 blocked: Ben leads by 2" in lines
    assert len([line for line in lines if "29 [B2]" in line]) == 1


def test_output_that_is_no_terminal_gets_plain_lines_and_the_keys_are_still_heard() -> None:
    line, far = pty.openpty()
    command = [sys.executable, "-c", _KEYS, "1", "keys"]
    with subprocess.Popen(
        command, stdin=far, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as child:
        assert child.stderr is not None
        assert child.stdout is not None
        heard = b""
        while b"5" not in heard:
            os.write(line, b"5" if b"READY" in heard else b"")
            heard += os.read(child.stderr.fileno(), 64)
        child.kill()
        assert b"\x1b" not in child.stdout.read()
    os.close(line)
    os.close(far)


_KEYS = """
import os, sys
from pi_app.displays.terminal import TerminalDisplay
heard = []
def put(key):
    os.write(2, f"{key} ".encode())
    heard.append(key)
    return len(heard) < int(sys.argv[1])
display = TerminalDisplay(put, lambda: os.write(2, b"GONE "))
os.write(2, b"READY ")
display._reader.join(600)
"""


def test_what_is_pasted_beyond_the_queue_is_dropped_at_once() -> None:
    line, far = pty.openpty()
    keys, told = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-c", _KEYS, "64"], stdin=far, stdout=far, stderr=told,
        env=os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    heard = b""

    def listen(seconds: float) -> None:
        """Read for so long at most what was heard, and what the display shows."""
        nonlocal heard
        for ready in select.select([line, keys], [], [], seconds)[0]:
            read = os.read(ready, 65_536)
            heard += read if ready == keys else b""

    while b"READY" not in heard:
        listen(0.1)
    begun = time.monotonic()
    pasted = b"56\x1b[A\x1b5" * 9_000
    while pasted:
        pasted = pasted[os.write(line, pasted[:1024]) :]
    while b"DIE2" not in heard:  # the first key of what is read next is offered again
        os.write(line, b"\x1bOQ")
        listen(0.2)
    assert time.monotonic() - begun < 10  # it took 21 s
    child.kill()
    child.wait()
    for end in (line, far, keys, told):
        os.close(end)


_REFUSED = """
import os
from pi_app.displays.terminal import TerminalDisplay
from tests.pi_app.pilot import Pilot, frame_of
display = TerminalDisplay(lambda key: True, lambda: None)
pilot = Pilot.game("just4fun", Position="red 29x2")
pilot.program.outputs = [display]
for keys in ("5*11*13", "#", "#", "<"):
    pilot.key(keys)
    os.write(1, b"NEXT")
display.close()
"""


def test_a_refused_enter_is_seen_on_its_line_and_rings_once() -> None:
    seen = run_on_terminal(_REFUSED, ends=True)
    parts = [
        re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|\(B)", "", part.decode()) for part in seen.split(b"NEXT")
    ]
    keyed, refused, again, deleted, *_ = parts
    assert [part.count("\a") for part in parts[:4]] == [0, 1, 1, 0]
    assert "> 5+11+13" in keyed
    assert "× 5+11+13   29 blocked: Ben leads by 2" in refused
    assert "× 5+11+13" in again or ">" not in again  # it stays marked
    assert "> 5+11+1" in deleted
    assert "! 5+11" not in deleted.rpartition("> 5+11+1")[2]
