"""I say it: the task of a card is keyed, judged and kept before the card counts."""

from pathlib import Path

import pytest

from hardware.keys import Key
from pi_app.past.times_tables import (
    Practice,
    Task,
    tables_of,
)
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import HelpLevel
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, find_player, save_players
from pi_app.view.frame import Entry, Frame, Signal, Tone
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import TWO, Pilot, choices_of, entry_of


def at(lies: str, *, says: bool = True, **tags: str) -> Pilot:
    """Return a pilot at which this card lies open and Anna, who may say her tasks, is to move."""
    tags = {"Position": f"yellow 5; red 3; open {lies}", **tags}
    pilot = Pilot({"Game": "einmaleins", "Players": TWO, **tags})
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.NONE, says)])
    pilot.restart()
    return pilot


def softs(frame: Frame) -> dict[Key, str]:
    return {key.key: key.label for key in frame.keys.soft}


def learnt(pilot: Pilot, task: Task = (4, 9)) -> Practice | None:
    return tables_of(pilot.ctx.store, "Anna").tasks.get(task)


def counts(pilot: Pilot, task: Task = (4, 9)) -> tuple[int, int]:
    known = learnt(pilot, task)
    return (0, 0) if known is None else (known.right, known.wrong)


@pytest.mark.parametrize("keys", ["4*9", "9*4"])
def test_a_right_task_is_kept_and_only_then_the_card_counts(keys: str) -> None:
    pilot = at("28=4x7")
    assert pilot.key("36#").body.lines == ("Say the task and key it: * between, then #.",)
    assert pilot.tokens() == ()
    assert entry_of(pilot.key(keys)) == Entry(f"36={keys.replace('*', '×')}")
    assert pilot.tokens() == ()
    assert learnt(pilot) is None
    frame = pilot.key("#")
    assert pilot.tokens() == ("36=4x9",)
    assert counts(pilot) == (1, 0)
    assert frame.alert is not None
    assert Signal.OK in pilot.recorder.signals


def test_nothing_tells_the_task_before_it_is_keyed() -> None:
    pilot = at("28=4x7")
    for keys in ("3", "6", "#", "4", "*"):
        frame = pilot.key(keys)
        assert "4×9" not in str(frame)
        assert "9×4" not in str(frame)
        assert entry_of(frame).verdict == ""


def test_a_wrong_task_has_a_second_try_then_it_is_told() -> None:
    pilot = at("28=4x7")
    frame = pilot.key("36#4*8#")
    assert entry_of(frame) == Entry("36=4×8", "4×8 is not 36. Try once more.", Tone.BAD)
    assert Key.ENTER not in softs(frame)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert entry_of(pilot.key("5*7#")) == Entry(
        "36=5×7", "It is 4×9. Say it, then key it.", Tone.BAD
    )
    assert pilot.tokens() == ()
    assert entry_of(pilot.key("6*7#")).verdict == "It is 4×9. Say it, then key it."
    pilot.key("4*9#")
    assert pilot.tokens() == ("36=4x9",)


@pytest.mark.parametrize(
    ("lies", "keys", "told"),
    [
        ("32=4x8", "24#7*9#4*7#", "4×6"),
        ("32=4x8", "24#7*9#8*4#", "3×8"),
        ("32=4x8", "24#7*9#5*5#", "3×8"),
        ("12=2x6", "24#7*9#3*7#", "4×6"),
    ],
)
def test_the_task_told_is_one_that_fits_with_a_factor_of_what_was_said(
    lies: str, keys: str, told: str
) -> None:
    assert entry_of(at(lies).key(keys)).verdict == f"It is {told}. Say it, then key it."


@pytest.mark.parametrize(("keys", "token"), [("3*8#", "24=3x8"), ("6*4#", "24=4x6")])
def test_where_both_tasks_fit_the_one_that_is_said_is_laid(keys: str, token: str) -> None:
    pilot = at("32=4x8")
    frame = pilot.key("24#")
    assert frame.body.choices is None
    pilot.key(keys)
    assert pilot.tokens() == (token,)


def test_a_right_task_that_does_not_fit_is_no_mistake_in_the_table() -> None:
    pilot = at("28=4x7")
    frame = pilot.key("36#6*6#")
    assert entry_of(frame) == Entry("36=6×6", "6×6 has no factor of 4×7", Tone.BAD)
    assert tables_of(pilot.ctx.store, "Anna").tasks == {}
    pilot.key("4*9#")
    assert counts(pilot) == (1, 0)


def test_a_factor_beyond_ten_is_refused_while_it_is_keyed_and_not_counted() -> None:
    pilot = at("12=2x6")
    frame = pilot.key("24#12*2")
    assert entry_of(frame) == Entry("24=12", "Tasks go from 1×1 to 10×10.", Tone.BAD)
    pilot.key("#")
    assert (pilot.tokens(), pilot.recorder.signals[-1]) == ((), Signal.BAD)
    assert tables_of(pilot.ctx.store, "Anna").tasks == {}
    assert entry_of(pilot.key([Key.BACK])).verdict == ""


def test_a_free_card_is_said_like_any_other() -> None:
    pilot = at("28=4x7")
    assert entry_of(pilot.key("*4#")).text == "*4=?"
    pilot.key("1*4#")
    assert pilot.tokens() == ("*4=1x4",)
    assert counts(pilot, (1, 4)) == (1, 0)


@pytest.mark.parametrize("keys", ["37#", "25#"])
def test_a_card_that_cannot_be_laid_is_refused_before_its_task_is_asked(keys: str) -> None:
    pilot = at("28=4x7")
    frame = pilot.key(keys)
    assert isinstance(pilot.program.screen, TurnScreen)
    assert entry_of(frame).tone is Tone.BAD
    assert pilot.tokens() == ()


def test_keys_that_mean_nothing_change_nothing() -> None:
    pilot = at("28=4x7")
    text = entry_of(pilot.key("36#")).text
    for keys in ("#", "*", "0", "^", "v", "d3"):
        assert entry_of(pilot.key(keys)).text == text
        assert pilot.recorder.signals[-1] is Signal.BAD
    assert entry_of(pilot.key("4#")).text == "36=4"
    assert entry_of(pilot.key("**")).text == "36=4×"
    assert entry_of(pilot.key([Key.BACK_HELD])).text == "36"


def test_back_deletes_key_by_key_and_leads_out() -> None:
    pilot = at("28=4x7")
    pilot.key("36#10*9")
    texts = [entry_of(pilot.key([Key.BACK])).text for _ in range(5)]
    assert texts == ["36=10×", "36=10", "36=1", "36=?", "36"]
    assert isinstance(pilot.program.screen, TurnScreen)


def test_the_menu_opens_over_the_task_and_leads_back_to_it() -> None:
    pilot = at("28=4x7")
    pilot.key("36#4*")
    assert pilot.key("?").header.title == "Menu"
    assert entry_of(pilot.key("<")).text == "36=4×"


def test_another_card_or_drawing_is_free_after_a_wrong_task() -> None:
    pilot = at("28=4x7")
    pilot.key("36#4*8#")
    pilot.key([Key.BACK_HELD, Key.BACK_HELD])
    pilot.key("v")
    assert pilot.tokens() == ("d",)


def test_taking_back_and_changing_a_move_ask_for_no_task() -> None:
    pilot = at("28=4x7")
    pilot.key("36#4*9#")
    pilot.key([Key.BACK_HELD])
    assert pilot.tokens() == ()
    assert counts(pilot) == (1, 0), "what was said was said"
    pilot.key("##36#9*4#")
    assert pilot.tokens() == ("36=4x9",)
    pilot.key("?")
    pilot.choose("Moves", "36", "Change")
    pilot.key("35#")
    pilot.key("#")
    assert pilot.tokens()[0] == "35=5x7"
    assert (5, 7) not in tables_of(pilot.ctx.store, "Anna").tasks


def test_only_who_says_the_tasks_is_asked() -> None:
    pilot = at("12=2x6")
    pilot.key("24#4*6#")
    pilot.key("42#")
    assert pilot.tokens() == ("24=4x6", "42=6x7")
    assert tables_of(pilot.ctx.store, "Ben").tasks == {}
    plain = at("28=4x7", says=False)
    plain.key("36#")
    assert plain.tokens() == ("36=4x9",)
    assert tables_of(plain.ctx.store, "Anna").tasks == {}


@pytest.mark.parametrize("level", [HelpLevel.SUMS, HelpLevel.LEGAL])
def test_with_help_the_tasks_are_told_and_nothing_is_asked(level: HelpLevel) -> None:
    pilot = at("28=4x7", says=False)
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", level, says=True)])
    pilot.restart()
    assert not find_player(pilot.ctx.store, "Anna").says
    pilot.key("36#")
    assert pilot.tokens() == ("36=4x9",)


def test_the_mode_is_chosen_among_the_help_levels_and_kept() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Yellow", "Name")
    pilot.key("2*66*66*2#")
    pilot.choose("Help", "I say it")
    assert "Help: I say it" in str(pilot.frame.body.choices)
    pilot.choose("Help")
    choices = choices_of(pilot.frame)
    assert choices.items[choices.selected] == "I say it"
    assert find_player(pilot.ctx.store, "Anna") == KnownPlayer(
        "Anna", "", HelpLevel.NONE, says=True
    )
    pilot.key("3")
    assert find_player(pilot.ctx.store, "Anna") == KnownPlayer("Anna", "", HelpLevel.LEGAL)


def test_a_key_script_plays_it_through_the_command(tmp_path: Path) -> None:
    path, keys, record = tmp_path / "games", tmp_path / "keys", tmp_path / "record.txt"
    store = Store(path)
    save_players(store, [KnownPlayer("Anna", "yellow", HelpLevel.NONE, says=True)])
    store.close()
    keys.write_text("# 9# 3*3#   ; nine, said as three times three")
    words = ["play", "einmaleins", "--players", TWO, "--tag", "Open=24", "--record", str(record)]
    files = ["--store", str(path), "--keys", str(keys), "--display", "plain"]
    done = run(*words, *files)
    assert done.exit_code == 0, done.output
    assert record.read_text("utf-8").split()[-1] == "9=3x3"
    assert tables_of(Store(path), "Anna").tasks[3, 3].right == 1
