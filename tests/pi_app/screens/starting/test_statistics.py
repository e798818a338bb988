"""Statistics at the table, through its keys: lists, boards, charts, in both languages."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.displays.oled.board import boards
from pi_app.displays.terminal_paint import paint as paint_rows
from pi_app.screens.base import Stay
from pi_app.screens.starting.statistics import StatisticsScreen
from pi_app.store.store import Store
from pi_app.view.frame import Board, Frame
from tests.pi_app.pilot import Pilot, store_games

ROW = '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n[Position "{}"]\n9 12+12\n'
CHAIN = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1@30 2@31 3@32 4@33 5@34 6@35; red 1@1 2@2 3@3 4@4 5@36 6@37"]\n6\n'
)


def row(yellow: str, red: str) -> str:
    return ROW.format(yellow, red, "yellow 9 33; red 1 14 30")


def pilot(*records: str, language: str = "en") -> Pilot:
    store = Store(":memory:")
    store_games(store, *records)
    return Pilot(store=store, language=language)


def items(frame: Frame) -> tuple[str, ...]:
    assert frame.body.choices is not None
    return frame.body.choices.items


def test_each_game_has_what_there_is_of_it() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"), CHAIN)
    assert items(table.choose("History", "Statistics")) == ("Just 4 Fun: 2", "numeri: 1")
    everything = ("Overview", "Favourites", "Blocked fields", "Players", "Wins", "Pairs")
    assert items(table.key("#")) == everything
    table.key("<")
    assert "Blocked fields" not in items(table.key("2"))


def test_the_overview_says_how_games_were() -> None:
    table = pilot(row("Anna", "Ben"), row("Ben", "Anna"), row("Anna", "Ben"))
    assert table.choose("History", "Statistics", "Just", "Overview").body.lines == (
        "3 games",
        "moves on average: 2.0",
        "longest game: 2 moves",
        "who begins wins 0 % of them (50 % if that made no difference)",
        "favourite: 9 (3×)",
        "most often blocked: 9 (3×)",
        "longest row: 4 (Anna and Ben)",
    )


def test_favourite_fields_are_the_board_in_shades() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"))
    frame = table.choose("History", "Statistics", "Just", "Favourites")
    picture = frame.board.picture
    assert picture is not None
    assert picture.heat
    shades = {cell.name: (cell.shade, cell.note) for cell in picture.cells}
    assert (shades["9"], shades["24"], shades["1"]) == ((4, "2"), (4, "2"), (0, ""))
    assert frame.body.lines == ("9: 2×", "24: 2×")
    assert table.key("<").header.title == "Just 4 Fun"
    (cell,) = (
        cell
        for cell in (table.choose("Blocked").board.picture or picture).cells
        if cell.note == "2"
    )
    assert cell.name == "9"


def test_a_players_page_leads_to_the_players_fields() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"))
    assert items(table.choose("History", "Statistics", "Just", "Players")) == (
        "Ben 2/2",
        "Anna 0/2",
    )
    page = table.key("#")
    assert page.header.title == "Ben"
    assert page.body.lines[:4] == (
        "played: 2",
        "won: 2 (100 %)",
        "won by row: 2",
        "won one after the other: 2, now 2",
    )
    fields = table.key("*")
    assert fields.body.lines == ("24: 2×",)
    assert table.key("<").header.title == "Ben"


def test_a_pair_knows_who_won_how_often() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"), row("Ben", "Anna"))
    assert items(table.choose("History", "Statistics", "Just", "Pairs")) == ("Anna 1 – 2 Ben",)
    page = table.key("#")
    assert page.header.title == "Anna – Ben"
    assert page.body.lines == (
        "against each other: 3",
        "Anna won 1 (33 %)",
        "Ben won 2 (67 %)",
        "Ben won one after the other: 2",
    )


def test_the_chart_has_a_curve_for_each_player() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"), row("Ben", "Anna"))
    frame = table.choose("History", "Statistics", "Just", "Wins")
    assert frame.header.title == "Wins, 3 games"
    assert {curve.name: curve.points for curve in frame.board.curves} == {
        "Anna": (0, 0, 0, 1),
        "Ben": (0, 1, 2, 2),
    }
    assert table.key("<").header.title == "Just 4 Fun"


def test_seats_without_a_name_are_left_out() -> None:
    table = pilot(row("Yellow", "Ben"), row("Gelb", "Rot 2"))
    assert items(table.choose("History", "Statistics", "Just"))[3:] == ("Players", "Wins")
    assert items(table.choose("Players")) == ("Ben 1/1",)
    table.key("<")
    assert table.choose("Overview").body.lines[0] == "2 games"
    nobody = pilot(row("Yellow", "Red"))
    assert items(nobody.choose("History", "Statistics", "Just"))[-1] == "Blocked fields"


def test_it_speaks_german() -> None:
    table = pilot(row("Anna", "Ben"), language="de")
    table.choose("History", "Statistics", "Just")
    assert items(table.frame)[:2] == ("Überblick", "Am beliebtesten")
    lines = table.choose("Overview").body.lines
    assert lines[:2] == ("1 Spiel", "Züge im Schnitt: 2,0")
    assert "wer beginnt, gewinnt 0 % davon (50 %, wenn es gleich wäre)" in lines


def test_without_a_finished_game_it_says_so() -> None:
    table = pilot()
    assert table.choose("History", "Statistics").body.lines == ("No game was finished yet.",)
    assert table.key("<").header.title == "History"


def _done(act: Callable[[], None]) -> Stay:
    act()
    return Stay()


class Beside:
    """A loop that thinks only when a test says so."""

    def __init__(self, table: Pilot) -> None:
        self.program = table.program
        self.waiting: list[Callable[[], None]] = []
        self.posted: list[Callable[[], None]] = []
        table.ctx.worker.attach(self._post, self.waiting.append)

    def _post(self, act: Callable[[], None]) -> bool:
        self.posted.append(act)
        return True

    def think(self) -> None:
        for work in self.waiting:
            work()
        for act in self.posted:
            self.program.do(partial(_done, act))
        self.waiting.clear()
        self.posted.clear()


def test_games_are_counted_beside_the_loop(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store_games(store, row("Anna", "Ben"), row("Anna", "Ben"))
    table = Pilot(store=store)
    beside = Beside(table)
    assert table.choose("History", "Statistics").body.lines == ("Games are counted: 0 of 0",)
    assert table.key("5").header.title == "Statistics"
    beside.think()
    assert items(table.frame) == ("Just 4 Fun: 2",)
    assert (tmp_path / "games.db.derived").exists()
    assert items(table.key("#"))[0] == "Overview"


def test_how_far_the_counting_is_shows_anew_while_it_takes_long(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store_games(store, row("Anna", "Ben"))
    table = Pilot(store=store)
    Beside(table)
    table.choose("History", "Statistics")
    screen = table.program.screen
    assert isinstance(screen, StatisticsScreen)
    for done in (100, 200):
        screen.counting.progress = (done, 900)
        assert table.wait(1).body.lines == (f"Games are counted: {done} of 900",)


def test_leaving_stops_the_counting(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store_games(store, row("Anna", "Ben"))
    table = Pilot(store=store)
    beside = Beside(table)
    table.choose("History", "Statistics")
    assert table.key("<").header.title == "History"
    beside.think()
    assert table.frame.header.title == "History"
    assert not (tmp_path / "games.db.derived").exists()


def test_games_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store_games(store, row("Anna", "Ben"))
    table = Pilot(store=store)
    beside = Beside(table)
    table.choose("History", "Statistics")
    for path in tmp_path.glob("games.db*"):
        path.unlink()
    beside.think()
    assert table.frame.body.lines == ("The games cannot be counted now.",)
    assert table.key("<").header.title == "History"


@pytest.mark.parametrize("game", ["Just", "numeri"])
def test_the_small_display_shows_the_board_beside_the_words(game: str) -> None:
    table = pilot(row("Anna", "Ben"), CHAIN)
    frame = table.choose("History", "Statistics", game, "Favourites")
    with_board = paint(frame)
    (view, *_) = boards(frame)
    without = paint(replace(frame, board=Board()))
    assert with_board != without
    left = [with_board.get(x, y) for x in range(view.left - 2) for y in range(10, 50)]
    assert left == [without.get(x, y) for x in range(view.left - 2) for y in range(10, 50)]


def test_the_terminal_shades_the_board() -> None:
    table = pilot(row("Anna", "Ben"), row("Anna", "Ben"))
    frame = table.choose("History", "Statistics", "Just", "Favourites")
    rows = paint_rows(frame, 100, 40, lambda _, text: text)
    assert any(" 9 █2" in line for line in rows)
    assert any(" 1 ·" in line for line in rows)
    assert table.key([Key.BACK]).header.title == "Just 4 Fun"
