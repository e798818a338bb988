"""What is no folder of games is refused by every command, in one sentence and untouched."""

from pathlib import Path

import pytest

from pi_app.store import Store
from tests.pi_app.commands.called import refused, run

RECORD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5 6\n'
PLAY = ("play", "just4fun", "--players", "Anna, Ben", "--keys", "KEYS", "--display", "plain")
COMMANDS = {
    "import": ("import", "RECORD"),
    "export": ("export",),
    "show course": ("show", "course", "1"),
    **{f"show {name}": ("show", name) for name in ("history", "statistics", "evening", "tables")},
}
FILES = {
    "a table": b"name;points\rAnna;3\r",
    "a record": RECORD.encode(),
    "a database": b"SQLite format 3\0" + bytes(5000),
    "nothing": b"",
}


def seen(folder: Path) -> dict[str, bytes]:
    """Return the names and the contents of all files in a folder."""
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


@pytest.fixture(name="place")
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (tmp_path / "record.txt").write_text(RECORD)
    (tmp_path / "keys.txt").write_text("5#")
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "games"


def words_of(place: Path, words: tuple[str, ...]) -> list[str]:
    files = {name: str(place.parent.parent / f"{name.lower()}.txt") for name in ("RECORD", "KEYS")}
    return [files.get(word, word) for word in words]


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_refused_and_left_as_it_is(place: Path, command: str, kind: str) -> None:
    place.write_bytes(FILES[kind])
    before = seen(place.parent)
    said = refused(*words_of(place, COMMANDS[command]), "--store", place)
    assert f"{place} is a file, not a folder of games: name another --store FOLDER" in said
    assert seen(place.parent) == before


@pytest.mark.parametrize("path", ["", ".", "/"])
@pytest.mark.parametrize("command", ["play", *COMMANDS])
def test_a_path_without_a_name_is_no_folder_of_games(
    place: Path, monkeypatch: pytest.MonkeyPatch, command: str, path: str
) -> None:
    """An empty path comes from a variable of a shell that is not set."""
    monkeypatch.chdir(place.parent)
    words = words_of(place, COMMANDS.get(command, PLAY))
    assert "is no folder of games: name a --store FOLDER" in refused(*words, "--store", path)
    assert seen(place.parent) == {}


def test_a_table_whose_folder_is_a_file_says_so_in_its_first_frame_and_plays_on(
    place: Path,
) -> None:
    place.write_bytes(b"x")
    result = run(*words_of(place, PLAY), "--store", place)
    assert "A file is where games go" in result.stdout.splitlines()[0]
    assert "Ben" in result.stdout.splitlines()[-1]
    assert result.exit_code == 1
    assert "could not be written: the last moves are lost" in result.stderr
    assert place.read_bytes() == b"x"


@pytest.mark.parametrize("words", [("report", "REPORT"), ("report", "-")])
def test_a_report_is_written_about_a_file_without_touching_it(
    place: Path, words: tuple[str, ...]
) -> None:
    place.write_bytes(b"x")
    report = str(place.parent.parent / "report.txt")
    assert run(*(w.replace("REPORT", report) for w in words), "--store", place).exit_code == 0
    assert seen(place.parent) == {"games": b"x"}


@pytest.mark.parametrize("words", [PLAY, COMMANDS["import"]])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_missing_or_an_empty_folder_becomes_a_store(
    place: Path, words: tuple[str, ...], is_there: bool
) -> None:
    if is_there:
        place.mkdir()
    assert run(*words_of(place, words), "--store", place).exit_code == 0
    store = Store(place)
    assert store.count_games() == 1
    store.close()
