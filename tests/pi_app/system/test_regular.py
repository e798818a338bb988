"""Files that pass for regular ones and are not read like them."""

import os
from pathlib import Path

import pytest

from pi_app.system import regular
from pi_app.system.regular import NotAFileError, read_text


def test_a_file_of_the_kernel_that_has_nothing_to_read_yet_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As /proc/kmsg, which only root may open; an empty pipe answers a read alike."""
    os.mkfifo(place := tmp_path / "kmsg")
    monkeypatch.setattr(regular, "check_regular", lambda _: None)
    with place.open("r+b", buffering=0), pytest.raises(NotAFileError, match="not a file"):
        read_text(place, 10)
