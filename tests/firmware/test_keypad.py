"""Bounce, ghosts and many fingers, sample by sample on a simulated clock."""

import random

import pytest

from firmware.panel.keypad import BUTTONS, DEBOUNCE_MS, MATRIX, NAMES, Debouncer, find_doubtful
from tests.hardware.serial_panel.wire import KEYS

STEP_MS = 4


class Board:
    """A matrix without diodes: what current finds is what the scan sees."""

    def __init__(self) -> None:
        self.keypad = Debouncer()
        self.now = 0

    def run(self, keys: set[str], length: int) -> list[tuple[str, bool]]:
        """Hold these keys for so many milliseconds; give what changed."""
        events: list[tuple[str, bool]] = []
        for _ in range(length // STEP_MS):
            self.now += STEP_MS
            buttons = sum(1 << i for i, name in enumerate(BUTTONS) if name in keys)
            events += self.keypad.sample(scan(keys), buttons, self.now)
        return events


@pytest.fixture
def board() -> Board:
    return Board()


def scan(keys: set[str]) -> list[int]:
    """Read the matrix: current flows through closed keys along rows and columns, both ways."""
    closed = {(r, c) for r in range(4) for c in range(4) if MATRIX[r][c] in keys}
    rows = []
    for driven in range(4):
        live_rows, live_columns = {driven}, set[int]()
        while True:
            columns = {c for r, c in closed if r in live_rows} | live_columns
            wider = {r for r, c in closed if c in columns} | live_rows
            if columns == live_columns and wider == live_rows:
                break
            live_columns, live_rows = columns, wider
        rows.append(sum(1 << c for c in live_columns))
    return rows


def test_every_key_of_the_protocol_is_there_and_no_other() -> None:
    assert sorted(NAMES) == sorted(key.value for key in KEYS)


@pytest.mark.parametrize("name", NAMES)
def test_a_key_goes_down_and_up_once(board: Board, name: str) -> None:
    assert board.run({name}, 100) == [(name, True)]
    assert board.run(set(), 100) == [(name, False)]


def test_a_touch_shorter_than_the_debounce_time_is_no_press(board: Board) -> None:
    assert board.run({"5"}, DEBOUNCE_MS) == []
    assert board.run(set(), 200) == []


@pytest.mark.parametrize("seed", range(20))
def test_bounce_at_both_ends_is_one_press(seed: int) -> None:
    board, chance = Board(), random.Random(seed)
    events = []
    for end in (True, False):
        for _ in range(chance.randint(1, 12)):
            events += board.run({"5"} if chance.random() < 0.5 else set(), STEP_MS)
        events += board.run({"5"} if end else set(), 60)
    assert events == [("5", True), ("5", False)]


def test_two_keys_at_once_are_two_presses(board: Board) -> None:
    assert board.run({"1", "6"}, 60) == [("1", True), ("6", True)]
    assert board.run(set(), 60) == [("1", False), ("6", False)]


def test_the_fourth_corner_is_never_reported(board: Board) -> None:
    assert scan({"1", "2", "4"}) == scan({"1", "2", "4", "5"})
    assert board.run({"1", "2"}, 60) == [("1", True), ("2", True)]
    assert board.run({"1", "2", "4"}, 200) == []
    assert board.run({"2", "4"}, 60) == [("1", False), ("4", True)]
    assert board.run(set(), 60) == [("2", False), ("4", False)]


@pytest.mark.parametrize("seed", range(30))
def test_no_heap_of_fingers_makes_a_key_appear_that_nobody_presses(seed: int) -> None:
    board, chance = Board(), random.Random(seed)
    down: set[str] = set()
    for _ in range(60):
        pressed = set(chance.sample(NAMES, chance.randint(0, 6)))
        for name, goes_down in board.run(pressed, chance.choice((4, 24, 60))):
            assert not goes_down or name in pressed
            assert (name in down) != goes_down
            down ^= {name}
    assert {name for name, _ in board.run(set(), 100)} == down


def test_only_keys_on_a_rectangle_are_in_doubt() -> None:
    assert find_doubtful([0b0011, 0b0011, 0b0100, 0]) == [0b0011, 0b0011, 0, 0]
    assert find_doubtful([0b0001, 0b0001, 0b0001, 0b0001]) == [0, 0, 0, 0]
    assert find_doubtful([0b1111, 0, 0, 0]) == [0, 0, 0, 0]
    assert find_doubtful([0b0110, 0, 0b1110, 0b1000]) == [0b0110, 0, 0b0110, 0]


@pytest.mark.parametrize("held", [{"5"}, {"DIE3", "MENU"}, {"1", "2", "4"}])
def test_keys_held_from_the_first_scan_on_are_pressed_only_once_they_were_let_go(
    board: Board, held: set[str]
) -> None:
    buttons = sum(1 << i for i, name in enumerate(BUTTONS) if name in held)
    board.keypad.begin(scan(held), buttons)
    assert board.run(held, 200) == []
    assert not any(down for _, down in board.run(set(), 100))
    assert board.keypad.at_rest
    for name in held:
        assert board.run({name}, 60) == [(name, True)]
        assert board.run(set(), 60) == [(name, False)]


def test_the_keypad_is_at_rest_only_while_no_finger_is_on_a_key(board: Board) -> None:
    board.run(set(), 100)
    assert board.keypad.at_rest
    board.run({"5"}, STEP_MS)
    assert not board.keypad.at_rest
    board.run({"5"}, 100)
    assert not board.keypad.at_rest
