"""Files are replaced whole or not at all, and secrets are nobody else's at any moment."""

import os
from pathlib import Path

import pytest

from pi_app.system.replace import PRIVATE, write_safely


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_secret_is_private_from_its_first_moment_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "password"
    secret.write_bytes(b"old")
    secret.chmod(0o644)
    seen: list[int] = []
    settle = os.fchmod

    def look(handle: int, wanted: int) -> None:
        seen.append(os.fstat(handle).st_mode & 0o777)
        settle(handle, wanted)

    monkeypatch.setattr(os, "fchmod", look)
    before = os.umask(0)
    try:
        write_safely(secret, b"new", PRIVATE)
    finally:
        os.umask(before)
    assert (secret.read_bytes(), mode(secret), seen) == (b"new", PRIVATE, [PRIVATE])


def test_a_file_keeps_its_mode_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    write_safely(file, b"one")
    assert mode(file) == 0o644
    file.chmod(0o640)
    (tmp_path / f".settings.toml.{os.getpid()}.new").write_bytes(b"what a killed process has left")
    write_safely(file, b"two")
    assert (file.read_bytes(), mode(file)) == (b"two", 0o640)
    assert list(tmp_path.iterdir()) == [file]
