"""The players' cards: every name in one size, and whole where a card has room for it."""

from dataclasses import replace

import pygame
import pytest

from pi_app.displays.window import ink
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.players import paint_players
from pi_app.displays.window.theme import RGB, THEMES
from pi_app.view.frame import Board, Extras, Frame, Header, Seat
from tests.pi_app.displays.window.watch import SIZES
from tests.pi_app.pilot import frame_of
from tests.scenes import scenes

SCENES = {scene.name: scene for scene in scenes()}
SHORT = 8
"""No name of so few letters is cut, on no screen; up to six players have whole ones."""

NOTE_FLOOR_PX = 12
"""What is left to a player is written no smaller than this, in pixels."""


def written(
    frame: Frame, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, *, keypad: bool = True
) -> dict[str, int]:
    """Return the size in which each text was written on the players' cards."""
    sizes: dict[str, int] = {}
    draw = ink.text_image
    painter = Painter(pygame.Surface(size), THEMES["dark"])
    painter.keypad = keypad
    painter.paint(frame)
    at = painter.layout
    assert at is not None

    def noted(text: str, size: int, colour: RGB) -> pygame.Surface:
        sizes[text] = size
        return draw(text, size, colour)

    with monkeypatch.context() as patch:
        patch.setattr(ink, "text_image", noted)
        paint_players(painter.surface, frame, at, painter.theme)
    return sizes


@pytest.mark.parametrize(
    "name",
    [
        "numeri-board",
        "sequence-talk",
        "sequence-three-teams",
        "sequence-twelve-players",
        "einmaleins-four-players",
        "einmaleins-six-players",
        "just4fun-blocked",
        "just4fun-long-names",
        "history-replay",
    ],
)
@pytest.mark.parametrize("size", SIZES)
def test_names_have_one_size_and_short_ones_are_whole(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frame_of(SCENES[name], "de")
    sizes = written(frame, size, monkeypatch)
    shown = {
        seat.name: next(
            text for text in sizes if text == seat.name or seat.name.startswith(text.rstrip("…"))
        )
        for seat in frame.extras.seats
    }
    assert len({sizes[text] for text in shown.values()}) == 1
    cut = [name for name, text in shown.items() if text != name]
    assert [name for name in cut if len(name) <= SHORT or len(frame.extras.seats) <= 6] == []
    scores = [seat.score for seat in frame.extras.seats if seat.score]
    assert len({sizes[score] for score in scores}) <= 1


def test_a_long_name_stands_above_its_score_rather_than_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats = (Seat("Maximilian-Josef", "yellow", "G", "29", "14 im Spiel"), Seat("Ben", "red", "R"))
    frame = frame_of(SCENES["just4fun-blocked"], "de")
    long = written(
        Frame(Header(""), board=Board(picture=frame.board.picture), extras=Extras(seats=seats)),
        (1920, 1080),
        monkeypatch,
    )
    assert long["Maximilian-Josef"] >= 24
    assert long["29"] > long["Maximilian-Josef"]


@pytest.mark.parametrize("size", [*SIZES, (820, 720)])
def test_what_is_left_to_the_players_of_numeri_is_whole_and_can_be_read(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a drawn rig on 1280x720, what shows the table has 820x720 pixels."""
    seats = (
        Seat("Anna", "green", "Ü", "425", "6 im Spiel"),
        Seat("Ben", "red", "R", "490", "6 im Spiel"),
    )
    frame = frame_of(SCENES["numeri-board"], "de")
    frame = replace(
        frame,
        body=replace(frame.body, lines=("Würfle und drück die Zahl.",)),
        extras=replace(frame.extras, seats=seats),
    )
    sizes = written(frame, size, monkeypatch, keypad=False)
    assert sizes["6 im Spiel"] >= NOTE_FLOOR_PX
    assert min(sizes["425"], sizes["Anna"]) > sizes["6 im Spiel"]
