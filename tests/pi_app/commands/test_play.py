"""`beisitzer play`: what it makes of its options before the first key."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pi_app.commands.cli import main


def play(tmp_path: Path, *options: str) -> tuple[int, str, str]:
    """Press one key and return exit status, standard output and standard error."""
    keys = tmp_path / "keys"
    keys.write_text("1", "utf-8")
    command = ["play", *options, "--keys", str(keys), "--display", "plain"]
    result = CliRunner().invoke(main, command)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(("language", "name"), [("en", "Yellow"), ("de", "Gelb")])
def test_players_without_names_are_called_by_colour_in_the_tables_language(
    tmp_path: Path, language: str, name: str
) -> None:
    status, shown, _ = play(tmp_path, "just4fun", "--lang", language)
    assert status == 0
    assert json.loads(shown.splitlines()[-1])["title"] == name


def test_missing_open_card_is_asked_for_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    status, shown, error = play(tmp_path, "einmaleins")
    assert (status, shown) == (2, "")
    assert "--tag Open=24" in error


def test_a_record_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "game.txt"
    record.write_text("the record of another evening", "utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pi_app.files.replace.os.fsync", full)
    status, _, error = play(tmp_path, "just4fun", "--record", str(record))
    assert status == 2
    assert "the disk is full" in error
    assert record.read_text("utf-8") == "the record of another evening"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.txt", "keys"]
    monkeypatch.undo()
    assert play(tmp_path, "just4fun", "--record", str(record))[0] == 0
    assert record.read_text("utf-8").startswith('[Game "just4fun"]')
