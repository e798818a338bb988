"""Boards of one's own: as files, keyed at the table, played on, embedded in the record."""

from pathlib import Path

import pytest

from engines.notation import Fault
from engines.record import Record, begin, parse, write
from hardware.keys import Key
from pi_app.table.boards import (
    board_toml,
    load_board,
    make_board,
    own_boards,
    read_board,
    save_board,
    shipped_boards,
)
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import Pilot, choices_of

BACKWARDS = [str(number) for number in range(36, 0, -1)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path / "boards"))
    return tmp_path / "boards"


def classic() -> list[str]:
    return shipped_boards("sequence")[0].data.split()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('game = "einmaleins"\nname = "x"', "game"),
        ('game = "chess"\nname = "x"', "game"),
        ('name = "x"', "game"),
        ('game = "numeri"\nname = "a/90"\nvalues = [1, 2, 3]', "name"),
        ('game = "numeri"\nname = "x"\nvalues = [1, 2]', "values"),
        ('game = "numeri"\nname = "x"\nvalues = [1, 2, -3]', "values"),
        ('game = "just4fun"\nname = "x"\nfields = [[1]]', "fields"),
        ('game = "sequence"\nname = "x"\nsquares = ["AS"]', "squares"),
        ("game = ", ""),
    ],
)
def test_a_wrong_board_is_refused_with_its_key(text: str, key: str) -> None:
    with pytest.raises(Fault) as caught:
        read_board(text)
    assert caught.value.place == key


@pytest.mark.parametrize("game", ["just4fun", "numeri", "sequence"])
def test_a_board_reads_back_from_its_file(game: str) -> None:
    for shipped in shipped_boards(game):
        board = make_board(game, "mine ü \\ x", shipped.data.split())
        assert read_board(board_toml(board)) == board


def test_a_board_is_kept_once_and_replaced_only_when_asked(folder: Path) -> None:
    save_board(make_board("just4fun", "mine", BACKWARDS))
    other = make_board("just4fun", "mine", [*BACKWARDS[1:], "36"])
    with pytest.raises(Fault, match="kept-name"):
        save_board(other)
    save_board(other, replace=True)
    assert [board.data for board in own_boards()] == [other.data]
    assert len(list(folder.iterdir())) == 1


def test_no_board_takes_the_name_of_a_shipped_one() -> None:
    with pytest.raises(Fault, match="shipped-name"):
        save_board(make_board("just4fun", "kosmos-2006", BACKWARDS))


def test_a_file_with_a_mistake_hides_no_other(folder: Path) -> None:
    save_board(make_board("just4fun", "mine", BACKWARDS))
    (folder / "a.toml").write_bytes(b"\xff\x00")
    (folder / "b.toml").write_text("x" * 70_000)
    assert [board.name for board in own_boards()] == ["mine"]


@pytest.mark.parametrize(
    "text",
    [
        "values = [" + "9" * 5_000 + "]",
        "values = [\n" + "9" * 4_090 + "\n" + "8" * 20 + "]",
        "values = " + "[" * 1_000 + "]" * 1_000,
        "values = " + "[\n" * 1_000 + "]" * 1_000,
        "x = " + "{a=" * 1_000 + "1" + "}" * 1_000,
        "a." * 10_000 + "a = 1",
    ],
)
def test_a_board_file_beyond_measure_is_one_line_and_hides_no_other(
    folder: Path, text: str
) -> None:
    save_board(make_board("numeri", "Short", ["1", "2", "3", "4", "5", "6", "7"]))
    wrong = folder / "a.toml"
    wrong.write_text(f'game = "numeri"\nname = "Wild"\n{text}\n', "utf-8")
    assert [board.name for board in own_boards("numeri")] == ["Short"]
    result = run("boards", "check", wrong)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) - len(str(wrong)) <= 200
    listed = run("boards")
    assert listed.exit_code == 0
    assert "Short" in listed.stdout


# --- at the table


def test_a_just4fun_board_is_keyed_played_on_and_embedded(folder: Path) -> None:
    pilot = Pilot()
    pilot.choose("Boards", "Just 4 Fun", "New board")
    pilot.key("6#")
    for number in BACKWARDS:
        pilot.key(f"{number}#")
    assert load_board(next(folder.iterdir())).data.split() == BACKWARDS
    assert "M" in choices_of(pilot.frame).items
    pilot.key("<<<" if pilot.frame.header.title == "Beisitzer" else "< <")
    pilot.choose("Just 4 Fun", "Which board", "M", "Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Board"] == "M"
    assert stored.tags["BoardData"] == " ".join(BACKWARDS)
    _, position = begin(parse(write(Record(stored.tags, stored.tokens))))
    assert position.terms.board.fields[0] == 36  # type: ignore[attr-defined]


def test_keys_in_the_list_of_boards_read_no_file_again(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir()
    (folder / "wrong.toml").write_text("game = ")
    pilot = Pilot()
    pilot.choose("Boards", "numeri")
    for key in (Key.DOWN, Key.UP, Key.DOWN):
        pilot.key([key])
    assert caplog.text.count("is left out") == 1


def test_the_set_up_remembers_the_board() -> None:
    save_board(make_board("just4fun", "mine", BACKWARDS))
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Which board", "mine", "Start")
    pilot.key("?")
    pilot.choose("New game", "Just 4 Fun", "mine", "kosmos", "Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert not {"Board", "BoardData"} & set(stored.tags)


def test_own_sequence_boards_are_turned_at_set_up() -> None:
    save_board(make_board("sequence", "mine", classic()))
    pilot = Pilot()
    pilot.choose("Sequence", "Which board", "mine", "Board lies", "to the right", "Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    _, shipped = begin(
        Record({"Game": "sequence", "Players": "A blue, B green", "Board": "classic/90"})
    )
    assert stored.tags["Board"] == "mine/90"
    assert tuple(stored.tags["BoardData"].split()) == shipped.codes  # type: ignore[attr-defined]


def test_a_game_wished_on_the_command_line_takes_an_own_board() -> None:
    save_board(make_board("just4fun", "mine", BACKWARDS))
    pilot = Pilot.game("just4fun", Board="mine")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["BoardData"] == " ".join(BACKWARDS)


def test_a_board_that_is_gone_is_not_remembered() -> None:
    path = save_board(make_board("just4fun", "mine", BACKWARDS))
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Which board", "mine", "Start")
    path.unlink()
    pilot.key("?")
    pilot.choose("New game", "Just 4 Fun", "Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert "Board" not in stored.tags


# --- the command


def test_the_command_adds_lists_and_shows(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(board_toml(make_board("just4fun", "mine", BACKWARDS)), "utf-8")
    assert run("boards", "check", file).exit_code == 0
    assert not folder.exists()
    assert run("boards", "add", file).exit_code == 0
    assert "mine" in run("boards").stdout
    assert "36 35 34" in run("boards", "show", "mine").stdout
    again = run("boards", "add", file)
    assert (again.exit_code, len(again.stderr.splitlines())) == (2, 1)
