"""Processes of this program do not import what lies in the folder in which they are started."""

import re
from pathlib import Path

import pytest

from pi_app.system.own_process import own_command, own_environment
from tests.ran import ran

PROGRAM = Path(__file__).parents[3]


def test_a_folder_or_file_with_a_modules_name_changes_nothing(tmp_path: Path) -> None:
    for name in ("club", "pi_app", "engines", "json", "random", "click"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(f"raise SystemExit('{name} was taken from here')\n")
    done = ran(
        own_command("pi_app", "club", "--help"), env=own_environment(), cwd=tmp_path, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Hold a club's evening" in done.stdout


@pytest.mark.parametrize("room", ["ai", "club", "hardware", "pi_app"])
def test_every_process_of_this_program_is_started_so(room: str) -> None:
    started = [
        path.relative_to(PROGRAM).as_posix()
        for path in (PROGRAM / room).rglob("*.py")
        if re.search(r"sys\.executable,\s*\"-", path.read_text("utf-8"))
    ]
    assert started in ([], ["pi_app/system/own_process.py"])
