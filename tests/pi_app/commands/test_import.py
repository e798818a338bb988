"""Import of files of games: each game once, by its id; what is wrong with one is told."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engines.game import Result
from pi_app.store import Reader, Store
from pi_app.store.journal import FactLines
from tests.pi_app.commands.called import run
from tests.pi_app.store.faults import TAGS

WON = Result(("Anna",), "points", {})


@pytest.fixture(name="theirs")
def _theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    store = Store(tmp_path / "theirs")
    for moves in (("5", "6"), ("7", "8", "9")):
        game = store.begin(TAGS)
        for n, token in enumerate(moves):
            store.append(game, n, token, None)
    store.remember("players", '[{"name": "Anna"}]')
    store.close()
    return tmp_path / "theirs"


def files_of(place: Path) -> list[Path]:
    return sorted(place.glob("000*.jsonl"))


def take(theirs: Path, *options: str, status: int = 0) -> str:
    """Import all games of a folder; return what is printed."""
    result = run("import", *options, *files_of(theirs), "--store", theirs.parent / "ours")
    assert result.exit_code == status, result.output
    return result.stderr if status else result.stdout


def moves_in(place: Path) -> dict[int, tuple[str, ...]]:
    with closing(Reader.of(place)) as games:
        return {entry.id: games.load(entry.id).tokens for entry in games.list_games()}


def test_a_copied_game_is_the_same_and_comes_once(theirs: Path) -> None:
    ours = theirs.parent / "ours"
    assert take(theirs) == "imported: 2\n"
    assert [path.read_bytes() for path in files_of(ours)] == [
        path.read_bytes() for path in files_of(theirs)
    ]
    assert take(theirs) == "imported: 0, 2 already there\n"
    assert moves_in(ours) == {1: ("5", "6"), 2: ("7", "8", "9")}


def test_a_number_that_is_taken_here_is_given_anew_and_a_file_may_have_any_name(
    theirs: Path,
) -> None:
    own = Store(theirs.parent / "ours")
    own.append(own.begin(TAGS), 0, "12", None)
    own.close()
    first, second = files_of(theirs)
    named = theirs / "of anna.jsonl"
    second.rename(named)
    result = run("import", first, named, "--store", theirs.parent / "ours")
    assert result.stdout == "imported: 2\n"
    assert moves_in(theirs.parent / "ours") == {1: ("12",), 2: ("5", "6"), 3: ("7", "8", "9")}


def test_a_game_that_went_on_there_takes_the_place_of_its_beginning(theirs: Path) -> None:
    take(theirs)
    other = Store(theirs)
    other.append(2, 3, "10", WON)
    other.close()
    assert take(theirs) == "imported: 1, 1 already there\n"
    assert moves_in(theirs.parent / "ours")[2] == ("7", "8", "9", "10")


def test_a_deleted_game_comes_back_only_if_that_is_asked_for(theirs: Path) -> None:
    take(theirs)
    store = Store(theirs.parent / "ours")
    store.delete(1)
    store.close()
    said = "imported: 0, 1 already there, 1 deleted there (--deleted imports them, too)\n"
    assert take(theirs) == said
    assert take(theirs, "--deleted") == "imported: 1, 1 already there\n"
    assert sorted(moves_in(theirs.parent / "ours").values()) == [("5", "6"), ("7", "8", "9")]
    store = Store(theirs.parent / "ours")
    assert store.deleted_games() == []
    assert take(theirs) == "imported: 0, 2 already there\n"


def flip(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"6"', b'"7"'))


def spoil_the_head(path: Path) -> None:
    path.write_bytes(b"x" + path.read_bytes()[1:])


def make_newer(path: Path) -> None:
    newer = FactLines()
    newer.add([{"game": 1, "format": 2, "what": "we do not know"}])
    path.write_bytes(newer.data)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (flip, "Game 1 is damaged: move 2 and what follows it cannot be read."),
        (make_newer, "Game 1 was written by a newer Beisitzer: update this one."),
    ],
)
def test_a_damaged_or_newer_game_is_copied_as_it_is_and_told(
    theirs: Path, change: Callable[[Path], None], told: str
) -> None:
    change(files_of(theirs)[0])
    assert told in take(theirs, status=1)
    (first, _) = files_of(theirs.parent / "ours")
    assert first.read_bytes() == files_of(theirs)[0].read_bytes()
    assert take(theirs) == "imported: 0, 2 already there\n"


@pytest.mark.parametrize("content", [b"", b"no game\n", b"\xff\n", b'[Game "just4fun"]\n'])
def test_a_file_without_a_game_is_refused_and_nothing_is_stored(
    theirs: Path, content: bytes
) -> None:
    (theirs / "0003-x.jsonl").write_bytes(content)
    assert "0003-x.jsonl: no game can be read in it" in take(theirs, status=2)
    assert not (theirs.parent / "ours").exists()


def test_a_head_that_cannot_be_read_is_refused(theirs: Path) -> None:
    spoil_the_head(files_of(theirs)[0])
    assert "no game can be read in it" in take(theirs, status=2)


def test_what_is_known_of_people_comes_too_and_what_is_known_here_stays(theirs: Path) -> None:
    own = Store(theirs.parent / "ours")
    own.remember("draft", "ours")
    own.close()
    other = Store(theirs)
    other.remember("draft", "theirs")
    other.close()
    run("import", theirs / "people.jsonl", "--store", theirs.parent / "ours")
    store = Store(theirs.parent / "ours")
    assert (store.recall("draft"), store.recall("players")) == ("ours", '[{"name": "Anna"}]')
    assert store.game_on_table() is None


def test_a_record_of_a_game_that_was_copied_is_already_there(theirs: Path) -> None:
    take(theirs)
    record = theirs / "one.txt"
    record.write_text(run("export", "1", "--store", theirs).stdout)
    both = run("import", record, files_of(theirs)[1], "--store", theirs.parent / "ours")
    assert both.stdout == "imported: 0, 2 already there\n"
