"""Only settling: stones keyed without a game, what follows from them, the settling, the history."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pi_app.commands.cli import main
from pi_app.store import Store
from pi_app.view.frame import Entry, Tone
from tests.pi_app.pilot import Pilot, choices_of, entry_of


def settling(game: str) -> Pilot:
    pilot = Pilot()
    pilot.choose("Only score", game, "Key the stones")
    return pilot


def test_only_games_with_points_are_offered() -> None:
    frame = Pilot().choose("Only score")
    assert choices_of(frame).items == ("Just 4 Fun", "numeri")


def test_who_played_is_asked_and_nothing_that_changes_no_settling() -> None:
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Red", "Plays", "best")
    pilot.key("< <")
    frame = pilot.choose("Only score", "Just 4 Fun")
    assert "best" not in " ".join(
        map(choices_of(frame).sentence, range(len(choices_of(frame).items)))
    )
    frame = pilot.choose("(R)")
    assert choices_of(frame).items == ("Name", "Colour", "Sits earlier", "Sits later")


def test_two_fields_are_settled_with_ten_keys() -> None:
    pilot = settling("Just 4 Fun")
    frame = pilot.key("23 30  7 1#2#  #")
    assert (frame.header.title, frame.body.lines[0]) == ("Score", "Yellow wins!")
    assert frame.body.lines[1:3] == ("Yellow: 23 points", "Red: 7 points")


def test_a_field_that_no_digit_can_follow_is_gone_to_at_once() -> None:
    pilot = settling("Just 4 Fun")
    assert entry_of(pilot.frame).text == "_"
    assert pilot.key("3").body.lines[0].startswith("A field's number")  # 3, or 30 to 36
    assert pilot.key("6").body.lines == ("►Yellow 0", " Red 0")


@pytest.mark.parametrize(
    ("keys", "said"),
    [("37", "37 is no field"), ("23 2", ""), ("23 21", "numbers from 0 to 20")],
)
def test_a_number_that_cannot_be_says_why(keys: str, said: str) -> None:
    pilot = settling("Just 4 Fun")
    entry = entry_of(pilot.key(keys))
    assert (entry.verdict, entry.tone is Tone.BAD) == (said, said != "")
    assert entry_of(pilot.key("<")).tone is not Tone.BAD, "C deletes it"


def test_a_field_can_be_gone_to_again_and_corrected() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("23 30 23")
    assert pilot.frame.body.lines == ("►Yellow 3", " Red 0")
    frame = pilot.key("1#2# #")
    assert frame.body.lines[0] == "Red wins!"


def test_the_settling_can_be_corrected() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("23 30 #")
    assert pilot.frame.header.title == "Score"
    pilot.key("<")
    assert pilot.frame.body.lines == ("23: Yellow 3",)
    assert pilot.key("34 05 #").body.lines[0] == "Red wins!"


def test_stones_in_hand_follow_and_are_not_asked() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("23 30 #")
    pilot.key("#")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Position"] == "yellow left=17 23x3; red left=20"


def test_the_settling_is_kept_in_the_history_where_it_is_wanted() -> None:
    pilot = settling("numeri")
    assert pilot.key("36?").header.title == "Score"
    frame = pilot.key("#")
    assert frame.body.lines == ("Kept in the history.", "Yellow wins!")
    assert pilot.key("#").header.title == "Beisitzer"
    (entry,) = pilot.ctx.store.list_games(5)
    assert (entry.game, entry.winners) == ("numeri", ("Yellow",))
    assert pilot.ctx.store.game_on_table() is None
    frame = pilot.choose("History", "Games")
    assert frame.body.lines == ("Yellow wins!",)
    assert pilot.key("#").body.choices is not None


def test_a_settling_that_is_not_wanted_leaves_nothing() -> None:
    pilot = settling("numeri")
    pilot.key("36??")
    assert pilot.frame.header.title == "Beisitzer"
    assert pilot.ctx.store.count_games() == 0


def test_the_game_on_the_table_stays_there() -> None:
    pilot = Pilot.game("numeri")
    pilot.key("d4 ?")
    pilot.choose("New game", "Only score", "Just 4 Fun", "Key the stones")
    pilot.key("23 30 # #")
    assert pilot.ctx.store.game_on_table() == 1


def test_back_leads_out_number_by_number() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("23 3 <")
    assert pilot.frame.body.lines == ("►Yellow 3", " Red 0")
    pilot.key("<<")
    assert pilot.frame.header.title == "Just 4 Fun"


@pytest.mark.parametrize("game", ["Just 4 Fun", "numeri"])
def test_an_empty_table_is_not_settled(game: str) -> None:
    pilot = settling(game)
    entry = entry_of(pilot.key("?"))
    assert pilot.frame.header.title == "Only score"
    assert (entry.verdict, entry.tone) == ("no stone lies anywhere yet", Tone.BAD)


def test_holding_back_clears_a_fields_number_and_only_then_leaves() -> None:
    pilot = settling("Just 4 Fun")
    assert pilot.key("3").body.entry == Entry("3", "which field?")
    assert pilot.key("<<").body.entry == Entry("_", "which field?")
    assert pilot.key("<<").header.title == "Just 4 Fun"


@pytest.mark.parametrize(
    ("game", "keys"), [("Just 4 Fun", "23 30 7 1#2# # #"), ("numeri", "36 35 0000 34 00000 #")]
)
def test_a_kept_settling_comes_back_as_what_it_was(game: str, keys: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    pilot = Pilot(store=path)
    pilot.choose("Only score", game, "Key the stones")
    pilot.key(keys)
    (was,) = pilot.ctx.store.list_games(5)
    pilot.ctx.store.close()
    record = tmp_path / "record.txt"
    run = CliRunner().invoke
    record.write_text(run(main, ["export", "--store", str(path)]).output, "utf-8")
    other = tmp_path / "other.db"
    assert run(main, ["import", str(record), "--store", str(other)]).exit_code == 0
    (came,) = (store := Store(other)).list_games(5)
    assert (came.game, came.winners, came.result) == (was.game, was.winners, was.result)
    assert store.game_on_table() is None
    store.close()
    assert run(main, ["check", str(record)]).exit_code == 0
    again = run(main, ["import", str(record), "--store", str(path)])
    assert "1 already there" in again.output
