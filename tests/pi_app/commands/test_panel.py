"""`beisitzer doctor --watch` tells what arrives from a panel, as a person would want it."""

import os
import subprocess
import sys
from pathlib import Path

from hardware.serial_panel import PanelStatus, PortProblem
from hardware.serial_panel.protocol import encode
from hardware.serial_panel.session import HostSession
from pi_app.commands.watch import line_words, status_words
from pi_app.settings.file import ENVIRONMENT
from pi_app.texts.language import Texts
from tests.firmware.rig import ROOT, Firmware

HELLO = "HELLO 1 pico 1.0 session={} keys=22 lamps=6 buzzer=1 text=4x20"


def _told(data: bytes) -> list[str]:
    lines: list[str] = []
    session = HostSession(lambda: "0a1b2c3d", lambda heard: lines.append(line_words(heard)))
    session.receive(data, 0.0)
    return lines


def test_every_line_is_told() -> None:
    data = encode(HELLO.format("0a1b2c3d")) + encode("KEY 0a1b2c3d 0 BACK down") + encode("PONG 1")
    hello, down, pong = _told(data)
    assert hello.startswith("HELLO 1 pico 1.0 session=0a1b2c3d")
    assert "KEY 0a1b2c3d 0 BACK down" in down
    assert "PONG 1" in pong


def test_dropped_lines_are_told_with_the_reason_and_harmless_letters() -> None:
    data = b"@PONG 1*0000\n@\x1b[2J\xff*12\n" + encode("HELP me") + encode("PONG me")
    *told, long = _told(data + b"@" + b"x" * 200 + b"\n")
    assert [line.partition("dropped ")[2] for line in told] == [
        "(checksum): PONG 1*0000",
        r"(checksum): \x1b[2J\xff*12",
        "(word): " + encode("HELP me").decode()[1:-1],
        "(words): " + encode("PONG me").decode()[1:-1],
    ]
    assert long.startswith("dropped (length): xxx")
    assert len(long) < 100


def test_finding_and_losing_the_panel_is_told() -> None:
    for status, words in (
        (PanelStatus(problem=PortProblem.ABSENT), "there is no such port. Plug the panel in."),
        (PanelStatus(port="/dev/ttyACM0", session="0a1b2c3d"), "/dev/ttyACM0"),
        (
            PanelStatus(port="/dev/ttyACM0", problem=PortProblem.NOT_SERIAL),
            "/dev/ttyACM0 this is no serial port. Correct panel.port.",
        ),
    ):
        assert status_words(Texts("en"), status) == words


def test_the_doctor_shows_a_real_panel(tmp_path: Path) -> None:
    with Firmware(tmp_path, "5 d4 <<") as firmware:
        settings = tmp_path / "settings.toml"
        settings.write_text(
            f'rig.enabled = false\npads.enabled = false\npanel.port = "{firmware.port}"\n'
        )
        run = subprocess.run(
            [sys.executable, "-m", "pi_app", "doctor", "--watch", "--seconds", "2.5"],
            cwd=ROOT,
            env={**os.environ, ENVIRONMENT: str(settings)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (run.returncode, run.stderr) == (0, "")
    told = [line.removeprefix("panel: ") for line in run.stdout.splitlines()]
    assert firmware.port in told
    keys = [line.split()[0] for line in told if line.split()[0] in ("5", "DIE4", "BACK_HELD")]
    assert keys == ["5", "DIE4", "BACK_HELD"]
