"""Statistics at the table, through its keys."""

from tests.pi_app.pilot import Pilot, choices_of

ROW = (
    '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n'
    '[Position "yellow 9 33; red 1 14 30"]\n9 12+12\n'
)


def test_a_kind_of_game_is_chosen_and_read_in_sentences() -> None:
    table = Pilot.after(ROW.format("Anna", "Ben"), ROW.format("Yellow", "Ben"))
    assert choices_of(table.choose("History", "Statistics")).items == ("Just 4 Fun: 2",)
    frame = table.key("#")
    assert frame.body.lines[:2] == ("2 finished games", "Ben won 2 of 2 games (100 %).")
    assert not any("Yellow" in line for line in frame.body.lines)
    assert table.key("v").body.top == 1
    assert table.key("<").header.title == "Statistics"


def test_without_a_finished_game_there_is_one_sentence() -> None:
    table = Pilot.after()
    assert table.choose("History", "Statistics").body.lines == ("No game was finished yet.",)
    assert table.key("<").header.title == "History"
