"""Choosing from lists: the digit of a row takes it at once, and rows keep their digits."""

from collections.abc import Callable
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.games import SHIPPED
from hardware.keys import Key
from pi_app.displays.plain import frame_words
from pi_app.screens.base import Action, ListScreen, MenuScreen, Stay
from pi_app.screens.starting import home
from pi_app.table.presentation import PRESENTATIONS
from pi_app.view.frame import Choices, Signal, row_digits
from pi_app.view.keying import Marked, choose
from tests.pi_app.pilot import Pilot, choices_of


def listed(count: int, digits: tuple[str, ...] = ()) -> tuple[Pilot, list[int]]:
    """Return a pilot that shows a list, and where the rows that were taken are noted."""
    pilot = Pilot()
    taken: list[int] = []

    def take(index: int) -> Action:
        taken.append(index)
        return Stay()

    items = tuple(f"row {n}" for n in range(count))
    screen = ListScreen(pilot.ctx, "List", items, take)
    screen.digits = digits
    pilot.program.stack = [screen]
    pilot.program.show()
    return pilot, taken


@pytest.mark.parametrize(
    ("count", "keys", "taken"),
    [
        (3, "2", [1]),
        (9, "9", [8]),
        (10, "1", [0]),  # with ten rows nothing waits: 0 is the tenth
        (10, "0", [9]),
        (12, "2", [1]),
        (12, "1", []),  # 10, 11 and 12 may still come
        (12, "1#", [0]),
        (12, "12", [11]),
        (12, "19", []),
        (12, "19 1", [10]),  # what leads nowhere changes nothing
        (12, "1<2", [1]),
        (12, "1v#", [1]),
        (12, "0", []),
        (3, "4", []),
        (3, "v#", [1]),
    ],
)
def test_a_digit_takes_its_row_and_waits_only_where_another_can_come(
    count: int, keys: str, taken: list[int]
) -> None:
    pilot, noted = listed(count)
    pilot.key(keys)
    assert noted == taken


@pytest.mark.parametrize(
    ("keys", "taken"), [("0", [0]), ("10", [1]), ("1#", [1]), ("25", [4]), ("2", []), ("5", [])]
)
def test_where_rows_are_values_the_digits_are_the_value(keys: str, taken: list[int]) -> None:
    pilot, noted = listed(5, ("0", "10", "15", "20", "25"))
    pilot.key(keys)
    assert noted == taken


@given(st.integers(1, 60), st.data())
def test_every_row_is_taken_by_what_stands_before_it(count: int, data: st.DataObject) -> None:
    choices = Choices(tuple(map(str, range(count))))
    row = data.draw(st.integers(0, count - 1))
    marked: Marked | int | None = Marked()
    for key in (*choices.digit(row), Key.ENTER):
        if isinstance(marked, Marked):
            marked = choose(choices, marked, Key(key))
    assert marked == row
    assert len(set(row_digits(count))) == count


@pytest.mark.parametrize(
    ("lead", "key", "row"),
    [
        ('@"Just 4 Fun" @"Players"', "4", "4 players"),
        ('@"Just 4 Fun" @"Rounds"', "20", "20"),
        ('@"Just 4 Fun" @"Rounds"', "0", "all"),
        ('@"Sequence" @"Dead"', "0", "0"),
        ('@"Sequence" @"To win"', "3", "3"),
        ('@"Sequence" @"Players" 6 @"Teams"', "2", "2 teams"),
        ('@"Einmaleins" @"Free cards"', "2", "2"),
    ],
)
def test_a_number_is_chosen_by_keying_it(lead: str, key: str, row: str) -> None:
    choices = choices_of(Pilot().key(lead))
    assert choices.keyed[choices.items.index(row)] == key


BLUE = "Anna blue, Ben green"
MENU = ("Help", "Board", "Take back", "Redo", "Moves", "Check table", "Score now", "System")


def greyed(pilot: Pilot) -> set[str]:
    choices = choices_of(pilot.frame)
    return {choices.items[index] for index in choices.greyed}


@pytest.mark.parametrize(
    ("keys", "grey"),
    [
        ("", {"Take back", "Redo", "Moves"}),
        ("5#", {"Redo"}),
        ("5# <<", {"Take back", "Moves"}),
    ],
)
def test_the_menu_keeps_its_rows_and_greys_what_cannot_be_done(keys: str, grey: set[str]) -> None:
    pilot = Pilot.game("just4fun")
    choices = choices_of(pilot.key(f"{keys} ?"))
    assert choices.items == (*MENU, "New game", "Companion")
    assert choices.keyed == tuple("1234567890")
    assert greyed(pilot) == grey


@pytest.mark.parametrize(
    ("make", "keys", "why"),
    [
        (lambda: Pilot.game("just4fun"), "? 4", "Nothing was taken back."),
        (lambda: Pilot.game("just4fun"), "? 3", "No move was made yet."),
        (lambda: Pilot.game("sequence", BLUE), "? 7", "This game has no points."),
        (lambda: Pilot.game("sequence", BLUE), "^ 4", "Nobody drew a card yet."),
        (Pilot, '@"Continue"', "No game waits."),
    ],
)
def test_a_greyed_row_says_why_until_the_next_key(
    make: Callable[[], Pilot], keys: str, why: str
) -> None:
    pilot = make()
    title = pilot.key(keys).header.title
    assert pilot.frame.body.lines == (why,)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("v").body.lines == ()
    assert pilot.frame.header.title == title


def test_home_begins_with_the_game_that_waits_and_names_it() -> None:
    pilot = Pilot()
    assert (choices_of(pilot.frame).items[0], choices_of(pilot.frame).selected) == ("Continue", 1)
    assert greyed(pilot) == {"Continue"}
    pilot.key('@"numeri" # @"Start" d4 ? @"New game"')
    assert (choices_of(pilot.frame).items[0], choices_of(pilot.frame).selected) == (
        "Continue: numeri",
        0,
    )
    assert choices_of(pilot.frame).sentence(0) == "Continue: numeri (Yellow, Red)"
    assert greyed(pilot) == set()
    pilot.key("1")
    assert pilot.tokens() == ("4",)


def test_a_game_that_was_set_up_as_it_ended_does_not_wait() -> None:
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30 24; red 2 3 4")
    assert pilot.frame.header.title == "Game over"
    pilot.key("<")
    assert pilot.frame.header.title == "Beisitzer"
    assert greyed(pilot) == {"Continue"}
    assert pilot.ctx.store.game_on_table() is None


@pytest.mark.parametrize("count", [4, 5, 6, 12])
def test_no_digit_waits_in_the_first_menu_however_many_games_are_installed(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [*SHIPPED, *[f"game{n}" for n in range(count)]][:count]
    presentations = {name: PRESENTATIONS[name if name in SHIPPED else "numeri"] for name in names}
    monkeypatch.setattr(home, "playable_games", lambda: names)
    monkeypatch.setattr(home, "PRESENTATIONS", presentations)
    pilot = Pilot()
    choices = choices_of(pilot.frame)
    assert {len(digits) for digits in choices.keyed} == {1}
    assert choices.items[1:5] == tuple(
        PRESENTATIONS[name].name(pilot.ctx.texts) for name in SHIPPED
    )
    more = 0
    if "More games" in choices.items:
        frame = pilot.choose("More games")
        more = len(choices_of(frame).items) - 1
        assert {soft.key for soft in frame.keys.soft} == {Key.ENTER, Key.BACK, Key.STAR}
        pilot.key("1")
        assert pilot.frame.header.title == "Which numeri?"
    assert len(choices.items) + more == 5 + count


def test_what_is_greyed_and_what_is_keyed_is_told_to_a_screen_reader() -> None:
    rows = frame_words(Pilot.game("just4fun").key("?"))["choices"]["items"]
    assert [row["text"] for row in rows if row["greyed"]] == ["Take back", "Redo", "Moves"]
    assert [row["digit"] for row in rows] == list("1234567890")


def test_a_menu_looks_for_its_lines_once_for_each_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Pilot().program.screen
    assert isinstance(screen, MenuScreen)
    entries = Mock(wraps=screen.entries)
    monkeypatch.setattr(screen, "entries", entries)
    screen.choices()
    assert entries.call_count == 1
