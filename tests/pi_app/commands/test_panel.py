"""`beisitzer panel` tells what arrives, as a person would want it for debugging."""

import subprocess
import sys
from pathlib import Path

from hardware.serial_panel import PanelStatus, PortProblem
from hardware.serial_panel.protocol import encode
from hardware.serial_panel.session import HostSession
from pi_app.commands.panel import View
from tests.firmware.rig import ROOT, Firmware

HELLO = "HELLO 1 pico 1.0 session={} keys=22 lamps=6 buzzer=1 text=4x20"


def _told(data: bytes, *, pongs: bool = False) -> list[str]:
    lines: list[str] = []
    view = View(lambda: 12.3456, lines.append, pongs=pongs)
    HostSession(lambda: "0a1b2c3d", view.show_line).receive(data, 0.0)
    return lines


def test_every_line_is_told_with_its_time() -> None:
    data = encode(HELLO.format("0a1b2c3d")) + encode("KEY 0a1b2c3d 0 BACK down") + encode("PONG 1")
    hello, down = _told(data)
    assert hello.startswith("    0.000  HELLO 1 pico 1.0 session=0a1b2c3d")
    assert "KEY 0a1b2c3d 0 BACK down" in down
    assert "PONG 1" in _told(data, pongs=True)[2]


def test_dropped_lines_are_told_with_the_reason_and_harmless_letters() -> None:
    data = b"@PONG 1*0000\n@\x1b[2J\xff*12\n" + encode("HELP me") + encode("PONG me")
    data += b"@" + b"x" * 200 + b"\n"
    assert [line.partition("dropped ")[2] for line in _told(data)] == [
        "(checksum): PONG 1*0000",
        r"(checksum): \x1b[2J\xff*12",
        "(word): " + encode("HELP me").decode()[1:-1],
        "(words): " + encode("PONG me").decode()[1:-1],
        "(length): " + "x" * 97 + "...",
    ]


def test_finding_and_losing_the_panel_is_told() -> None:
    lines: list[str] = []
    view = View(lambda: 0.0, lines.append)
    view.show_status(PanelStatus(problem=PortProblem.ABSENT))
    view.show_status(PanelStatus(port="/dev/ttyACM0", session="0a1b2c3d"))
    view.show_status(PanelStatus(port="/dev/ttyACM0", problem=PortProblem.BUSY))
    assert [line[11:] for line in lines] == [
        "no panel is plugged in; looking for one",
        "/dev/ttyACM0: session 0a1b2c3d, 0 dropped",
        "/dev/ttyACM0 another program holds it, perhaps the running companion: stop it first",
    ]


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pi_app", "panel", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_shows_a_real_panel(tmp_path: Path) -> None:
    with Firmware(tmp_path, "5 d4 <<") as firmware:
        run = _run("--port", firmware.port, "--seconds", "2.5")
    assert (run.returncode, run.stderr) == (0, "")
    told = [line[11:] for line in run.stdout.splitlines()]
    assert [line for line in told if line.startswith("  -> ")] == [
        "  -> 5",
        "  -> DIE4",
        "  -> BACK_HELD",
    ]
    assert told[0] == f"{firmware.port}: session None, 0 dropped"


def test_a_port_that_is_not_there_is_refused_in_a_sentence() -> None:
    run = _run("--port", "/dev/no-such-port")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "beisitzer: there is no port /dev/no-such-port: plug the panel in, or name another port\n"
    )
