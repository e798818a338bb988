"""Setting up a game by keys alone."""

from pathlib import Path

import pytest

from engines.games import SHIPPED
from hardware.keys import Key
from pi_app.screens.base import Push
from pi_app.screens.starting.drafts import save_draft
from pi_app.screens.starting.set_up import SetupScreen
from pi_app.screens.starting.settle import SettleForm
from pi_app.store import Store
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.language import Texts
from pi_app.view.keying import Marked, choose
from tests.pi_app.pilot import Pilot, choices_of, entry_of, picture_of


def test_players_names_colours_and_who_starts_can_be_chosen() -> None:
    pilot = Pilot()
    pilot.key("2")
    pilot.key("2 3")  # three players
    pilot.key("3 1 2*66*66*2#")  # the first is called Anna
    assert pilot.frame.header.title == "Anna"
    pilot.key("2 4")  # and plays pink, which nobody has
    pilot.key("< 6 2")  # the second starts
    pilot.key("1")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags == {
        "Game": "just4fun",
        "Players": "Anna pink, Red red, White white",
        "Start": "Red",
    }


def test_taking_anothers_colour_changes_places_and_who_has_no_name_is_called_after_it() -> None:
    pilot = Pilot()
    frame = pilot.key('@"Just 4 Fun" 3 2 2')
    assert (frame.header.title, frame.header.colour) == ("Red", "red")
    pilot.key("< 1")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Players"] == "Red red, Yellow yellow"


def test_a_name_of_somebody_stays_when_colours_are_changed() -> None:
    pilot = Pilot()
    pilot.key("2")
    pilot.key("2 3")  # three players
    pilot.key("3 1 2*66*66*2#")  # the first is called Anna
    pilot.key("2 2 < 1")  # and plays red
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Players"] == "Anna red, Yellow yellow, White white"


def test_who_changes_places_where_colours_follow_the_seats_is_called_after_the_new_one() -> None:
    pilot = Pilot()
    pilot.key('@"Sequence" 3')
    pilot.key('@"Sits later" @"Start"')
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Players"] == "Blue blue, Green green"


def test_house_rules_go_into_the_record() -> None:
    pilot = Pilot()
    pilot.key('@"Just 4 Fun" 6 20 7 2 1')
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Rules"] == "rounds=20, secured=closed"


def test_the_form_remembers_how_it_was_filled_in(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    pilot = Pilot(store=store)
    pilot.key('@"Just 4 Fun" 2 4 @"Start"')
    again = Pilot(store=store)
    again.key("?")
    again.choose("New game", "Just 4 Fun")
    assert choices_of(again.frame).items[1] == "Players: 4"


def test_a_set_up_that_was_left_is_taken_up_again() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Players: 2", "3 players", "Yellow", "Name")
    pilot.key("2*66*66*2#<")
    pilot.choose("Open card")
    pilot.key("24# <")
    assert pilot.frame.header.title == "Beisitzer"
    frame = pilot.choose("Einmaleins")
    items = choices_of(frame).items
    assert items[1:3] == ("Players: 3", "Anna (Y)")
    assert "Open card: 24" in items
    pilot.choose("Start")
    assert pilot.ctx.store.load(1).tags["Open"] == "24"
    pilot.key("?")
    pilot.choose("New game")
    assert "Open card: ?" in str(pilot.choose("Einmaleins").body.choices)


def test_a_set_up_that_was_only_looked_at_follows_the_language() -> None:
    pilot = Pilot()
    pilot.choose("Sequence")
    pilot.key("<")
    pilot.ctx.texts = Texts("de")
    assert "Blau (B)" in str(pilot.choose("Sequence").body.choices)


def test_back_leads_out_of_the_set_up() -> None:
    pilot = Pilot()
    pilot.key('@"Just 4 Fun" 3 1 < < < < < < < < <')
    assert pilot.frame.header.title == "Beisitzer"


def test_a_restart_resumes_the_unfinished_game_without_a_question(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    Pilot(store=store).key('@"Just 4 Fun" # 5# 7#')
    frame = Pilot(store=store).frame
    assert frame.header.title == "Yellow"
    picture = picture_of(frame)
    assert {cell.name for cell in picture.cells if cell.tokens} == {"5", "7"}


def test_a_name_is_entered_with_the_encoder_alone() -> None:
    pilot = Pilot()
    pilot.key('@"Just 4 Fun" 3 1')
    assert entry_text(pilot) == "Yellow_"
    pilot.key("v")
    assert entry_text(pilot) == "A"
    pilot.key("#")
    assert entry_text(pilot) == "A_"
    for letter in "da":
        pilot.key("v" * (ord(letter) - ord("a") + 1))
        pilot.key("#")
    assert entry_text(pilot) == "Ada_"
    pilot.key("#")
    assert pilot.frame.header.title == "Ada"


def test_the_dial_turns_both_ways_and_back_forgets_the_letter() -> None:
    pilot = Pilot()
    pilot.key('@"Just 4 Fun" 3 1 v^')
    assert entry_text(pilot) == "9"
    pilot.key("v")
    assert entry_text(pilot) == "A"
    pilot.key("<")
    assert entry_text(pilot) == "_"
    pilot.key("v 2")
    assert entry_text(pilot) == "Aa_"


def entry_text(pilot: Pilot) -> str:
    entry = entry_of(pilot.frame)
    return entry.text


@pytest.mark.parametrize("kind", [SetupScreen, SettleForm])
@pytest.mark.parametrize("game", SHIPPED)
def test_a_form_starts_by_its_first_digit_at_once_and_has_the_rest_behind_more(
    game: str, kind: type[SetupScreen]
) -> None:
    presentation = PRESENTATIONS[game]
    for count in presentation.game.player_counts:
        ctx = Pilot().ctx
        seats = presentation.seats(ctx.texts, count, None)
        save_draft(ctx, presentation, SetupDraft(seats, tags={"Open": "24"}))
        form = kind(ctx, presentation)
        choices = form.choices()
        assert choose(choices, Marked(0), Key.D1) == 0
        more = form.press(Key("0")) if choices.items[-1] == "More" else None
        rest = more.screen if isinstance(more, Push) else None
        items = (*choices.items[1:], *(rest.items if isinstance(rest, SetupScreen) else ()))
        assert [item for item in items if item != "More"] == [
            item.text for item in form.form_items()
        ]
