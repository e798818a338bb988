"""An evening of three hours by keys: people come and go, and one game begins anew."""

from datetime import UTC, datetime, timedelta

import pytest

from pi_app.store import Store
from pi_app.texts.language import Texts
from tests.pi_app.pilot import Pilot

ROW = ("1#", "9*5#", "12*8*10#", "12*12#")
"""The moves of who gets a row of four: fields 1, 14, 30 and 24."""


def play(pilot: Pilot, players: int, winner: int) -> None:
    """Play a game that the player on this seat wins, from the first seat on."""
    others = iter(("2#", "3#", "2#", "3#", "4#", "5#", "6#", "7#"))
    for move in ROW:
        for seat in range(players):
            pilot.key(move if seat == winner else next(others))
            if seat == winner and move == ROW[-1]:
                return


@pytest.mark.parametrize(
    ("language", "aside", "evening"),
    [
        (
            "en",
            '"Continue" brings back Just 4 Fun (Anna, Ben, Carla).',
            (
                "Anna and Carla lead: 1 of 2 games won.",
                "1. Anna: 1 of 2 won",
                "1. Carla: 1 of 2 won",
                "3. Ben: 1 of 3 won",
                "4. Dora: 0 of 1 won",
                "Anna played 2 of 3 games.",
                "Carla played 2 of 3 games.",
                "Dora played 1 of 3 games.",
            ),
        ),
        (
            "de",
            "„Weiter“ holt Just 4 Fun (Anna, Ben, Carla) zurück.",
            (
                "Anna und Carla führen: 1 von 2 Spielen gewonnen.",
                "1. Anna: 1 von 2 gewonnen",
                "1. Carla: 1 von 2 gewonnen",
                "3. Ben: 1 von 3 gewonnen",
                "4. Dora: 0 von 1 gewonnen",
                "Anna war bei 2 von 3 Spielen dabei.",
                "Carla war bei 2 von 3 Spielen dabei.",
                "Dora war bei 1 von 3 Spielen dabei.",
            ),
        ),
    ],
)
def test_an_evening_of_people_who_come_and_go_ends_with_right_sentences(
    language: str, aside: str, evening: tuple[str, ...]
) -> None:
    now = [datetime(2026, 11, 28, 19, tzinfo=UTC)]
    pilot = Pilot(store=Store(":memory:", now=lambda: now[0]))
    pilot.ctx.texts = Texts(language)

    def wait(minutes: int) -> None:
        now[0] += timedelta(minutes=minutes)

    pilot.key("2 * 2*66*66*2*# 22*33*66*# # #")  # Anna and Ben
    wait(40)
    play(pilot, 2, 0)
    wait(10)
    pilot.key("< 2 * 222*2*777*555*2*# # #")  # Carla comes
    pilot.key("5#")
    wait(5)
    frame = pilot.key("? 9 2 #")  # a mistake: begun anew
    assert aside in frame.body.lines
    wait(45)
    play(pilot, 3, 1)
    wait(10)
    pilot.key("< 2 v v * 3*666*777*2*# # 1")  # Dora takes the seat of Anna, who leaves
    assert pilot.frame.header.title == "Dora"
    wait(70)
    play(pilot, 3, 2)
    assert pilot.key("0").body.lines[:-1] == evening
    assert now[0] - datetime(2026, 11, 28, 19, tzinfo=UTC) >= timedelta(hours=3)
