"""Mouse, touch and keyboard become keys, as those of the keypad do."""

import re
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from hardware.inputs.contacts import Matrix
from hardware.keys import TIMES, Key
from hardware.pads.table import PRINTED
from pi_app.displays.terminal_keys import Keyboard
from pi_app.displays.window import Look
from pi_app.displays.window.touch import Choose, Letter
from pi_app.view.frame import Board, Body, Cell, Choices, Entry, Frame, Header, Picture, soft
from pi_app.view.inputs import Tap
from pi_app.view.multitap import keys_of_letter
from tests.hardware.serial_panel import wire as panel
from tests.players.window import SAMPLES, Table, opened

ROOT = Path(__file__).parents[4]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    yield from opened(Table, monkeypatch)


@pytest.mark.parametrize(
    ("key", "char", "expected"),
    [
        (pygame.K_5, "5", Key.D5),
        (pygame.K_KP5, "5", Key.D5),
        (pygame.K_PLUS, "*", Key.STAR),
        (pygame.K_PLUS, "+", Key.STAR),
        (pygame.K_BACKSLASH, "#", Key.ENTER),
        (pygame.K_RETURN, "\r", Key.ENTER),
        (pygame.K_UP, "", Key.UP),
        (pygame.K_b, "b", Key.DOWN),
        (pygame.K_F4, "", Key.DIE4),
        (pygame.K_u, "u", Key.BACK_HELD),
        (pygame.K_p, "p", Key.MENU_HELD),
        (pygame.K_ESCAPE, "\x1b", Key.BACK),
        (pygame.K_TAB, "\t", Key.MENU),
    ],
)
def test_the_keyboard_stands_for_the_keypad(
    table: Table, key: int, char: str, expected: Key
) -> None:
    assert table.type(key, char) == [expected]


DOCUMENTED = {
    "Enter": ("KPENTER", pygame.KSCAN_KP_ENTER, "\r"),
    "`+`": ("KPPLUS", pygame.KSCAN_KP_PLUS, "+"),
    "`*`": ("KPASTERISK", pygame.KSCAN_KP_MULTIPLY, "*"),
    "`-`": ("KPMINUS", pygame.KSCAN_KP_MINUS, "-"),
    "`/`": ("KPSLASH", pygame.KSCAN_KP_DIVIDE, "/"),
    "`.`": ("KPDOT", pygame.KSCAN_KP_PERIOD, "."),
    "Backspace": ("BACKSPACE", pygame.KSCAN_BACKSPACE, "\b"),
    "Esc": ("ESC", pygame.KSCAN_ESCAPE, "\x1b"),
    "Tab": ("TAB", pygame.KSCAN_TAB, "\t"),
    "NumLock": ("NUMLOCK", None, ""),
}
"""The keys in the documentation's table: the kernel's name, SDL's place, what a terminal sends."""
KEYPAD = {"#": Key.ENTER, "*": Key.STAR, "A": Key.UP, "B": Key.DOWN, "C": Key.BACK, "D": Key.MENU}


def documented_keys() -> Iterator[tuple[str, Key]]:
    """Yield each key of the table in docs/build.md, and the key of the keypad that it is."""
    rows = re.findall(r"^\| (.+?) \| (`.+?) \|$", (ROOT / "docs/build.md").read_text("utf-8"), re.M)
    for keys, meaning in rows:
        words = keys.replace(",", "").split()
        if DOCUMENTED.keys() >= set(words):
            signs = re.findall(r"`(.)`", meaning)
            yield from zip(words, map(KEYPAD.__getitem__, signs * len(words)), strict=False)


def test_the_documentation_names_each_key_of_pads_once() -> None:
    assert sorted(word for word, _ in documented_keys()) == sorted(DOCUMENTED)


@pytest.mark.parametrize(("word", "key"), list(documented_keys()))
@pytest.mark.parametrize("printed", ["as printed", "nothing", "a comma"])
def test_pads_window_and_terminal_hear_a_key_as_documented(
    table: Table, word: str, key: Key, printed: str
) -> None:
    name, place, typed = DOCUMENTED[word]
    assert PRINTED[name] is key
    if place is not None:  # NumLock changes what a number block prints, a layout its point
        char = {"nothing": "", "a comma": ","}.get(printed, typed)
        assert table.type(pygame.K_UNKNOWN, char, scancode=place) == [key]
        keyboard = Keyboard()
        assert keyboard.decode(typed.encode(), 1.0) + keyboard.release_waiting(2.0) == [key]


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


def test_other_keys_of_the_keyboard_mean_nothing(table: Table) -> None:
    assert table.type(pygame.K_y, "y") == []
    assert table.type(pygame.K_F9) == []


def test_back_held_takes_back_and_says_so_while_it_is_held(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    point = table.place(Key.BACK)
    table.down(Key.BACK)
    assert table.heard() == []
    table.clock.now += TIMES.hold_s
    table.window.poll()
    assert table.heard() == [Key.BACK_HELD]
    table.up(point)
    assert table.heard() == []


def test_a_short_back_counts_when_it_is_released(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    assert table.click(Key.BACK) == [Key.BACK]
    assert table.type(pygame.K_BACKSPACE) == [Key.BACK]
    assert table.type(pygame.K_BACKSPACE, hold_s=TIMES.hold_s) == [Key.BACK_HELD]


@pytest.mark.parametrize(
    ("key", "typed", "held_s"),
    [
        (Key.BACK, pygame.K_ESCAPE, TIMES.hold_s - 0.05),
        (Key.BACK, pygame.K_ESCAPE, TIMES.hold_s + 0.05),
        (Key.UP, pygame.K_UP, TIMES.repeat_after_s - 0.05),
        (Key.UP, pygame.K_UP, TIMES.repeat_after_s + 0.1),
        (Key.ENTER, pygame.K_RETURN, TIMES.hold_s + 0.05),
        (Key.DOWN, pygame.K_DOWN, TIMES.stuck_s / 2),
    ],
)
def test_header_panel_and_window_hear_the_same_of_a_press(
    table: Table, key: Key, typed: int, held_s: float
) -> None:
    steps = round(held_s / 0.005)
    matrix = Matrix({(0, 0): key})
    settling = round(TIMES.debounce_s / 0.005)
    header = [
        heard
        for step in range(steps + 3 * settling)
        for heard in matrix.scan({(0, 0)} if step < steps else (), step * 0.005)
    ]
    wire = panel.Table(seed=1, damage=0.0)
    wire.run(2000)
    wire.press(key, round(held_s * 1000))
    wire.run(round(held_s * 1000) + 1000)
    table.post(pygame.KEYDOWN, key=typed, unicode="")
    for _ in range(steps):
        table.clock.now += 0.005
        table.window.poll()
    table.post(pygame.KEYUP, key=typed)
    window = table.heard()
    assert [press.key for press in wire.heard] == header == window


def test_up_and_down_repeat_while_they_are_held_and_stop_when_let_go(table: Table) -> None:
    assert table.type(pygame.K_DOWN, hold_s=TIMES.repeat_after_s) == [Key.DOWN, Key.DOWN]
    table.clock.now += TIMES.repeat_every_s
    table.window.poll()
    table.window.show(SAMPLES["home"])
    assert table.type(pygame.K_5, "5", hold_s=TIMES.repeat_after_s) == [Key.D5]


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
