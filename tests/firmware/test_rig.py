"""The tests' own MicroPython: needed where it can be had, and its absence told where not."""

import sys
from pathlib import Path

import pytest

from tests.firmware.rig import micropython


def test_a_machine_that_micropython_is_not_made_for_skips_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(pytest.skip.Exception, match="x86-64 only"):
        micropython()


def test_where_it_can_be_had_its_absence_is_a_failure_not_a_skip(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert micropython() == tmp_path / "micropython"
