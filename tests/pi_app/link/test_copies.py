"""Copies of settings, password and authority: what the link's service gets and stores."""

import json
import os
import tomllib
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pi_app.link.mqtt.companion import store_copies
from pi_app.link.protocol import COPY_LIMIT_BYTES, MOST_LINE
from pi_app.link.table import settings_copies
from pi_app.settings.schema import LinkSettings, Settings


def given(folder: Path) -> Settings:
    link = LinkSettings(password_file=str(folder / "mine"), ca=str(folder / "club.pem"))
    return replace(Settings(), link=link)


def test_settings_and_both_files_are_copied_whatever_their_names(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("secret\n")
    (tmp_path / "club.pem").write_text("PEM\n")
    settings = given(tmp_path)
    copies = settings_copies(settings)
    assert (copies["password"], copies["ca.pem"]) == ("secret\n", "PEM\n")
    told = tomllib.loads(copies["settings.toml"])
    assert told == {"language": settings.language, "link": asdict(settings.link)}


def test_what_is_no_file_of_a_few_bytes_is_not_copied_and_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine")
    (tmp_path / "club.pem").write_text("x" * (COPY_LIMIT_BYTES + 1))
    copies = settings_copies(given(tmp_path))
    assert (copies["password"], copies["ca.pem"]) == ("", "")


@pytest.mark.parametrize("sign", ["x", "\n", "\x01", "\u00e4", "\U0001f600"])
def test_the_longest_copies_fit_into_a_line(sign: str, tmp_path: Path) -> None:
    text = sign * (COPY_LIMIT_BYTES // len(sign.encode()))
    for name in ("mine", "club.pem"):
        (tmp_path / name).write_text(text)
    copies = settings_copies(given(tmp_path))
    assert copies["password"] == text
    assert len(json.dumps(copies)) < MOST_LINE - 8192


def test_only_what_differs_is_stored_for_its_owner_alone_by_the_services_own_names(
    tmp_path: Path,
) -> None:
    (state := tmp_path / "state").mkdir()
    copies = {"password": "one\n", "../other": "no", "ca.pem": 3, "more": "no"}
    assert store_copies(state, copies)
    assert not store_copies(state, copies)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["password"]
    assert (state / "password").stat().st_mode & 0o777 == 0o600
    assert store_copies(state, copies | {"password": ""})
    assert (state / "password").read_text() == ""
    junk: object
    for junk in (None, [], "password", {}):
        assert not store_copies(state, junk)


def test_a_folder_that_cannot_be_written_is_no_change(tmp_path: Path) -> None:
    """Else the link would begin anew for ever."""
    (tmp_path / "file").touch()
    assert not store_copies(tmp_path / "file", {"password": "x"})
