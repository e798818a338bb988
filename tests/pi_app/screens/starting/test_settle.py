"""Only settling: stones keyed without a game, what follows from them, the settling, the history."""

from pathlib import Path

import pytest

from pi_app.store import Store
from pi_app.view.frame import Tone
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import Pilot, choices_of, entry_of


def settling(game: str, store: Path | None = None) -> Pilot:
    pilot = Pilot(store=store) if store else Pilot()
    edition = ("with the six (1973)",) if game == "numeri" else ()
    pilot.choose("Only score", game, *edition, "Key the stones")
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


def test_two_fields_are_settled_with_a_dozen_keys() -> None:
    pilot = settling("Just 4 Fun")
    frame = pilot.key("*23#3 *7#1v2 ?")
    assert "23: Yellow 0 → 3" in frame.body.lines
    frame = pilot.key("#")
    assert (frame.header.title, frame.body.lines[0]) == ("Score", "Yellow wins!")
    assert frame.body.lines[1:3] == ("Yellow: 23 points", "Red: 7 points")


def test_the_fields_come_one_after_the_other_or_as_they_are_touched() -> None:
    pilot = settling("Just 4 Fun")
    assert pilot.frame.body.big == "1"
    assert pilot.key("#").body.big == "14"
    pilot.program.tap("36")
    assert pilot.frame.body.lines == ("►Yellow 0", " Red 0")
    assert pilot.key("3").body.lines == ("►Yellow 3", " Red 0")


@pytest.mark.parametrize(("keys", "said"), [("2", ""), ("21", "numbers from 0 to 20")])
def test_a_number_that_cannot_be_says_why(keys: str, said: str) -> None:
    entry = settling("Just 4 Fun").key(keys).body.entry
    assert (entry.verdict if entry else "") == said


def test_the_settling_can_be_corrected() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("*23#3 ?#")
    assert pilot.frame.header.title == "Score"
    assert pilot.key("<").body.lines[0] == "23: Yellow 0 → 3"
    assert pilot.key("< *34#v5 ?#").body.lines[0] == "Red wins!"


def test_stones_in_hand_follow_from_the_others() -> None:
    pilot = settling("Just 4 Fun")
    pilot.key("*23#3 ?##")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Position"] == "yellow left=17 23x3; red left=20"


def test_the_settling_is_kept_in_the_history_where_it_is_wanted() -> None:
    pilot = settling("numeri")
    assert pilot.key("36?#").header.title == "Score"
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
    pilot.key("36?#?")
    assert pilot.frame.header.title == "Beisitzer"
    assert pilot.ctx.store.count_games() == 0


def test_the_game_on_the_table_stays_there() -> None:
    pilot = Pilot.game("numeri")
    pilot.key("d4 ?")
    pilot.choose("New game", "Only score", "Just 4 Fun", "Key the stones")
    pilot.key("*23#3 ?##")
    assert pilot.ctx.store.game_on_table() == 1


def test_leaving_with_stones_shows_them_before_they_are_dropped() -> None:
    pilot = settling("Just 4 Fun")
    assert "1: Yellow 0 → 3" in pilot.key("3 <<").body.lines
    assert pilot.key("*").header.title == "Just 4 Fun"


@pytest.mark.parametrize("game", ["Just 4 Fun", "numeri"])
def test_an_empty_table_is_not_settled(game: str) -> None:
    pilot = settling(game)
    entry = entry_of(pilot.key("?#"))
    assert pilot.frame.header.title == "Differences"
    assert (entry.verdict, entry.tone) == ("no stone lies anywhere yet", Tone.BAD)


@pytest.mark.parametrize(
    ("game", "keys"), [("Just 4 Fun", "*23#3 *7#1v2 ?##"), ("numeri", "36v35 # 34 ?##")]
)
def test_a_kept_settling_comes_back_as_what_it_was(game: str, keys: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    pilot = settling(game, path)
    pilot.key(keys)
    (was,) = pilot.ctx.store.list_games(5)
    pilot.ctx.store.close()
    record = tmp_path / "record.txt"
    record.write_text(run("export", "--store", path).output, "utf-8")
    other = tmp_path / "other.db"
    assert run("import", record, "--store", other).exit_code == 0
    (came,) = (store := Store(other)).list_games(5)
    assert (came.game, came.winners, came.result) == (was.game, was.winners, was.result)
    assert store.game_on_table() is None
    store.close()
    assert run("check", record).exit_code == 0
    again = run("import", record, "--store", path)
    assert "1 already there" in again.output
