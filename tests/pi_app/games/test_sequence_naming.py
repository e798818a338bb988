"""Five chips in a line that nobody named as a sequence: the table is asked, however they came."""

from collections.abc import Callable

import pytest

from engines.sequence.rules import SequencePosition
from hardware.keys import Key
from pi_app.screens.base import DeclinedError
from pi_app.store import Store
from pi_app.view.frame import Frame, Mark
from tests.pi_app.pilot import Pilot, marked

TWO = "Anna blue, Ben green"
FIVE = "green r5c3 r5c4 r5c5 r5c6 r5c7"
FOUR = "green r5c3 r5c4 r5c5 r5c6"
SIX = "green r5c3-r5c7 r5c8"
NAMED = "<green r5c3-r5c7>"
ASKED = "Five in a row count nothing yet. Which are a sequence?"


def items(frame: Frame) -> tuple[str, ...]:
    return () if frame.body.choices is None else frame.body.choices.items


def asks(pilot: Pilot) -> bool:
    return pilot.frame.body.lines[:1] == (ASKED,)


def begun(position: str, **tags: str) -> Pilot:
    return Pilot.game("sequence", TWO, Position=position, **tags)


def by_tag() -> Pilot:
    return begun(FIVE)


def by_set_up() -> Pilot:
    pilot = Pilot()
    pilot.choose("Sequence", "Position")
    for column in range(3, 8):
        pilot.key(f"*5*{column}# 2")
    pilot.key("? #")
    pilot.choose("Start")
    return pilot


def by_checking_the_table() -> Pilot:
    pilot = begun(FOUR)
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key("*5*7# 2 ?#")
    return pilot


def by_a_jack_that_breaks() -> Pilot:
    pilot = begun(SIX, Rules="one_eyed_breaks=yes")
    pilot.play_tokens(["JS-r5c3"])
    return pilot


def by_the_history() -> Pilot:
    pilot = begun(SIX, Rules="one_eyed_breaks=yes")
    pilot.play_tokens(["JS-r5c8", "2S@r1c2"])
    pilot.key("?")
    pilot.choose("Moves")
    pilot.key("1#")
    pilot.choose("Change")
    pilot.key("11*1")
    pilot.program.tap("r5c3")
    pilot.key("# #")
    return pilot


def by_redo() -> Pilot:
    pilot = by_a_jack_that_breaks()
    pilot.key("<<")
    assert not asks(pilot)
    pilot.key("?")
    pilot.choose("Redo")
    return pilot


WAYS = [
    by_tag,
    by_set_up,
    by_checking_the_table,
    by_a_jack_that_breaks,
    by_the_history,
    by_redo,
]


@pytest.mark.parametrize("way", WAYS)
def test_whatever_way_five_unnamed_chips_came_the_table_is_asked_and_the_answer_counts(
    way: Callable[[], Pilot],
) -> None:
    pilot = way()
    assert asks(pilot)
    assert items(pilot.frame)[-1] == "none of them"
    moves = pilot.tokens()
    pilot.key("1")
    assert not asks(pilot)
    (answer,) = pilot.tokens()[len(moves) :]
    assert answer.startswith("<")
    position = pilot.table.position
    assert isinstance(position, SequencePosition)
    assert len(position.completed_sequences()["green"]) == 1
    assert position.unnamed_fives() == ()


def test_the_marked_five_is_shown_on_the_board_and_the_answer_is_a_correction() -> None:
    pilot = by_tag()
    assert items(pilot.frame) == ("green 7♣-A♥", "none of them")
    assert marked(pilot.frame, Mark.SELECTED) == {"r5c3", "r5c4", "r5c5", "r5c6", "r5c7"}
    pilot.key("#")
    assert pilot.tokens() == (NAMED,)


def test_none_of_them_is_remembered_in_the_record_also_after_a_restart() -> None:
    store = Store(":memory:")
    tags = {"Game": "sequence", "Players": TWO, "Position": FIVE}
    pilot = Pilot(tags, store=store)
    assert asks(pilot)
    pilot.restart()
    assert asks(pilot)
    pilot.choose("none of them")
    assert pilot.tokens() == (f"<{FIVE}>",)
    assert not asks(pilot)
    pilot.restart()
    assert not asks(pilot)
    pilot.play_tokens(["2S@r1c2"])
    assert not asks(pilot)
    pilot.key("<<")
    pilot.key("<<")
    assert asks(pilot)
    pilot.program.press(Key.BACK_HELD)
    assert asks(pilot)


def test_a_confirmed_turn_of_somebody_else_answers_nothing() -> None:
    pilot = by_tag()
    pilot.play_tokens([f"<{FIVE}; to-move=Ben>"])
    assert asks(pilot)


def test_the_five_that_wins_is_offered_first_and_ends_the_game() -> None:
    pilot = begun("blue r9c2 r9c3 r9c4 r9c5 r9c6; green r5c3 r5c4 r5c5 r5c6 r5c7 r3c3-r3c7")
    assert items(pilot.frame) == ("green 7♣-A♥ wins", "blue 7♠-3♠", "none of them")
    assert pilot.key("1").header.title == "Game over"


def test_each_five_that_is_left_is_asked_for_after_the_first() -> None:
    pilot = begun("green r5c1 r5c2 r5c3 r5c4 r5c5 r5c6; blue r9c2 r9c3 r9c4 r9c5 r9c6")
    assert len(items(pilot.frame)) == 4
    pilot.key("2")
    assert items(pilot.frame) == ("blue 7♠-3♠", "none of them")
    pilot.choose("none of them")
    assert not asks(pilot)


def test_until_it_is_answered_no_card_is_keyed_or_tapped_and_no_phone_plays() -> None:
    pilot = by_tag()
    pilot.program.tap("r1c2")
    pilot.key("*<")
    assert asks(pilot)
    with pytest.raises(DeclinedError, match="which five are a sequence"):
        pilot.turn_screen.turn.judge("2S@r1c2")
    assert pilot.key("?").header.title == "Menu"


def test_a_companion_to_move_waits_for_the_answer() -> None:
    pilot = by_tag()
    pilot.key("?")
    pilot.choose("Companion", "Anna", "club")
    assert asks(pilot)
    pilot.key("1")
    assert pilot.tokens() == (NAMED,)


NINE = "blue r2c2 r2c3 r2c4 r2c5 r2c7 r2c8 r2c9 r2c10; green r5c5"


@pytest.mark.parametrize(
    ("position", "rules"),
    [
        (NINE, "sequences=1"),
        ("blue r2c2 r2c3 r2c4 r2c5 r2c7; green r5c5", "sequences=1"),
        ("blue r2c2 r2c3 r2c4 r2c5 r2c7 r9c2-r9c6; green r5c5", ""),
    ],
)
def test_where_every_five_wins_nobody_is_asked(position: str, rules: str) -> None:
    pilot = begun(position, **({"Rules": rules} if rules else {}))
    pilot.key("1*2#")
    assert pilot.tokens() == ("AH@r2c6",)
    assert pilot.frame.header.title == "Game over"
