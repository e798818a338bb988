"""The people who played last are offered in every game, each with a colour of their own."""

import pytest

from engines.games import SHIPPED
from pi_app.displays.terminal_keys import keys_of
from pi_app.screens.starting.drafts import load_draft
from pi_app.store import Store
from pi_app.table.players import find_player, save_seated
from pi_app.table.presentation import PRESENTATIONS
from pi_app.view.frame import Entry
from tests.pi_app.pilot import Pilot, choices_of


def seated(*games: tuple[str, str]) -> Pilot:
    """Return a pilot at a table where these games (name, players) began one after the other."""
    store = Store(":memory:")
    for game, players in games:
        save_seated(store, {"Game": game, "Players": players})
    return Pilot(store=store)


def offered(pilot: Pilot, game: str) -> str:
    draft = load_draft(pilot.ctx, PRESENTATIONS[game])
    return ", ".join(f"{name} {colour}" for name, colour in draft.players)


EVA = ("just4fun", "Eva yellow, Ben red")
TEAMS = ("sequence", "Eva blue, Ben green")


@pytest.mark.parametrize(
    ("played", "game", "expected"),
    [
        *[((EVA,), game, "Eva yellow, Ben red") for game in SHIPPED if game != "sequence"],
        ((EVA,), "sequence", "Eva blue, Ben green"),
        # a team's colour is nobody's own
        ((EVA, TEAMS), "just4fun", "Eva yellow, Ben red"),
        ((TEAMS,), "just4fun", "Eva yellow, Ben red"),
        # nor is what somebody wears in a game that lacks the own colour, or while another has it
        ((("numeri", "Eva green, Ben red"), EVA), "numeri", "Eva green, Ben red"),
        ((EVA, ("just4fun", "Clara yellow, Eva red")), "numeri", "Clara yellow, Eva red"),
        ((EVA, ("just4fun", "Clara yellow, Eva red"), EVA), "numeri", "Eva yellow, Ben red"),
        # those for whom a game has no seat are left out, and come back in the next one
        (
            (("einmaleins", "A yellow, B red, C green, D blue, E white"),),
            "just4fun",
            "A yellow, B red, C white, D pink",
        ),
    ],
)
def test_who_played_last_is_offered_in_every_game_with_colours_of_their_own(
    played: tuple[tuple[str, str], ...], game: str, expected: str
) -> None:
    assert offered(seated(*played), game) == expected


def test_a_colour_chosen_by_hand_becomes_ones_own_and_that_of_who_gave_it_up() -> None:
    pilot = seated(EVA)
    pilot.choose("Just 4 Fun", "Ben", "Colour", "yellow")
    assert offered(pilot, "numeri") == "Eva red, Ben yellow"
    assert find_player(pilot.ctx.store, "Eva").colour == "red"


def test_a_second_game_of_the_same_people_takes_three_keys() -> None:
    pilot = Pilot.game("just4fun", "Eva yellow, Ben red", Position="yellow 1 14 30; red 2")
    save_seated(pilot.ctx.store, {"Game": "just4fun", "Players": "Eva yellow, Ben red"})
    pilot.key("12*12# <51")
    assert pilot.ctx.store.load(2).tags["Players"] == "Eva blue, Ben green"


def test_one_key_swaps_the_marked_person_and_the_others_keep_their_colours() -> None:
    pilot = seated(("just4fun", "Clara pink, Dora red"), EVA)
    pilot.choose("Just 4 Fun")
    assert "swap" in {key.label for key in pilot.key("vvv").keys.soft}
    seen = [choices_of(pilot.key("?")).items[2:4] for _ in range(4)]
    assert seen == [
        ("Eva (Y)", "Clara (P)"),
        ("Eva (Y)", "Dora (R)"),
        ("Eva (Y)", "Ben (R)"),
        ("Eva (Y)", "Clara (P)"),
    ]
    pilot.choose("Start")
    assert pilot.ctx.store.load(1).tags["Players"] == "Eva yellow, Clara pink"


def named(game: str, keys: str, choices: tuple[str, ...] = ()) -> str:
    """Type into a game's form as on a keyboard, begin; return who plays."""
    pilot = Pilot()
    pilot.choose(*game.split(", "), *choices)
    for stroke in keys:
        pilot.key(keys_of(stroke, pilot.frame.keys))
    pilot.choose("Start")
    return pilot.ctx.store.load(1).tags["Players"]


@pytest.mark.parametrize(
    ("game", "keys", "expected"),
    [
        # three are named by their letters and one key more each; one ends it
        ("Just 4 Fun", "anna#ben#carla##", "Anna yellow, Ben red, Carla white"),
        ("Just 4 Fun", "anna#ben#carla#dan#", "Anna yellow, Ben red, Carla white, Dan pink"),
        ("Just 4 Fun", "anna##", "Anna yellow, Red red"),
        ("Sequence", "ann#ben#carl##", "Ann blue, Ben green, Carl red"),
    ],
)
def test_people_are_named_one_after_the_other_and_seats_come_as_needed(
    game: str, keys: str, expected: str
) -> None:
    assert named(game, keys) == expected


def test_a_name_is_given_to_one_seat_only() -> None:
    pilot = seated(EVA)
    pilot.choose("Just 4 Fun")
    pilot.key("*")
    assert pilot.frame.header.title == "Player 3"
    frame = pilot.key("33*888*2*")
    assert (frame.body.entry or Entry("")).verdict == "Eva sits here already"
    pilot.key("<<")
    assert choices_of(pilot.frame).items[1] == "Players: 2"


def test_who_is_named_at_an_earlier_seat_changes_places_with_who_sits_there() -> None:
    pilot = seated(EVA)
    pilot.choose("Just 4 Fun")
    pilot.key("vv *22*33*66*# #")
    assert choices_of(pilot.frame).items[2:4] == ("Ben (R)", "Eva (Y)")


def test_people_who_are_here_are_offered_before_those_who_played() -> None:
    pilot = seated(EVA)
    pilot.ctx.guests.append(lambda: ["Gero", "Eva"])
    pilot.choose("Just 4 Fun", "Ben", "Name")
    assert choices_of(pilot.frame).items == ("Gero", "Ben", "New name")
