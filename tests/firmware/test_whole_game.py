"""The firmware in the real MicroPython on one end of a line, the companion on the other."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from engines.record import parse
from pi_app.settings.file import ENVIRONMENT
from tests.firmware.rig import ROOT, WAIT_S, Firmware

PLAY = [sys.executable, "-m", "pi_app", "play", "just4fun", "--lang", "en"]
GAME = ["--players", "Anna yellow, Ben red", "--rules", "rounds=4"]
MOVES = ("7", "6", "8", "9", "4+4", "5+11+13", "3", "2")


def _companion(folder: Path, port: str | None, **environment: str) -> subprocess.Popen[str]:
    panel = [] if port is None else ["--panel", port]
    files = ["--store", str(folder / "games"), "--record", str(folder / "record.txt")]
    return subprocess.Popen(
        [*PLAY, *GAME, *panel, *files],
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder), "HOME": str(folder), **environment},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _end(companion: subprocess.Popen[str], number: signal.Signals) -> str:
    companion.send_signal(number)
    _, errors = companion.communicate(timeout=WAIT_S)
    return errors


def _over(lines: list[str]) -> bool:
    return any("wins!" in line for line in lines)


def _turn_of_anna(lines: list[str]) -> bool:
    """Tell whether a new session shows Anna; the old one's last rows may still come first."""
    news = next((at for at, line in enumerate(lines) if line.startswith("SESSION")), len(lines))
    return _starts(lines[news:], "TEXT 0 Anna")


def _starts(lines: list[str], text: str) -> bool:
    return any(line.startswith(text) for line in lines)


def test_a_whole_game_is_played_on_the_panel_alone(tmp_path: Path) -> None:
    keys = "7# 6# 82<# 8# << 9# 4*4# 5*11*13# 3# 2#"
    with Firmware(tmp_path, keys) as panel:
        companion = _companion(tmp_path, panel.port)
        try:
            over = panel.wait_for(_over)
        finally:
            errors = _end(companion, signal.SIGTERM)
        assert over, panel.lines
        assert "BEEP win" in panel.lines
    assert (companion.returncode, errors) == (0, "")
    assert parse((tmp_path / "record.txt").read_text()).tokens == MOVES


def test_a_panel_named_in_the_settings_is_display_and_keypad_enough(tmp_path: Path) -> None:
    with Firmware(tmp_path) as panel:
        settings = tmp_path / "settings.toml"
        settings.write_text(f'[panel]\nport = "{panel.port}"\n')
        companion = _companion(tmp_path, None, **{ENVIRONMENT: str(settings)})
        try:
            shown = panel.wait_for(lambda lines: _starts(lines, "TEXT 0 Anna"))
        finally:
            errors = _end(companion, signal.SIGTERM)
    assert (shown, errors) == (True, "")


def test_a_killed_companion_finds_panel_and_game_again(tmp_path: Path) -> None:
    with Firmware(tmp_path, "7# 6# 8# 9#") as panel:
        companion = _companion(tmp_path, panel.port)
        try:
            played = panel.wait_for(lambda lines: lines.count("BEEP ok") == 4)
        finally:
            _end(companion, signal.SIGKILL)
        assert played, panel.lines
        panel.lines.clear()
        companion = _companion(tmp_path, panel.port)
        try:
            found = panel.wait_for(_turn_of_anna)
            panel.press("4*4# 5*11*13# 3# 2#")
            over = panel.wait_for(_over)
        finally:
            _end(companion, signal.SIGTERM)
        assert found, panel.lines
        assert over, panel.lines
    assert parse((tmp_path / "record.txt").read_text()).tokens == MOVES
