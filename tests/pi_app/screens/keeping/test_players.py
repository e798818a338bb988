"""Players are kept with colour and help level, and picked from a list next time."""

import pytest

from pi_app.store.store import Store
from pi_app.table.players import KnownPlayer, keep, known_players
from pi_app.view.multitap import keys_of_letter
from tests.pi_app.desk import Desk

ANNA = "2*66*66*2#"


def desk_with_anna() -> Desk:
    """Return a desk at which Anna plays pink and gets all help."""
    desk = Desk()
    desk.choose("Just 4 Fun", "Yellow", "Name")
    desk.key(ANNA)
    desk.choose("Colour", "pink", "Help", "fields")
    desk.key("<")
    desk.choose("Start")
    return desk


def test_a_name_is_kept_with_colour_and_help_when_a_game_begins() -> None:
    desk = desk_with_anna()
    assert known_players(desk.ctx.store) == [KnownPlayer("Anna", "pink", "legal")]


def test_a_known_name_is_picked_from_a_list_and_brings_its_colour() -> None:
    store = desk_with_anna().ctx.store
    desk = Desk(store=store)
    desk.key("?")
    desk.choose("New game", "numeri", "Red", "Name", "Anna")
    assert desk.frame.title == "Anna"
    desk.key("<")
    desk.choose("Start")
    stored = store.load(store.latest() or 0)
    assert stored.tags["Players"] == "Yellow yellow, Anna red"


def test_a_new_name_can_be_keyed_where_others_are_known() -> None:
    store = desk_with_anna().ctx.store
    desk = Desk(store=store)
    desk.key("?")
    desk.choose("New game", "numeri", "Red", "Name", "New name")
    desk.key("22*33*66#")
    assert desk.frame.title == "Ben"


def test_who_sits_here_already_is_not_offered() -> None:
    store = desk_with_anna().ctx.store
    desk = Desk(store=store)
    desk.key("?")
    desk.choose("New game", "Just 4 Fun", "Red", "Name")
    assert desk.frame.entry is not None


def test_made_up_names_are_not_kept() -> None:
    desk = Desk()
    desk.choose("Just 4 Fun", "Start")
    assert known_players(desk.ctx.store) == []


def test_who_chose_nothing_has_the_level_of_the_settings() -> None:
    desk = Desk()
    assert desk.ctx.help_level("Anna") == desk.ctx.settings.help.level


@pytest.mark.parametrize("junk", ["", "{", "{}", "[1, null]", '[{"name": ""}]'])
def test_junk_in_the_store_is_no_player(junk: str) -> None:
    store = Store(":memory:")
    store.remember("players", junk)
    assert known_players(store) == []


# --- what the level changes in Just 4 Fun


def game_with(level: str) -> Desk:
    desk = Desk.game("just4fun", Position="red 8x2 29x2")
    keep(desk.ctx.store, [KnownPlayer("Anna", "yellow", level)])  # type: ignore[arg-type]
    desk.restart()
    return desk


def test_without_help_nothing_is_said_until_enter() -> None:
    desk = game_with("none")
    frame = desk.key("5*11*13")
    assert frame.entry is not None
    assert frame.entry.verdict == ""
    after = desk.key("#").entry
    assert after is not None
    assert after.verdict == "29 blocked: Ben leads by 2"
    assert desk.tokens() == ()
    assert desk.key("<").entry.verdict == ""  # type: ignore[union-attr]


def test_without_help_there_is_no_hand_helper() -> None:
    desk = game_with("none")
    assert desk.key("^").title == "Anna"


def test_sums_are_listed_without_verdicts() -> None:
    frame = game_with("sums").key("^ 3*5*11*13#")
    assert frame.choices is not None
    assert frame.choices.items[:3] == ("3: 3", "5: 5", "8: 3+5")


def test_all_help_says_which_sums_are_free() -> None:
    frame = game_with("legal").key("^ 3*5*11*13#")
    assert frame.choices is not None
    assert frame.choices.items[:3] == ("3 free: 3", "5 free: 5", "8 blocked")


def test_players_are_kept_up_in_the_history() -> None:
    desk = desk_with_anna()
    desk.key("?")
    desk.choose("New game", "History", "Players", "Anna", "Help", "nothing")
    assert known_players(desk.ctx.store)[0].help == "none"
    desk.choose("Forget")
    assert known_players(desk.ctx.store) == []
    desk.choose("New name")
    desk.key(ANNA)
    assert [player.name for player in known_players(desk.ctx.store)] == ["Anna"]


def naming() -> Desk:
    desk = Desk()
    desk.choose("Just 4 Fun", "Yellow", "Name")
    return desk


def test_a_name_has_up_to_sixteen_characters_and_a_longer_one_is_refused_not_cut() -> None:
    desk = naming()
    entry = desk.key("2*" * 16).entry
    assert entry is not None
    assert (entry.text, entry.verdict) == ("A" + "a" * 15 + "_", "")
    entry = desk.key("2*").entry
    assert entry is not None
    assert (entry.text, entry.verdict) == ("A" + "a" * 15 + "_", "at most 16 characters")
    entry = desk.key("<").entry
    assert entry is not None
    assert entry.verdict == ""


def test_a_letter_that_is_turned_to_is_refused_with_the_same_sentence() -> None:
    desk = naming()
    entry = desk.key("2*" * 16 + "v").entry
    assert entry is not None
    assert entry.verdict == "at most 16 characters"


@pytest.mark.parametrize("typed", ["X", "Ü", "ß", "7"])
def test_a_letter_of_a_keyboard_is_refused_with_the_same_sentence(typed: str) -> None:
    desk = naming()
    desk.key("2*" * 16)
    entry = desk.key(keys_of_letter(typed)).entry
    assert entry is not None
    assert entry.verdict == "at most 16 characters"
