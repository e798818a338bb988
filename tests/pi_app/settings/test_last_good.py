"""Settings with mistakes: a start takes the last ones that worked, and no part of the new ones."""

import json
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.settings.file import ENVIRONMENT, SettingsError, load
from pi_app.settings.last_good import keep, kept_file, load_or_last
from pi_app.settings.schema import Settings

GOOD = """
language = "de"
[rig]
board = "{board}"
[display]
theme = "light"
"""


@pytest.fixture(name="board")
def _board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a board of one's own that settings name, which have worked."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (board := tmp_path / "board.toml").write_text("[lamp]\nenabled = true\nred = 4\n")
    (tmp_path / "settings.toml").write_text(GOOD.format(board=board))
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "settings.toml"))
    keep(load())
    return board


MISTAKES = [
    ("[lamp]\nred = 99\n", 8, "lamp.red"),
    ("[lamp_]\nred = 9\n", 7, "lamp_"),
    ("[lamp]\nred =\n", 8, ""),
    ("[lamp]\nred = '", 8, ""),
    ("[[sounds]]\n", 7, "sounds"),
    ("\x00\n", 7, ""),
    ("language = 'en'", 7, "display.language"),
]


@pytest.mark.parametrize(("mistake", "line", "key"), MISTAKES)
def test_with_any_mistake_the_last_settings_that_worked_count_as_a_whole(
    board: Path, tmp_path: Path, mistake: str, line: int, key: str
) -> None:
    file = tmp_path / "settings.toml"
    good, none = load_or_last()
    text = GOOD.format(board=board).replace("light", "day")
    file.write_text(text + mistake)
    loaded, error = load_or_last()
    assert none is None
    assert loaded == good
    assert (loaded.settings.display.theme, loaded.settings.lamp.red) == ("light", 4)
    assert isinstance(error, SettingsError)
    assert (error.file, error.line, error.key) == (file, line, key)


def test_a_board_that_is_gone_or_wrong_now_is_taken_as_it_was(board: Path) -> None:
    for change in (lambda: board.write_text("[lamp]\nred = 99\n"), board.unlink):
        change()
        loaded, error = load_or_last()
        assert error is not None
        assert error.file == board
        assert loaded.settings.lamp.red == 4


@pytest.mark.usefixtures("board")
def test_what_is_kept_is_for_its_owner_alone_and_written_only_if_it_is_new(tmp_path: Path) -> None:
    before = kept_file().stat()
    assert stat.S_IMODE(before.st_mode) == 0o600
    keep(load())
    assert kept_file().stat().st_ino == before.st_ino
    (tmp_path / "settings.toml").write_text("language = 'en'")
    keep(load())
    assert kept_file().stat().st_ino != before.st_ino
    (tmp_path / "settings.toml").write_text("language = 'klingon'")
    assert load_or_last()[0].settings.language == "en"


@pytest.mark.parametrize(
    "kept",
    [
        None,
        "junk",
        "[]",
        "[" * 100_000,
        json.dumps({"/another/file.toml": "language = 'de'"}),
        json.dumps({"settings.toml": "language = 'an older version'"}),
    ],
)
@pytest.mark.usefixtures("board")
def test_without_last_settings_of_these_files_the_defaults_count(
    tmp_path: Path, kept: str | None
) -> None:
    kept_file().unlink()
    if kept is not None:
        kept_file().write_text(kept.replace("settings.toml", str(tmp_path / "settings.toml")))
    (tmp_path / "settings.toml").write_text("language = 'klingon'")
    assert load_or_last()[0].settings == Settings()


@given(st.data())
def test_whatever_is_in_the_file_there_are_settings(choose: st.DataObject) -> None:
    text = GOOD.format(board="none")
    at = choose.draw(st.integers(0, len(text) - 1))
    junk = choose.draw(st.text(max_size=4))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_text(text[:at] + junk + text[at + 1 :], "utf-8", "surrogatepass")
        loaded, error = load_or_last({ENVIRONMENT: str(path)})
        assert loaded.settings == Settings() or error is None
