"""The people who played last are offered in every game, each with a colour of their own."""

import pytest

from engines.games import SHIPPED
from pi_app.screens.starting.drafts import load_draft
from pi_app.store import Store
from pi_app.table.players import find_player, save_seated
from pi_app.table.presentation import PRESENTATIONS
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
