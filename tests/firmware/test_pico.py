"""The Pico's own module under MicroPython, on made-up pins and a made-up clock."""

import os
import subprocess

import pytest

from hardware.serial_panel.protocol import encode
from tests.firmware.rig import ROOT, micropython

SESSION = "0a1b2c3d"
HELLO = f"HELLO 1 pico 1.0 session={SESSION} keys=22 lamps=6 buzzer=1 text=4x20"
BLIND = HELLO.replace("4x20", "0x0")
LINES = [f"HELLO 1 beisitzer {SESSION}", "TEXT 1 Rot: 29", "LAMP 3 FF8040", "BEEP tick"]
DOWN = f"KEY {SESSION} 0 5 down"


def _run(*words: str, lines: list[str] = LINES, heap: str = "1m") -> tuple[list[str], list[str]]:
    run = subprocess.run(
        [micropython(), "-X", f"heapsize={heap}", "tests/firmware/fake_pico.py", *words],
        cwd=ROOT,
        env={**os.environ, "MICROPYPATH": f"{ROOT}:{ROOT / 'firmware'}"},
        input=b"\x03junk" + b"".join(map(encode, lines)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    said = [line[1:-5] for line in run.stdout.decode().splitlines()]
    return said, run.stderr.decode().splitlines()


def test_the_board_speaks_reads_keys_and_shows_what_it_is_told() -> None:
    said, done = _run()
    assert said[0] == HELLO
    assert DOWN in said
    assert "watchdog 8000" in done
    assert any(line.startswith("lamps") and "(63, 32, 16)" in line for line in done)
    assert done.index("pitch 1200") < done.index("duty 32768") < len(done) - 1
    drawn = [line for line in done if line.startswith("oled 3c 40 256")]
    assert len(drawn) >= 4
    assert any(not line.endswith(" 0") for line in drawn)


def test_ctrl_c_is_off_before_anything_slow_and_the_watchdog_on_before_the_board() -> None:
    _, done = _run()
    assert done[0] == "interrupt -1, modules of ours: 0"
    assert done[1].startswith("interrupt -1, modules of ours: ")
    assert done[2] == "watchdog 8000"


def test_a_key_held_while_the_panel_starts_is_no_press_however_early_the_host_speaks() -> None:
    said, _ = _run("held")
    assert said == [HELLO]


def test_a_board_without_a_display_says_so_and_works() -> None:
    said, done = _run("dead")
    assert said[0] == BLIND
    assert DOWN in said
    assert not [line for line in done if line.startswith("oled")]


def test_a_display_plugged_in_later_is_found_told_of_and_used() -> None:
    said, done = _run("late")
    hellos = [line for line in said if line.startswith("HELLO")]
    assert hellos[:2] == [BLIND, HELLO]
    assert hellos.count(HELLO) > 2, "until the host sends its texts it hears of the display"
    drawn = [line for line in done if line.startswith("oled 3c 40 256")]
    assert any(not line.endswith(" 0") for line in drawn)


def test_back_and_menu_held_at_the_start_leave_the_line_to_the_tools() -> None:
    said, done = _run("prompt")
    assert said == []
    assert done == ["interrupt -1, modules of ours: 0", "prompt"]


@pytest.mark.parametrize("lines", [LINES, [*LINES, *["TEXT 2 Blau am Zug", "PING 7"] * 3_000]])
def test_garbage_is_collected_once_a_second_at_most_and_memory_is_enough(lines: list[str]) -> None:
    _, done = _run("long", lines=lines, heap="160k")
    word, count, _, length = done[-1].split(" ")
    assert (word, int(length) > 20_000) == ("collected", True)
    assert int(count) <= int(length) // 1_000 + 1
    assert lines != LINES or int(count) > 15
