"""The companion's turn: its time, its words, its seat; what people may do instead of it."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, NoReturn

import pytest

from ai.search import GameAI
from engines.games import GAMES, plugins
from hardware.keys import Key
from pi_app.screens.empty_chair import thoughts
from pi_app.screens.playing.games import companion_of
from pi_app.settings.schema import VoiceSettings
from pi_app.store import Store
from pi_app.table.players import BotSeats, list_players
from pi_app.table.setup_draft import STRENGTHS, Strength
from pi_app.view.frame import Frame, Heed, SoftKey, Tone, Utterance
from tests.pi_app.pilot import Pilot, at_once, choices_of, entry_of

TAGS = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
ALL_IN = "yellow 1@1 2@2; red 1@3 2@4 3@6 4@8 5@11 6@12"


def numeri(language: str = "en", **tags: str) -> Pilot:
    """Return a pilot of numeri with the companion on Ben's seat."""
    store = Store(":memory:")
    BotSeats(store, store.begin({**TAGS, **tags})).give({"Ben": "club"})
    return Pilot(language=language, store=store)


def said_of(frame: Frame) -> tuple[Utterance, ...]:
    assert frame.speech is not None
    return frame.speech()


def labels(frame: Frame) -> dict[Key, str]:
    return {key.key: key.label for key in frame.keys.soft}


def test_three_presses_give_a_seat_to_the_companion() -> None:
    pilot = Pilot()
    pilot.key('@"numeri" # 4 6 3')
    shown = choices_of(pilot.key("<"))
    assert (shown.items[3], shown.sentence(3)) == ("Beisitzer (R)", "Beisitzer (R): club")
    assert pilot.key("1").header.title == "Yellow"
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags == {"Game": "numeri", "Players": "Yellow yellow, Beisitzer red"}
    assert BotSeats(pilot.ctx.store, stored.id).strengths() == {"Beisitzer": "club"}
    assert pilot.key("4").body.lines[-1] == "Roll for Beisitzer and press the number."


def test_the_set_up_remembers_who_was_the_companions_and_nobody_gets_to_know_it_as_a_player() -> (
    None
):
    pilot = Pilot()
    pilot.key('@"numeri" # 4 6 2 < 1')
    assert list_players(pilot.ctx.store) == []
    pilot.key([Key.MENU])
    pilot.choose("New game", "numeri", "with the six (1973)")
    assert choices_of(pilot.frame).sentence(3) == "Beisitzer (R): beginner"


def test_a_seat_that_a_person_takes_again_has_its_old_name() -> None:
    pilot = Pilot()
    pilot.key('@"numeri" # 4 6 3 5 1')
    assert pilot.frame.header.title == "Red"
    assert pilot.key("< 1 4").body.lines[-1] == "Red: roll!"


def test_a_name_that_people_gave_stays_and_who_plays_stays_with_a_new_one() -> None:
    pilot = Pilot()
    pilot.key('@"numeri" # 4 1 222*#')
    assert pilot.key("6 4").header.title == "C"
    pilot.key("1")
    pilot.key("<3*#")
    assert choices_of(pilot.frame).items[-1] == "Plays: best"
    assert choices_of(pilot.key("<")).sentence(3) == "D (R): best"


def test_a_game_that_hides_nothing_offers_a_seat_to_the_companion_who_plays_and_tells_it() -> None:
    without = [name for name, plugin in plugins().items() if not plugin.ai]
    assert without, "the checks install a game without an AI"
    for name in without:
        assert (companion_of(name) is not None) == GAMES[name].hides_nothing
    pilot = Pilot({"Game": "muehle", "Players": "Anna white, Ben red", "Start": "Ben"})
    pilot.key([Key.MENU])
    assert "Companion" in choices_of(pilot.frame).items
    pilot = Pilot({"Game": "muehle", "Players": "Anna white, Ben red"})
    BotSeats(pilot.ctx.store, 1).give({"Ben": "beginner"})
    pilot.restart()
    pilot.play_tokens(["a1"])
    assert pilot.frame.body.lines[0] == "Ben thinks ..."
    frame = pilot.wait(3.1)
    assert frame.body.lines[0].startswith("For Ben: ")
    pilot.key("#")
    assert len(pilot.tokens()) == 2


def test_it_says_what_to_move_once_it_knows_after_a_moment_for_the_eyes() -> None:
    pilot = numeri()
    pilot.key("4 5")
    assert pilot.frame.body.lines[0] == "Ben thinks ..."
    assert labels(pilot.frame)[Key.ENTER] == "hurry"
    assert pilot.wait(0.29).body.lines[0] == "Ben thinks ..."
    frame = pilot.wait(0.02)
    assert frame.body.lines[0] == "For Ben, move red stone 5 from the start to field 2."
    assert frame.body.big == "5→2"
    assert pilot.tokens() == ("4",)
    assert pilot.key("#").header.title == "Anna"
    assert pilot.tokens() == ("4", "5")


def test_it_takes_at_most_three_seconds_even_while_nothing_comes_of_its_thoughts() -> None:
    pilot = numeri()
    jobs: list[Callable[[], None]] = []
    pilot.ctx.worker.attach(at_once, jobs.append)
    pilot.key("4 5")
    assert pilot.wait(2.1).body.lines[0] == "Ben thinks ..."
    assert pilot.wait(0.2).body.lines[0] == "For Ben, move red stone 5 from the start to field 2."
    for job in jobs:
        job()
    assert pilot.frame.body.lines[0] == "For Ben, move red stone 5 from the start to field 2."
    assert pilot.key("#").header.title == "Anna"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_it_plays_as_well_as_its_seat_says(
    strength: Strength, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    choose = GameAI.choose

    def counting(ai: GameAI, position: Any, given: Any, level: str, looks: int, rng: Random) -> Any:
        asked.append((given, level, looks))
        return choose(ai, position, given, level, looks, rng)

    monkeypatch.setattr(GameAI, "choose", counting)
    monkeypatch.setattr("ai.pace.looks_a_second", lambda _: 4_000)
    pilot = numeri(Position=ALL_IN, Start="Ben")
    BotSeats(pilot.ctx.store, 1).give({"Ben": strength})
    pilot.restart()
    pilot.key("6")
    assert asked == [(6, strength, looks) for looks in (0, 10, 40)]


def test_where_it_cannot_think_a_person_plays_the_move(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> NoReturn:
        raise ValueError("3, 5, 11, 13")

    monkeypatch.setattr(thoughts.Thoughts, "_search", fail)
    pilot = numeri()
    pilot.key("4 5")
    assert pilot.wait(3.1).body.lines[-1] == "Ben: roll!"
    assert pilot.key("5").header.title == "Anna"
    assert "13" not in caplog.text


def test_a_number_that_no_die_shows_is_refused_with_a_sentence() -> None:
    pilot = numeri()
    frame = pilot.key("4 7")
    assert (entry_of(frame).verdict, entry_of(frame).tone) == ("a die has 1 to 6", Tone.BAD)
    assert pilot.key("5").body.entry is None


def test_a_wrong_roll_is_rolled_again_as_long_as_nothing_was_moved() -> None:
    pilot = numeri()
    pilot.key("4 5 #")
    assert SoftKey(Key.BACK, "roll", spare=True) in pilot.frame.keys.soft
    assert pilot.key("<").body.lines[-1] == "Roll for Ben and press the number."
    assert pilot.key("3 #").body.lines[0] == "For Ben, move red stone 3 from the start to field 2."


def test_a_person_may_key_another_move_for_it() -> None:
    pilot = numeri(Position=ALL_IN, Start="Ben")
    pilot.key("6 #")
    pilot.key("^")
    pilot.choose("Key a move")
    assert choices_of(pilot.frame).items, "the number that was rolled is not asked for again"
    pilot.key("#")
    assert len(pilot.tokens()) == 1
    assert pilot.frame.header.title == "Anna"
    assert "Roll for Ben" in pilot.key("1").body.lines[-1]


def test_a_person_may_roll_for_it_too() -> None:
    pilot = numeri(Start="Ben")
    pilot.key("^")
    assert "Roll and press the number." in pilot.choose("Key a move").body.lines
    assert pilot.key("5").header.title == "Anna"


def test_a_person_takes_its_seat_in_mid_game_and_gives_it_back() -> None:
    pilot = numeri()
    pilot.key("4 ^")
    pilot.choose("Plays", "a person")
    assert pilot.frame.body.lines[-1] == "Ben: roll!"
    assert pilot.key("5").header.title == "Anna"
    pilot.key([Key.MENU])
    pilot.choose("Companion", "Ben", "best")
    assert pilot.key("3").body.lines[-1] == "Roll for Ben and press the number."
    assert BotSeats(pilot.ctx.store, 1).strengths() == {"Ben": "best"}


def test_it_takes_the_seat_of_somebody_who_leaves_a_game_of_people() -> None:
    pilot = Pilot(TAGS)
    pilot.key("4")
    pilot.key([Key.MENU])
    pilot.choose("Companion")
    assert choices_of(pilot.frame).items == ("Anna: a person", "Ben: a person")
    assert pilot.choose("Ben", "club").body.lines[-1] == "Roll for Ben and press the number."
    pilot.key("5 # #")
    assert len(pilot.tokens()) == 2
    assert pilot.ctx.store.load(1).tags == TAGS


def test_it_is_given_the_cards_of_somebody_who_leaves() -> None:
    pilot = Pilot({"Game": "just4fun", "Players": "Anna yellow, Ben red"})
    pilot.key("5#")
    pilot.key([Key.MENU])
    frame = pilot.choose("Companion", "Anna", "best")
    assert (frame.header.title, frame.body.lines[-1]) == (
        "Anna",
        "Key 4 cards of Anna, seen by nobody else.",
    )


def test_no_seat_changes_hands_after_the_end() -> None:
    end = "yellow 1@1 2@2 3@3 4@4 5@5 6@35; red 1@36 2@37 3@6 4@7 5@8 6@9"
    pilot = Pilot({**TAGS, "Position": end})
    pilot.key("6 #")
    pilot.key([Key.MENU])
    assert pilot.choose("Companion").body.lines == ("The game is over.",)


def test_a_table_where_it_has_every_seat_works_too() -> None:
    pilot = numeri()
    BotSeats(pilot.ctx.store, 1).give({"Anna": "beginner"})
    pilot.restart()
    pilot.key("4 # #")
    assert pilot.key("5 # #").header.title == "Anna"
    assert pilot.tokens() == ("4", "5")


def test_the_same_table_again_keeps_the_companion() -> None:
    end = "yellow 1@1 2@2 3@3 4@4 5@5 6@35; red 1@36 2@37 3@6 4@7 5@8 6@9"
    pilot = numeri(Position=end)
    pilot.key("6 #")
    assert pilot.frame.header.title == "Game over"
    pilot.key("#")
    pilot.choose("next")
    assert BotSeats(pilot.ctx.store, 2).strengths() == {"Ben": "club"}
    assert pilot.frame.body.lines[-1] == "Roll for Ben and press the number."


def test_a_voice_calls_what_is_to_be_rolled_and_moved() -> None:
    pilot = numeri()
    pilot.ctx.settings = replace(pilot.ctx.settings, voice=VoiceSettings(level="calls"))
    said = said_of(pilot.key("4"))
    assert said[-1] == Utterance("Roll for Ben and press the number.", Heed.CALL)
    pilot.key("5")
    assert said_of(pilot.key("#"))[0] == Utterance(
        "For Ben, move red stone 5 from the start to field 2.", Heed.CALL
    )
