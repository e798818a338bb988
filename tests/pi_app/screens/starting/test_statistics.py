"""Statistics at the table, through its keys: lists, boards, charts, in both languages."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pi_app.screens.base import Stay
from pi_app.screens.starting.statistics import StatisticsScreen
from pi_app.store.store import Store
from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot, choices_of, store_games

ROW = '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n[Position "{}"]\n9 12+12\n'


def row(yellow: str, red: str) -> str:
    return ROW.format(yellow, red, "yellow 9 33; red 1 14 30")


def pilot(*records: str, language: str = "en") -> Pilot:
    store = Store(":memory:")
    store_games(store, *records)
    return Pilot(store=store, language=language)


def items(frame: Frame) -> tuple[str, ...]:
    return choices_of(frame).items


def test_seats_without_a_name_are_left_out() -> None:
    table = pilot(row("Yellow", "Ben"), row("Gelb", "Rot 2"))
    assert items(table.choose("History", "Statistics", "Just"))[3:] == ("Players", "Wins")
    assert items(table.choose("Players")) == ("Ben 1/1",)
    table.key("<")
    assert table.choose("Overview").body.lines[0] == "2 games"
    nobody = pilot(row("Yellow", "Red"))
    assert items(nobody.choose("History", "Statistics", "Just"))[-1] == "Blocked fields"


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
