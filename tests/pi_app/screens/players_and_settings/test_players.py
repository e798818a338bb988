"""Players are kept with colour and help level, and picked from a list next time."""

import pytest

from pi_app.displays.terminal_keys import keys_of
from pi_app.settings.schema import HelpLevel
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, find_player, list_players, save_players
from pi_app.view.frame import Choices, Entry, Frame, Tone
from pi_app.view.keying import keys_of_letter
from tests.pi_app.pilot import Pilot, choices_of, entry_of

ANNA = "2*66*66*2#"


def desk_with_anna() -> Pilot:
    """Return a pilot at which Anna plays pink and gets all help."""
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Yellow", "Name")
    pilot.key(ANNA)
    pilot.choose("Colour", "pink", "Help", "fields")
    pilot.key("<")
    pilot.choose("Start")
    return pilot


def test_a_name_is_kept_with_colour_and_help_when_a_game_begins() -> None:
    pilot = desk_with_anna()
    assert list_players(pilot.ctx.store) == [KnownPlayer("Anna", "pink", HelpLevel.LEGAL)]


def test_a_known_name_is_picked_from_a_list_and_brings_its_colour() -> None:
    pilot = asked_for_a_name("Anna")
    pilot.choose("Anna")
    assert pilot.frame.header.title == "Anna"
    pilot.key("<")
    pilot.choose("Start")
    assert pilot.ctx.store.load(1).tags["Players"] == "Red red, Anna yellow"


def asked_for_a_name(*known: str) -> Pilot:
    """Return a pilot that asks for the name of a seat, with these people known."""
    pilot = Pilot()
    save_players(pilot.ctx.store, [KnownPlayer(name, "yellow") for name in known])
    pilot.choose("Just 4 Fun", "Red", "Name")
    return pilot


def typed(pilot: Pilot, text: str) -> Frame:
    """Type on a terminal's keyboard; return what is shown then."""
    for stroke in text:
        pilot.key(keys_of(stroke, pilot.frame.keys))
    return pilot.frame


def offered(frame: Frame) -> tuple[str, ...]:
    return choices_of(frame).items


def test_letters_find_a_known_name_and_enter_takes_it() -> None:
    pilot = asked_for_a_name("Ben", "Anna", "Andreas")
    frame = typed(pilot, "an")
    assert entry_of(frame).text == "An_"
    assert offered(frame) == ("Anna", "Andreas", "New: An")
    assert typed(pilot, "#").header.title == "Anna"


@pytest.mark.parametrize("letters", ["zoe", "dbc", "Annas"])
def test_enter_takes_nobody_whom_the_letters_do_not_match(letters: str) -> None:
    pilot = asked_for_a_name("Anna", "Ben", "Cora", "Dan")
    name = letters.capitalize()
    assert offered(typed(pilot, letters)) == (f"New: {name}",)
    assert typed(pilot, "#").header.title == name


def test_another_name_that_begins_so_is_marked_by_the_arrows() -> None:
    pilot = asked_for_a_name("Anna", "Andreas")
    typed(pilot, "an")
    assert pilot.key("v#").header.title == "Andreas"
    pilot = asked_for_a_name("Anna", "Andreas")
    typed(pilot, "an")
    assert pilot.key("^#").header.title == "An"


def test_a_known_name_is_not_known_twice_by_other_letters() -> None:
    pilot = asked_for_a_name("McCoy")
    assert offered(typed(pilot, "mccoy")) == ("McCoy",)


def test_star_begins_to_find_a_name_on_a_keypad_too() -> None:
    pilot = asked_for_a_name("Ben", "Anna")
    assert pilot.key("*2*").body.choices == Choices(("Anna", "New: A"), numbered=False)
    assert pilot.key("<").body.choices is None
    assert offered(pilot.key("<")) == ("Ben", "Anna", "New name")


def test_digits_still_take_a_row_of_the_list() -> None:
    assert asked_for_a_name("Ben", "Anna").key("2").header.title == "Anna"
    assert typed(asked_for_a_name("Ben", "Anna"), "2").header.title == "Anna"


def test_who_sits_here_already_is_not_found() -> None:
    pilot = Pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow"), KnownPlayer("Ben", "red")])
    pilot.choose("Just 4 Fun", "Yellow", "Name", "Anna")
    pilot.key("<")
    pilot.choose("Red", "Name")
    frame = typed(pilot, "anna")
    assert frame.body.choices is None
    assert frame.body.entry == Entry("Anna_", "Anna sits here already", Tone.BAD)
    assert typed(pilot, "#").header.title == "Name"


def test_letters_lead_to_a_player_of_the_history_or_add_one() -> None:
    pilot = Pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Ben"), KnownPlayer("Anna")])
    pilot.choose("History", "Players")
    assert typed(pilot, "an#").header.title == "Anna"
    pilot.key("<")
    assert offered(typed(pilot, "c#"))[0] == "C"


@pytest.mark.parametrize("game", ["Just 4 Fun", "numeri, with the six (1973)", "Sequence"])
def test_saying_tasks_is_offered_only_in_a_game_that_has_tasks(game: str) -> None:
    pilot = Pilot()
    pilot.choose(*game.split(", "), "(", "Help")
    assert "I say it" not in offered(pilot.frame)
    pilot = Pilot()
    pilot.choose("Einmaleins", "(", "Help")
    assert offered(pilot.frame)[-1] == "I say it"


def test_another_game_keeps_that_somebody_says_tasks_and_does_not_tell_it() -> None:
    pilot = asked_for_a_name("Anna")
    anna = KnownPlayer("Anna", "red", HelpLevel.NONE, says=True)
    save_players(pilot.ctx.store, [anna])
    frame = typed(pilot, "an#")
    assert "Help: nothing" in offered(frame)
    pilot.choose("Help", "nothing")
    assert find_player(pilot.ctx.store, "Anna") == anna
    pilot.choose("Help", "sums")
    assert not find_player(pilot.ctx.store, "Anna").says


def test_made_up_names_are_not_kept() -> None:
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Start")
    assert list_players(pilot.ctx.store) == []


def test_who_chose_nothing_has_the_level_of_the_settings() -> None:
    pilot = Pilot()
    assert pilot.ctx.help_level("Anna") == pilot.ctx.settings.help.level


@pytest.mark.parametrize("junk", ["", "{", "{}", "[1, null]", '[{"name": ""}]'])
def test_junk_in_the_store_is_no_player(junk: str) -> None:
    store = Store(":memory:")
    store.remember("players", junk)
    assert list_players(store) == []


# --- what the level changes in Just 4 Fun


def game_with(level: HelpLevel) -> Pilot:
    pilot = Pilot.game("just4fun", Position="red 8x2 29x2")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", level)])
    pilot.restart()
    return pilot


def test_without_help_nothing_is_said_until_enter() -> None:
    pilot = game_with(HelpLevel.NONE)
    frame = pilot.key("5*11*13")
    assert entry_of(frame).verdict == ""
    after = entry_of(pilot.key("#"))
    assert after.verdict == "29 blocked: Ben leads by 2"
    assert pilot.tokens() == ()
    assert entry_of(pilot.key("<")).verdict == ""


def test_players_are_kept_up_in_the_history() -> None:
    pilot = desk_with_anna()
    pilot.key("?")
    pilot.choose("New game", "History", "Players", "Anna", "Help", "nothing")
    assert list_players(pilot.ctx.store)[0].help is HelpLevel.NONE
    pilot.choose("Forget")
    assert list_players(pilot.ctx.store) == []
    pilot.choose("New name")
    pilot.key(ANNA)
    assert [player.name for player in list_players(pilot.ctx.store)] == ["Anna"]


def naming() -> Pilot:
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Yellow", "Name")
    return pilot


def test_a_name_has_up_to_sixteen_characters_and_a_longer_one_is_refused_not_cut() -> None:
    pilot = naming()
    entry = entry_of(pilot.key("2*" * 16))
    assert (entry.text, entry.verdict) == ("A" + "a" * 15 + "_", "")
    entry = entry_of(pilot.key("2*"))
    assert (entry.text, entry.verdict) == ("A" + "a" * 15 + "_", "at most 16 characters")
    entry = entry_of(pilot.key("<"))
    assert entry.verdict == ""


@pytest.mark.parametrize("typed", ["X", "Ü", "ß", "7"])
def test_a_letter_of_a_keyboard_is_refused_with_the_same_sentence(typed: str) -> None:
    pilot = naming()
    pilot.key("2*" * 16)
    entry = entry_of(pilot.key(keys_of_letter(typed)))
    assert entry.verdict == "at most 16 characters"


def test_a_seat_called_after_its_colour_keeps_its_help_and_becomes_no_known_player() -> None:
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Yellow", "Help:")
    pilot.key("2<")
    pilot.choose("Start")
    assert pilot.ctx.help_level("Yellow") is HelpLevel.SUMS
    assert list_players(pilot.ctx.store) == []
