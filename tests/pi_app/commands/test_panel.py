"""`beisitzer panel` tells what arrives, as a person would want it for debugging."""

import subprocess
import sys
from pathlib import Path

from hardware.serial_panel import PanelStatus, PortProblem
from hardware.serial_panel.protocol import encode
from hardware.serial_panel.session import HostSession
from pi_app.commands.panel import View
from pi_app.texts.language import Texts
from tests.firmware.rig import ROOT, Firmware

HELLO = "HELLO 1 pico 1.0 session={} keys=22 lamps=6 buzzer=1 text=4x20"


def _told(data: bytes, *, pongs: bool = False, language: str = "en") -> list[str]:
    lines: list[str] = []
    view = View(Texts(language), lambda: 12.3456, lines.append, pongs=pongs)
    host = HostSession(lambda: "0a1b2c3d", view.show_line)
    host.receive(data, 0.0)
    view.summary(PanelStatus(dropped=host.dropped))
    return lines


def test_every_kind_of_line_is_told_with_its_time() -> None:
    data = encode(HELLO.format("0a1b2c3d")) + encode("KEY 0a1b2c3d 0 BACK down")
    data += encode("KEY 0a1b2c3d 1 BACK up 90") + encode("PONG 1")
    hello, down, up, summary = _told(data)
    assert hello == (
        "    0.000  panel pico, firmware 1.0, 22 keys, 6 lamps, a buzzer, "
        "4 rows of 20 characters, in session 0a1b2c3d"
    )
    assert down.endswith("key BACK down (number 0, session 0a1b2c3d)")
    assert up.endswith("key BACK up after 90 ms (number 1, session 0a1b2c3d)")
    assert summary == "4 lines, 0 dropped, 0 keys"
    assert _told(data, pongs=True)[3].endswith("answer to PING 1")


def test_dropped_lines_are_told_with_the_reason_and_harmless_letters() -> None:
    data = b"@PONG 1*0000\n@\x1b[2J\xff*12\n" + encode("HELP me") + encode("PONG me")
    data += b"@" + b"x" * 200 + b"\n"
    *lines, summary = _told(data)
    assert [line.partition("dropped, ")[2] for line in lines] == [
        "wrong checksum: PONG 1*0000",
        r"wrong checksum: \x1b[2J\xff*12",
        "unknown first word: " + encode("HELP me").decode()[1:-1],
        "wrong words: " + encode("PONG me").decode()[1:-1],
        "too long or empty: " + "x" * 97 + "...",
    ]
    assert summary == "5 lines, 5 dropped, 0 keys"


def test_a_german_table_reads_of_the_panel_in_german() -> None:
    data = encode(HELLO.format("0a1b2c3d")) + encode("KEY 0a1b2c3d 1 BACK up 90") + b"@x*12\n"
    assert [line.strip() for line in _told(data, language="de")] == [
        "0.000  Bedienteil pico, Firmware 1.0, 22 Tasten, 6 Leuchten, ein Summer, "
        "4 Zeilen zu 20 Zeichen, in Sitzung 0a1b2c3d",
        "0.000  Taste BACK losgelassen nach 90 ms (Nummer 1, Sitzung 0a1b2c3d)",
        "0.000  verworfen, falsche Prüfsumme: x*12",
        "3 Zeilen, 1 verworfen, 0 Tasten",
    ]


def test_finding_and_losing_the_panel_is_told_once() -> None:
    lines: list[str] = []
    view = View(Texts("en"), lambda: 0.0, lines.append)
    view.show_status(PanelStatus(problem=PortProblem.ABSENT))
    view.show_status(PanelStatus(port="/dev/ttyACM0"))
    view.show_status(PanelStatus(port="/dev/ttyACM0", session="0a1b2c3d"))
    view.show_status(PanelStatus(port="/dev/ttyACM0"))
    view.show_status(PanelStatus(port="/dev/ttyACM0", problem=PortProblem.BUSY))
    assert [line[11:] for line in lines] == [
        "no panel is plugged in; looking for one",
        "/dev/ttyACM0: opened, waiting for the panel",
        "in session 0a1b2c3d",
        "the panel fell silent or was restarted; beginning a new session",
        "/dev/ttyACM0: another program holds it, perhaps the running companion: stop it first",
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
    assert told[0] == f"{firmware.port}: opened, waiting for the panel"
    assert run.stdout.endswith(" 0 dropped, 3 keys\n")


def test_a_port_that_is_not_there_is_refused_in_a_sentence() -> None:
    run = _run("--port", "/dev/no-such-port")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "beisitzer: there is no port /dev/no-such-port: plug the panel in, or name another port\n"
    )
