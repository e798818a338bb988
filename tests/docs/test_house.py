"""The drawing of the house is made from the code: few rooms, and no arrow that runs up."""

from pathlib import Path

from tools.house import arrows_up, floors, imports, needed_arrows, rooms_within, sentence

MOST = 28


def test_no_arrow_runs_up() -> None:
    assert imports()
    assert arrows_up() == []


def test_every_room_is_drawn_and_says_what_it_is() -> None:
    drawn = {room for floor in floors() for room in floor}
    there = {path.parent.name for path in Path("pi_app").glob("*/__init__.py")}
    assert drawn == there | {"engines", "hardware", "ai"}
    assert all(sentence(room) for room in drawn)


def test_a_stranger_can_count_the_rooms() -> None:
    rooms = [room for floor in floors()[:-2] for room in floor]
    assert len(rooms) + sum(len(rooms_within(room)) for room in rooms) <= MOST


def test_an_arrow_that_others_imply_is_left_out() -> None:
    assert set(needed_arrows()) < imports()
    assert ("commands", "network") in needed_arrows()
    assert ("commands", "store") in imports()
    assert ("commands", "store") not in needed_arrows()
