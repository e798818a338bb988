"""Rows of text as dots, beeps as notes, key scripts as presses."""

import pytest

from firmware.panel import script
from firmware.panel.display import COLUMNS, ROWS, WIDTH, TextRows, window
from firmware.panel.line import BEEPS
from firmware.panel.tune import NOTES, Tune


def _picture(dots: bytes) -> list[str]:
    """Draw 16 lines of 128 dots from two pages."""
    return [
        "".join("#" if dots[(y // 8) * WIDTH + x] >> y % 8 & 1 else "." for x in range(WIDTH))
        for y in range(16)
    ]


def _drawn(text: str) -> list[str]:
    rows = TextRows()
    rows.set(1, text)
    return _picture(bytes(rows.draw(1)))


def test_a_letter_stands_twice_as_high_as_it_is_drawn() -> None:
    narrow = [line[4:9] for line in _drawn("L")]
    assert narrow == ["#...."] * 12 + ["#####"] * 2 + ["....."] * 2


def test_twenty_letters_fit_and_more_are_cut() -> None:
    full = _drawn("█" * 25)
    assert [x for x, dot in enumerate(full[0]) if dot == "#"][-1] < WIDTH
    assert full == _drawn("█" * COLUMNS)
    assert full != _drawn("█" * (COLUMNS - 1))


def test_only_rows_that_changed_are_drawn() -> None:
    rows = TextRows()
    drawn = []
    while (row := rows.find_changed()) >= 0:
        rows.draw(row)
        drawn.append(row)
    assert drawn == list(range(ROWS))
    rows.set(2, "neu")
    assert rows.find_changed() == 2
    rows.draw(2)
    rows.set(2, "neu")
    assert rows.find_changed() == -1
    rows.forget()
    assert rows.find_changed() == 0


def test_a_row_goes_to_its_own_two_pages() -> None:
    assert [window(row)[4:] for row in range(ROWS)] == [b"\0\1", b"\2\3", b"\4\5", b"\6\7"]


@pytest.mark.parametrize("kind", BEEPS)
def test_every_beep_sounds_and_falls_silent(kind: str) -> None:
    tune = Tune()
    assert tune.tick(0) == -1
    tune.start(kind)
    heard = [pitch for now in range(100, 2_000) if (pitch := tune.tick(now)) >= 0]
    assert heard == [pitch for pitch, _ in NOTES[kind]] + [0]


def test_a_new_beep_replaces_the_old_one() -> None:
    tune = Tune()
    tune.start("win")
    tune.tick(0)
    tune.start("tick")
    assert tune.tick(1) == NOTES["tick"][0][0]


def test_key_scripts_read_as_people_write_them() -> None:
    text = "5*11# d4^v<?<< ; a comment\nENTER BACK:900 ~250 0"
    signs = ["5", "STAR", "1", "1", "ENTER", "DIE4", "UP", "DOWN", "BACK", "MENU", "BACK"]
    presses = script.read(text)
    assert [name for name, _ in presses] == [*signs, "ENTER", "BACK", "", "0"]
    assert [ms for _, ms in presses][9:] == [60, 800, 60, 900, 250, 60]


@pytest.mark.parametrize("text", ["x", "d7", "5!", "~", "~x", "ENTER:", "enter"])
def test_a_key_script_with_a_mistake_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        script.read(text)
