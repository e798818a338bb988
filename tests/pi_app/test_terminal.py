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
from pi_app.view.frame import Choices, Frame
from tests.pi_app.desk import Desk

WIDTH = 80


def shown(frame: Frame) -> list[str]:
    terminal = Terminal(kind="xterm", stream=io.StringIO(), force_styling=True)
    lines = screen_lines(terminal, frame, WIDTH, 24)
    return [re.sub(r"\x1b(\[[0-9;]*[A-Za-z]|\(B)", "", line).rstrip() for line in lines]


def test_a_turn_shows_entry_verdict_board_and_keys() -> None:
    lines = shown(Desk.game("just4fun", Position="red 29x2").key("5*11*13"))
    assert "> 5+11+13   29 blocked: Ben leads by 2" in lines
    assert any("29 R2!" in line for line in lines)
    assert lines[-1] == "[Enter #] play   [+ *] next"


def test_a_list_is_numbered_where_digits_choose() -> None:
    assert "> 1 one" in shown(Frame("List", choices=Choices(("one", "two"))))
    assert "> one" in shown(Frame("List", choices=Choices(("one", "two"), numbered=False)))


def test_an_item_beyond_the_digits_has_no_number() -> None:
    lines = shown(Frame("List", choices=Choices(tuple("abcdefghij"))))
    assert "  9 i" in lines
    assert "    j" in lines


@pytest.mark.parametrize("width", [40, 80, 100])
def test_sentences_are_wrapped_to_the_width(width: int) -> None:
    terminal = Terminal(kind="xterm", stream=io.StringIO(), force_styling=None)
    lines = screen_lines(terminal, Frame("Long", lines=("word " * 60,)), width, 24)
    assert max(map(len, lines)) <= width


_START = """
import os
from pi_app.displays.terminal import TerminalDisplay
display = TerminalDisplay(lambda key: None, lambda: None)
os.write(1, b"READY")
display.close()
"""


def test_a_terminal_that_answers_no_question_is_not_waited_for() -> None:
    """Blessed would wait five seconds, twice, for a serial console that answers nothing."""
    line, far = pty.openpty()
    environment = os.environ | {"TERM": "xterm"}
    command = [sys.executable, "-c", _START]
    seen, end = b"", time.monotonic() + 8
    with subprocess.Popen(command, stdin=far, stdout=far, stderr=far, env=environment) as child:
        while b"READY" not in seen and time.monotonic() < end:
            if select.select([line], [], [], 0.1)[0]:
                seen += os.read(line, 4096)
        child.kill()
    os.close(line)
    os.close(far)
    assert b"READY" in seen
