"""Who looks back sees which seats the companion played: it is nobody's namesake."""

from pathlib import Path

import pytest

from engines.game import steps
from engines.record import begin, parse
from pi_app.past.evening import evening_of, evenings
from pi_app.past.outcomes import outcomes
from pi_app.past.statistics import Statistics, count
from pi_app.phones.history import game_data, page_data, statistics_data
from pi_app.screens.playing.evening import pause
from pi_app.store import Store
from pi_app.table.default_names import companion_display_name
from pi_app.table.players import BotSeats
from pi_app.texts.language import Texts
from tests.pi_app.commands.called import printed
from tests.pi_app.pilot import Pilot, add_games, choices_of

WON = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
WON += '[Position "yellow 2 3 4; red 1 14 30"]\n[Start "Ben"]\n12+12\n'
MARK = "Ben (Beisitzer)"


def stored(place: Path | str = ":memory:") -> Store:
    """Return a store with two games of Anna and Ben: in the second the companion is Ben."""
    store, record = Store(place), parse(WON)
    _, position = begin(record)
    for step in steps(position, record.tokens):
        position = step.after
    for hour in (19, 20):
        began = f"2026-03-01T{hour}:00:00+00:00"
        add_games(store, [(record.tags, record.tokens, began, position.result)])
    BotSeats(store, 2).give({"Ben": "club", "Anna": None})
    return store


def counted(store: Store) -> Statistics:
    (game,) = count(outcomes(store, finished=True))
    return game


@pytest.mark.parametrize(
    ("name", "called"),
    [("Ben", MARK), ("Beisitzer", "Beisitzer"), ("Beisitzer 2", "Beisitzer 2")],
)
def test_a_persons_name_on_the_companions_seat_says_whose_it_is(name: str, called: str) -> None:
    assert companion_display_name(name) == called


def test_the_lists_and_pages_of_the_history_say_who_was_the_companion() -> None:
    pilot = Pilot(store=stored())
    frame = pilot.choose("History", "Games")
    assert choices_of(frame).items == (
        f"1 Mar Just 4 Fun: Anna, {MARK}",
        "1 Mar Just 4 Fun: Anna, Ben",
    )
    assert frame.body.lines == (f"{MARK} wins!",)
    assert MARK in frame.extras.details
    frame = pilot.key("#")
    assert choices_of(frame).items == (f"1 {MARK} 12+12 = 24",)
    assert [seat.name for seat in frame.extras.seats] == ["Anna", MARK]
    assert frame.header.corner == f"{MARK} wins!"
    assert pilot.key("#").body.lines == (f"Anna, {MARK}", f"{MARK} wins!")
    shown = pilot.choose("Points")
    assert [line.name for line in shown.board.curves] == ["Anna", MARK]
    assert [seat.name for seat in shown.extras.seats] == ["Anna", MARK]


def test_statistics_keep_the_companion_apart_from_its_namesake() -> None:
    game = counted(stored())
    assert {one.names[0]: one.won[0] for one in game.players} == {"Anna": 0, "Ben": 1, MARK: 1}
    assert {pair.names for pair in game.pairs} == {("Anna", "Ben"), ("Anna", MARK)}


def test_an_evening_keeps_the_companion_apart_from_its_namesake() -> None:
    store = stored()
    longest = pause(Pilot().ctx)
    (together,) = evenings(outcomes(store, finished=True), longest, {})
    assert together.names == ("Anna", "Ben", MARK)
    last = evening_of(store, 2, longest)
    assert last is not None
    assert last.names == together.names


def test_the_command_line_says_who_was_the_companion(tmp_path: Path) -> None:
    place = tmp_path / "games"
    stored(place).close()
    words = ("--store", place, "--lang", "en")
    _, first, latest = printed("show", "history", *words).splitlines()
    assert f"Anna, {MARK}  {MARK} wins!" in latest
    assert "Anna, Ben  Ben wins!" in first
    assert f"   1  {MARK}  12+12" in printed("show", "history", "2", *words)
    assert f"{MARK} won 1 of 1 game" in printed("show", "statistics", "just4fun", *words)


def test_the_pages_of_a_phone_say_who_was_the_companion(tmp_path: Path) -> None:
    place, tx = tmp_path / "games", Texts("en")
    store = stored(place)
    rows = page_data(tx, store)["games"]
    assert [row["players"] for row in rows] == [f"Anna, {MARK}", "Anna, Ben"]
    assert rows[0]["result"] == f"{MARK} wins!"
    told = game_data(tx, store, 2)
    assert told is not None
    assert told["players"] == f"Anna, {MARK}"
    assert [curve["name"] for curve in told["curves"]] == ["Anna", MARK]
    (report,) = statistics_data(tx, store)["reports"]
    assert f"{MARK} won 1 of 1 game (100 %)." in report["lines"]
