"""Boards for the header: their files, and where somebody's own one lies."""

import tomllib
from dataclasses import fields

import pytest

from hardware.boards import ABOUT, FOLDER, board_path, board_words, known_boards, without_parts
from hardware.config import Devices, has_dial


def test_every_board_says_whose_it_is_and_where_its_pins_come_from() -> None:
    assert {"waveshare-oled-1in3", "adafruit-oled-bonnet"} <= set(board_words())
    for board in known_boards():
        assert board.name
        assert board.source.startswith("https://")
        assert board.bus in {"i2c", "spi"}


@pytest.mark.parametrize("word", board_words())
def test_a_board_names_only_parts_of_the_rig(word: str) -> None:
    table = tomllib.loads((FOLDER / f"{word}.toml").read_text("utf-8"))
    assert set(table) - {ABOUT} <= {part.name for part in fields(Devices)}


def test_a_board_begins_without_any_part() -> None:
    bare = without_parts(Devices())
    assert not has_dial(bare)
    assert not any(
        getattr(getattr(bare, part.name), "enabled", False)
        for part in fields(Devices)
        if part.name not in {"rig", "panel", "pads"}  # the last two are plugged in by cable
    )


def test_a_path_leads_to_a_board_of_ones_own_and_an_unknown_word_to_none() -> None:
    assert str(board_path("/home/anna/own.toml")) == "/home/anna/own.toml"
    assert board_path("../oled") is None
