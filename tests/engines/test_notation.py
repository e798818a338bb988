"""The pieces of notation that all games share."""

import pytest

from engines.notation import (
    TOO_LARGE,
    Fault,
    correction,
    decode_text,
    number,
    position_parts,
    printable,
    read_digits,
    seat_of,
)

PLAYERS = ("Anna Maria", "Ben", "a;b")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("36", 36),
        *((word, None) for word in ("37", "07", "00", "", "-1", "+1", "٣", "²", "1_0")),
        pytest.param("9" * 5000, None, id="5000 digits"),
    ],
)
def test_a_number_is_ascii_digits_without_leading_zeros(word: str, value: int | None) -> None:
    assert number(word, 36) == value


def test_a_seat_is_found_by_name_however_spaced() -> None:
    assert seat_of(" Anna   Maria ", PLAYERS) == 0
    assert seat_of("anna maria", PLAYERS) is None


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Anna\u200b", "Anna"),
        ("An\u00adna\u2060", "Anna"),
        ("\ufeffAnna", "Anna"),
        ("J\u200bu\u0308rgen", "J\u00fcrgen"),
        ("Anna\u202e", "Anna?"),
        ("An\tna", "An na"),
    ],
)
def test_a_name_has_nothing_in_it_that_cannot_be_seen(text: str, seen: str) -> None:
    assert printable(text) == seen


def test_a_mark_in_mid_file_is_dropped_where_files_were_joined() -> None:
    assert decode_text(b"a\n\xef\xbb\xbfb\n") == "a\nb\n"


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("<yellow 7x2; red 3>", ("yellow 7x2; red 3", None)),
        ("<yellow 7x2; to-move=Ben>", ("yellow 7x2", 1)),
        ("<yellow 7;to-move= Anna  Maria >", ("yellow 7", 0)),
        ("<; to-move=a;b>", ("", 2)),
        ("<>", ("", None)),
        ("<to-move=Ben>", ("to-move=Ben", None)),
        ("<yellow 7", None),
        ("<", None),
        ("<a>b>", None),
        ("yellow 7>", None),
        ("", None),
    ],
)
def test_a_correction_is_taken_apart(token: str, expected: tuple[str, int | None] | None) -> None:
    assert correction(token, PLAYERS) == expected


@pytest.mark.parametrize("name", ["Nobody", "", "Ben; red 7"])
def test_who_is_to_move_must_be_somebody(name: str) -> None:
    with pytest.raises(Fault) as caught:
        correction(f"<yellow 7; to-move={name}>", PLAYERS)
    assert (caught.value.code, caught.value.facts) == ("nobody-called", {"name": name})


@pytest.mark.parametrize(
    ("digits", "value"),
    [("0", 0), ("999999", 999_999), ("1000000", TOO_LARGE), ("9" * 5000, TOO_LARGE)],
)
def test_digits_without_end_are_too_large_for_anything(digits: str, value: int) -> None:
    assert read_digits(digits) == value


def test_a_position_is_split_into_colours_and_items() -> None:
    text = " yellow 23x3  7x1;red left=4 ;open 24=4x6; pink"
    assert position_parts(text, {"yellow", "red", "pink", "open"}) == [
        ("yellow", ("23x3", "7x1")),
        ("red", ("left=4",)),
        ("open", ("24=4x6",)),
        ("pink", ()),
    ]
    assert position_parts("  ", {"yellow"}) == []


@pytest.mark.parametrize(
    "text", ["blue 7", "yellow 7; yellow 8", "yellow 7;", "; yellow 7", ";", "Yellow 7"]
)
def test_an_impossible_colour_is_refused(text: str) -> None:
    with pytest.raises(Fault, match=r"empty-part|unknown-colour|colour-twice"):
        position_parts(text, ("yellow", "red"))
