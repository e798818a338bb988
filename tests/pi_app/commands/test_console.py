"""How commands end, and what of others' words reaches a terminal: no control, no direction."""

import logging
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_app.commands import console
from pi_app.system import log as logs
from pi_app.texts.printable import printable, printable_lines, shorten
from tests.pi_app.commands.called import refused, run

RECORDS = Path(__file__).parents[2] / "records"
PROGRAM = (sys.executable, "-m", "pi_app")
OBEYED = "\x1b[31m\x9b\u202e\u2066\u200f\x07\u2028"
WEIRD = f"An{OBEYED}na"
TAGS = f'[Game "numeri"]\n[Players "{WEIRD} yellow, Ben red"]\n[Event "{OBEYED}"]\n'
RECORD = f"{TAGS}1. 3 {OBEYED} 4"


def obeyed(text: str) -> str:
    """Return what a terminal would obey."""
    return "".join(char for char in text if not char.isprintable() and char != "\n")


def test_others_words_become_one_printable_line() -> None:
    assert printable("Anna Müller ♠") == "Anna Müller ♠"
    assert printable("a\x1b[0m\x9b\u202eb\nc\u2028d\u00a0e") == "a?[0m??b c d e"
    assert printable_lines("a\n\x1bb\r\n") == "a\n?b \n"
    assert shorten("x" * 100, 10) == "xxxxxxxxx…"


@pytest.mark.parametrize(
    "words",
    [("check", "-"), ("legal", "-", "--roll", "3"), ("score", "-"), ("check", "-", "--json")],
)
def test_a_record_reaches_no_terminal_raw(words: tuple[str, ...]) -> None:
    result = run(*words, text=RECORD)
    assert result.stdout
    assert obeyed(result.stdout + result.stderr) == ""


@pytest.mark.parametrize(
    "words",
    [
        ("show", "history"),
        ("show", "history", "1"),
        ("show", "statistics"),
        ("show", "statistics", OBEYED),
        ("show", "tables", OBEYED),
        ("boards", "show", OBEYED),
        ("check", f"/nowhere/{OBEYED}"),
        ("play", WEIRD),
        ("play", "numeri", "--players", f"{WEIRD} {OBEYED}"),
        ("export", "--to", "/dev/null/" + OBEYED),
        (OBEYED,),
        ("check", f"--{OBEYED}"),
        ("check", "-", "--lang", OBEYED),
    ],
)
def test_no_command_shows_a_name_raw(words: tuple[str, ...], tmp_path: Path) -> None:
    store = str(tmp_path / "games")
    record = tmp_path / "record.txt"
    record.write_text(TAGS + "1. 3 4", "utf-8")
    assert run("import", str(record), "--store", store).exit_code == 0
    stored = ("--store", store) if words[0] in ("show", "export") else ()
    result = run(*words, *stored)
    assert result.output
    assert obeyed(result.output) == ""


def test_an_export_is_harmless_in_a_file_and_on_a_terminal(tmp_path: Path) -> None:
    store = tmp_path / "games"
    record = tmp_path / "record.txt"
    record.write_text(TAGS + "1. 3 4", "utf-8")
    assert run("import", str(record), "--store", str(store)).exit_code == 0
    command = [*PROGRAM, "export", "--store", str(store)]
    exact = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert f'[Players "{printable(WEIRD)} yellow, Ben red"]' in exact
    line, far = pty.openpty()
    with subprocess.Popen(command, stdout=far, stderr=far) as process:
        assert process.wait(60) == 0
    os.close(far)
    shown = b""
    while select.select([line], [], [], 0.2)[0]:
        try:
            shown += os.read(line, 4096)
        except OSError:
            break
    os.close(line)
    assert b"[Players" in shown
    assert obeyed(shown.decode().replace("\r\n", "\n")) == ""


def test_the_log_holds_nothing_that_a_terminal_would_obey(tmp_path: Path) -> None:
    handler = logs.set_up(tmp_path / "log", {})
    try:
        logging.getLogger("test").warning("the board %s", OBEYED)
        fault = ValueError(OBEYED)
        logging.getLogger("test").error("failed", exc_info=fault)
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    text = (tmp_path / "log").read_text("utf-8")
    assert "the board ?[31m" in text
    assert obeyed(text) == ""


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the program in a shell, with its redirections."""
    line = command.replace("beisitzer", f"{sys.executable} -m pi_app")
    return subprocess.run(  # noqa: S602  # redirections are what is tried
        line, shell=True, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "command",
    [
        "beisitzer check - <&-",
        "beisitzer import - <&-",
        f"beisitzer check {RECORDS}/just4fun-row.txt >/dev/full",
        f"beisitzer check {RECORDS}/just4fun-violations.txt --json >/dev/full",
        f"beisitzer check {RECORDS}/just4fun-row.txt >&-",
        "beisitzer --version >/dev/full",
        "beisitzer --help >/dev/full",
        "beisitzer config >/dev/full",
    ],
)
def test_a_stream_that_fails_is_one_sentence_and_status_2(command: str) -> None:
    done = shell(command)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Errno" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_failing_standard_error_changes_no_status() -> None:
    assert shell("beisitzer check /nowhere 2>/dev/full").returncode == 2
    assert shell("beisitzer check /nowhere 2>&-").returncode == 2


def test_a_fault_is_one_sentence_and_goes_into_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(file: str) -> None:
        raise ZeroDivisionError(f"{file} {OBEYED}")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("pi_app.commands.records.load_record", fail)
    said = refused("check", "x", "--lang", "en")
    assert said.startswith("beisitzer: this is a fault (ZeroDivisionError: x ")
    assert "Traceback" in (tmp_path / "beisitzer" / "beisitzer.log").read_text("utf-8")


def test_an_interrupted_command_does_not_say_that_a_move_was_illegal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(file: str) -> None:
        raise KeyboardInterrupt(file)

    monkeypatch.setattr("pi_app.commands.records.load_record", interrupt)
    assert run("check", "x").exit_code == console.INTERRUPTED


ENDED = """
import os, signal, sys, threading
from pi_app.run.signals import on_ending_signal
from pi_app.view.inputs import KeyQueue

queue = KeyQueue()
queue.open()
on_ending_signal(queue.stop)
wait = queue._changed.wait
def late(timeout=None):
    # the signal arrives after the look at the queue and before the wait for it
    os.kill(os.getpid(), signal.SIGNAL)
    return wait(timeout)
queue._changed.wait = late
while not queue.stopped:
    queue.get(None)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_between_the_queues_look_and_its_wait_is_not_lost(name: str) -> None:
    begun = time.monotonic()
    command = [sys.executable, "-c", ENDED.replace("SIGNAL", name)]
    assert subprocess.run(command, timeout=60, check=False).returncode == 0
    assert time.monotonic() - begun < 30


_STYLED = """
from pi_app.commands.console import printable_streams, show_progress
from pi_app.system.host import echo_styled
with printable_streams():
    echo_styled("Just 4 Fun\\x9b", bold=True)
    show_progress("7/9")
    show_progress("")
"""


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("xterm", "\x1b[1mJust 4 Fun?\x1b[0m\r\n\r\x1b[K7/9\r\x1b[K"),
        ("dumb", "Just 4 Fun?\r\n"),
        ("", "Just 4 Fun?\r\n"),
    ],
)
def test_only_a_terminal_that_obeys_escapes_gets_them(term: str, expected: str) -> None:
    line, far = pty.openpty()
    command = [sys.executable, "-c", _STYLED]
    environment = os.environ | {"TERM": term}
    subprocess.run(command, stdout=far, stderr=far, env=environment, check=True, timeout=60)
    assert os.read(line, 4096).decode() == expected
    os.close(line)
    os.close(far)
