"""The Pico's own module under MicroPython, on made-up pins."""

import os
import subprocess

from hardware.panel.protocol import encode
from tests.firmware.rig import ROOT, micropython

SESSION = "0a1b2c3d"
LINES = [f"HELLO 1 beisitzer {SESSION}", "TEXT 1 Rot: 29", "LAMP 3 FF8040", "BEEP tick"]


def _run(*words: str) -> tuple[list[str], list[str]]:
    run = subprocess.run(
        [micropython(), "tests/firmware/fake_pico.py", *words],
        cwd=ROOT,
        env={**os.environ, "MICROPYPATH": str(ROOT)},
        input=b"\x03junk" + b"".join(map(encode, LINES)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    said = [line[1:-5] for line in run.stdout.decode().splitlines()]
    return said, run.stderr.decode().splitlines()


def test_the_board_speaks_reads_keys_and_shows_what_it_is_told() -> None:
    said, done = _run()
    assert said[0] == f"HELLO 1 pico 1.0 session={SESSION} keys=22 lamps=6 buzzer=1 text=4x20"
    assert f"KEY {SESSION} 0 5 down" in said
    assert done[:2] == ["interrupt -1", "watchdog 8000"]
    assert any(line.startswith("lamps") and "(63, 32, 16)" in line for line in done)
    assert done.index("pitch 1200") < done.index("duty 32768") < len(done) - 1
    assert done[-1].startswith("oled") or done[-1] == "duty 0"
    drawn = [line for line in done if line.startswith("oled 3c 40 256")]
    assert len(drawn) >= 4
    assert any(not line.endswith(" 0") for line in drawn)


def test_a_board_without_a_display_says_so_and_works() -> None:
    said, done = _run("dead")
    assert said[0].endswith("lamps=6 buzzer=1 text=0x0")
    assert f"KEY {SESSION} 0 5 down" in said
    assert not [line for line in done if line.startswith("oled")]


def test_back_and_menu_held_at_the_start_leave_the_line_to_the_tools() -> None:
    said, done = _run("prompt")
    assert said == []
    assert done == ["prompt"]
