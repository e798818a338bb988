"""Mouse, touch and keyboard become keys, as those of the keypad do."""

from collections.abc import Iterator

import pygame
import pytest

from hardware.keys import Key
from pi_app.displays.window import Look
from pi_app.displays.window.touch import Choose, Letter
from pi_app.view.frame import Board, Body, Cell, Choices, Entry, Frame, Header, Picture, soft
from pi_app.view.inputs import Tap
from pi_app.view.keying import keys_of_letter
from tests.players.window import SAMPLES, Table, opened


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    yield from opened(Table, monkeypatch)


AZERTY, US, CZECH = "à&é\"'(-è_ç", ")!@#$%^&*(", "é+ěščřžýáí"
"""What the row of digits prints, from 0 on: without Shift, with it, and without it."""


@pytest.mark.parametrize("layout", [AZERTY, CZECH])
def test_the_row_of_digits_needs_no_shift_on_any_layout(table: Table, layout: str) -> None:
    for digit, char in enumerate(layout):
        place = getattr(pygame, f"KSCAN_{digit}")
        shift = pygame.KMOD_LSHIFT
        assert table.type(pygame.K_UNKNOWN, char, scancode=place) == [Key(str(digit))]
        typed = table.type(pygame.K_UNKNOWN, str(digit), scancode=place, mod=shift)
        assert typed == [Key(str(digit))]


def test_signs_above_digits_are_keys_and_other_signs_leave_the_digit(table: Table) -> None:
    signs = {"*": Key.STAR, "#": Key.ENTER}
    for digit, char in enumerate(US):
        place = getattr(pygame, f"KSCAN_{digit}")
        typed = table.type(pygame.K_UNKNOWN, char, scancode=place, mod=pygame.KMOD_RSHIFT)
        assert typed == [signs.get(char, Key(str(digit)))]


@pytest.mark.parametrize(
    ("char", "expected"), [("é", []), ("-", [*keys_of_letter("-")]), ("2", [Key.D2])]
)
def test_in_a_name_the_row_of_digits_writes_what_it_prints(
    table: Table, char: str, expected: list[Key]
) -> None:
    table.window.show(Frame(Header("Name"), Body(entry=Entry("_")), keys=soft(typing=True)))
    assert table.type(pygame.K_UNKNOWN, char, scancode=pygame.KSCAN_2) == expected
    assert table.type(pygame.K_ESCAPE, "\x1b") == [Key.BACK_HELD]


def test_other_keys_of_the_keyboard_mean_nothing(table: Table) -> None:
    assert table.type(pygame.K_y, "y") == []
    assert table.type(pygame.K_F9) == []


def test_two_keys_down_at_once_go_up_each_by_itself(table: Table) -> None:
    for key in (pygame.K_ESCAPE, pygame.K_TAB):
        table.post(pygame.KEYDOWN, key=key, unicode="")
    for key in (pygame.K_ESCAPE, pygame.K_TAB):
        table.post(pygame.KEYUP, key=key)
    assert table.heard() == [Key.BACK, Key.MENU]


def test_a_finger_that_slides_away_from_back_presses_nothing(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    table.down(Key.BACK)
    table.up((5, 5))
    assert table.heard() == []


def test_a_field_an_item_and_a_soft_key_are_touched(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    assert table.click(Tap("29")) == [Tap("29")]
    assert table.click(Key.ENTER) == [Key.ENTER]
    table.window.show(SAMPLES["home"])
    assert table.click(Choose(2)) == [Key.DOWN, Key.DOWN, Key.ENTER]
    assert table.click(Choose(1)) == [Key.DOWN, Key.ENTER]


def test_the_wheel_scrolls_lists_and_pages_but_never_makes_a_move(table: Table) -> None:
    listed = Frame(Header("Menu"), Body(choices=Choices(("one", "two"))))
    board = Frame(Header("Anna"), board=Board(picture=Picture("grid", 1, (Cell("1", "1"),))))
    table.window.show(listed)
    table.post(pygame.MOUSEWHEEL, y=-1)
    table.post(pygame.MOUSEWHEEL, y=1)
    assert table.heard() == [Key.DOWN, Key.UP]
    table.window.show(board)
    table.post(pygame.MOUSEWHEEL, y=-1)
    assert table.heard() == []


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_letter_of_a_name_can_be_touched(
    size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = Table(Look(size=size, letters=language))
    table.window.show(
        Frame(Header("Name"), Body(entry=Entry("_")), keys=soft((Key.ENTER, "ok"), typing=True))
    )
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜß-. 0123456789":
        assert table.click(Letter(letter)) == list(keys_of_letter(letter))
    assert table.click(Key.ENTER) == [Key.ENTER]
    table.window.close()
