"""The history at the table: games found again, replayed, reopened; statistics; points."""

import json
from pathlib import Path

import pytest

from engines.game import steps
from engines.record import begin, parse
from hardware.keys import Key
from pi_app.displays.terminal_chart import chart_rows
from pi_app.store import Store, StoreLock
from pi_app.view.chart import curves, dots_of, highest, ticks
from pi_app.view.frame import Curve
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import Pilot, add_games, choices_of, picture_of, store_games

TWO = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
ROW = TWO + '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n'
POINTS = TWO + '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
RUNNING = '[Game "numeri"]\n[Players "Clara yellow, Ben red"]\n4 6 1 2\n'


def test_many_games_are_read_page_by_page() -> None:
    table = Pilot.after(*[ROW] * 11)
    frame = table.choose("History", "Games")
    assert len(choices_of(frame).items) == 8
    frame = table.key("v" * 9)
    assert frame.header.corner == "10/11"
    assert choices_of(frame).items[choices_of(frame).selected] == "2 Mar Just 4 Fun: Anna, Ben"
    assert table.key("vv").header.corner == "1/11"
    assert table.key("^").header.corner == "11/11"


def test_a_game_that_nobody_moved_in_is_no_history() -> None:
    table = Pilot.game("numeri")
    assert table.ctx.store.count_games() == 0
    assert table.ctx.store.list_games(5) == []


def test_a_game_opens_at_its_end_and_its_moves_are_gone_through_beside_the_board() -> None:
    table = Pilot.after(RUNNING)
    table.choose("History", "Games")
    frame = table.key("#")
    assert choices_of(frame).items == ("1 Clara 4→1", "2 Ben 6→2", "3 Clara 1→3", "4 Ben 2→4")
    assert (choices_of(frame).selected, frame.header.corner) == (3, "not finished")
    assert Key.BACK in {key.key for key in frame.keys.soft}, "a touch screen has no other way out"
    stones = [[cell.name for cell in picture_of(frame).cells if cell.tokens]]
    for key in ("^^", "1", "4"):
        frame = table.key(key)
        stones.append([cell.name for cell in picture_of(frame).cells if cell.tokens])
    assert stones == [["1", "2", "3", "4"], ["1", "2"], ["1"], ["1", "2", "3", "4"]]
    assert table.key("*").board.close_up
    assert table.key("<< <").header.title == "Games" or table.frame.header.title == "numeri"
    assert table.tokens() == ("4", "6", "1", "2")


def test_a_shelved_game_comes_back_to_the_table_and_the_other_goes_on_the_shelf() -> None:
    table = Pilot.after(RUNNING)
    table.choose("Just 4 Fun", "Start")
    table.key("5#?")
    table.choose("New game", "History", "Games")
    table.key("v##")
    assert table.choose("To the table").header.title == "Clara"
    assert table.ctx.store.game_on_table() == 1
    table.key("d3")
    assert table.ctx.store.load(1).tokens[:4] == ("4", "6", "1", "2")
    assert len(table.ctx.store.load(1).tokens) == 5
    assert Pilot(store=table.ctx.store).frame.header.title != "Beisitzer"
    table.key("?")
    table.choose("New game", "Continue")
    assert table.ctx.store.game_on_table() == 1


def test_a_finished_game_comes_back_with_its_result() -> None:
    table = Pilot.after(ROW)
    table.choose("History", "Games")
    table.key("##")
    assert table.choose("To the table").header.title == "Game over"
    table.key("<<")
    assert table.ctx.store.load(1).undone == ("12+12",)


def test_a_game_that_does_not_replay_is_said_and_left_alone() -> None:
    store = Store(":memory:")
    add_games(store, [({"Game": "just4fun", "Players": "A red"}, ("1",), "x", None)])
    table = Pilot(store=store)
    table.choose("History", "Games")
    assert table.key("#").body.lines == ("This game cannot be replayed by this version.",)


def test_continue_says_when_a_game_does_not_replay() -> None:
    store = Store(":memory:")
    store.append(store.begin({"Game": "just4fun", "Players": "A red"}), 0, "1", None)
    store.put_on_table(None)
    table = Pilot(store=store)
    assert table.choose("Continue").body.lines == ("This game cannot be replayed by this version.",)
    assert table.key("<").header.title == "Beisitzer"
    assert store.game_on_table() is None


# --- points


def test_the_points_are_those_of_every_position() -> None:
    game, start = begin(parse(TWO + "5+11+13 7 2+3"))
    course = [start, *(step.after for step in steps(start, ("5+11+13", "7", "2+3")))]
    found = curves(game, course)
    assert found == (
        Curve("Anna", "yellow", (0, 29, 29, 34)),
        Curve("Ben", "red", (0, 0, 7, 7)),
    )
    assert highest(found or ()) == 34


def test_games_without_points_have_no_curves() -> None:
    game, start = begin(parse('[Game "sequence"]\n[Players "A blue, B green"]'))
    assert curves(game, [start]) is None


def test_a_curve_stays_in_its_box() -> None:
    curve = Curve("Anna", "yellow", (0, 3, 10))
    assert dots_of(curve, 10, (5, 8, 100, 40)) == ((5, 47), (54, 36), (104, 8))
    assert dots_of(Curve("A", "red", (0,)), 1, (0, 0, 10, 10)) == ((0, 9),)


@pytest.mark.parametrize(
    ("most", "count", "numbers"),
    [
        (1, 5, (0, 1)),
        (34, 5, (0, 10, 20, 30)),
        (100, 5, (0, 20, 40, 60, 80, 100)),
        (101, 2, (0, 50, 100)),
        (7, 10, (0, 1, 2, 3, 4, 5, 6, 7)),
        (999, 2, (0, 500)),
    ],
)
def test_an_axis_has_round_numbers(most: int, count: int, numbers: tuple[int, ...]) -> None:
    assert ticks(most, count) == numbers


CURVES = (Curve("Anna", "yellow", (0, 0, 10)), Curve("Ben", "red", (0, 5, 10)))


def test_the_terminal_draws_the_points_between_numbered_axes() -> None:
    rows = chart_rows(CURVES, 40, 9)
    assert rows == [
        " 10┤                        #",
        "   │                         ",
        "   │                         ",
        "  5┤            x            ",
        "   │                         ",
        "  0┤#           o            ",
        "   └─────────────────────────",
        "    0           1           2",
        "o Anna 10  x Ben 10  # = o/x",
    ]


def test_a_terminal_without_room_draws_no_chart() -> None:
    assert chart_rows(CURVES, 9, 20) == []
    assert chart_rows(CURVES, 80, 4) == []


# --- the commands


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "t.db"
    games = Store(path)
    store_games(games, ROW, POINTS, RUNNING)
    games.close()
    return path


def test_what_is_exported_replays_and_comes_back(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert run("export", "--store", store, "--to", folder).exit_code == 0
    files = sorted(folder.iterdir())
    assert [run("check", file).exit_code for file in files] == [0, 0, 0]
    other = tmp_path / "other.db"
    result = run("import", "--store", other, *files)
    assert result.stdout == "imported: 3\n", result.stderr
    games = Store(other)
    assert [entry.began[:10] for entry in games.list_games(9)] == [
        "2026-03-03",
        "2026-03-02",
        "2026-03-01",
    ]
    assert games.game_on_table() is None
    games.close()
    assert run("import", "--store", other, *files).stdout == "imported: 0, 3 already there\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TWO + "5+11\n\n40", ":5:"),
        (TWO + "5+11 {", ":3:"),
        ('[Game "chess"]\n[Players "A red, B blue"]\n1', ":1:"),
        (ROW + "5", ":5:"),
        ("\0\0", ""),
    ],
)
def test_a_record_that_is_not_right_is_refused_whole(
    store: Path, tmp_path: Path, text: str, line: str
) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(TWO + "5 7", "utf-8")
    bad.write_text(text, "utf-8")
    before = sorted(store.iterdir())
    result = run("import", "--store", store, good, bad)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert f"bad.txt{line}" in result.stderr
    assert sorted(store.iterdir()) == before
    fresh = tmp_path / "fresh.db"
    assert run("import", "--store", fresh, bad).exit_code == 2
    assert not fresh.exists()


def test_an_import_leaves_the_game_on_the_table_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    games = Store(path)
    game = games.begin({"Game": "numeri", "Players": "Anna yellow, Ben red"})
    games.close()
    assert run("import", "--store", path, "-", text=RUNNING).exit_code == 0
    games = Store(path)
    assert games.game_on_table() == game
    games.close()


def test_an_import_beside_a_companion_is_refused_and_reading_is_not(store: Path) -> None:
    lock = StoreLock(store)
    try:
        result = run("import", "--store", store, "-", text=RUNNING)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
        assert run("show", "history", "--store", store).exit_code == 0
    finally:
        lock.close()
    games = Store(store)
    assert games.count_games() == 3
    games.close()


def test_json_says_what_programs_need(store: Path) -> None:
    exported = json.loads(run("export", "--json", "--store", store).stdout)
    assert [game["id"] for game in exported["games"]] == [3, 2, 1]
    assert exported["games"][2]["result"]["reason"] == "row"
    assert parse(exported["games"][2]["record"]).tokens == ("12+12",)


def test_comments_of_an_import_come_back_with_the_export(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text(
        "; an evening in March\n" + TWO + "1. 5+11+13 {Ben { sighs}  7 ; a}b\n"
        "2. 2+3\n{last\nword}\n",
        "utf-8",
    )
    store = ("--store", tmp_path / "games")
    assert run("import", record, *store).exit_code == 0
    exported = run("export", *store).stdout
    notes = [(0, "an evening in March"), (1, "Ben { sighs"), (2, "a}b"), (3, "last\nword")]
    assert [(note.before, note.text) for note in parse(exported).notes] == notes
