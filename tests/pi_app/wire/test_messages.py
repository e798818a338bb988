"""The annotations of a message are its check: nothing else gets in, and it goes out as it was."""

from dataclasses import FrozenInstanceError
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.wire.messages import (
    Count,
    Items,
    Message,
    MessageError,
    Number,
    String,
    Word,
    clean,
    compact,
    read_object,
)


class Part(Message):
    seat: Count
    name: Annotated[str, String(5, cut=True)]


class Whole(Message):
    upto: Number
    hub: Word | None = None
    mode: Literal["free", "swiss", 1] = "free"
    on: bool = False
    rest: dict[str, Any] | None = None
    pem: Annotated[str, String(8, raw=True)] = ""
    parts: Annotated[tuple[Part, ...], Items(2, 1)] | None = None


def test_what_is_written_compactly_is_utf_8_and_json_that_everybody_reads() -> None:
    assert compact({"a": ["ü", 1]}) == '{"a":["ü",1]}'.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact({"a": float("nan")})


def test_a_message_stays_what_was_checked() -> None:
    with pytest.raises(FrozenInstanceError):
        Whole(upto=1).upto = -1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({}, "upto is missing"),
        ({"upto": True}, "upto must be a whole number from 0 on"),
        ({"upto": 2**53}, "upto must be a whole number"),
        ({"upto": 1, "hub": "two words"}, "hub must be a text like"),
        ({"upto": 1, "mode": True}, "mode must be one of free, swiss, 1"),
        ({"upto": 1, "mode": ["free"]}, "mode must be one of"),
        ({"upto": 1, "mode": None}, "mode must be one of"),
        ({"upto": 1, "on": 1}, "on must be true or false"),
        ({"upto": 1, "rest": []}, "rest must be an object"),
        ({"upto": 1, "pem": "x" * 9}, "pem must be a text of at most 8 characters"),
        ({"upto": 1, "parts": []}, "parts must be a list of 1 to 2"),
        ({"upto": 1, "parts": [{"seat": 0, "name": "a"}]}, "parts: seat must be a whole number"),
        ([], "this is no object"),
    ],
)
def test_what_is_no_such_message_is_refused_with_the_field_that_is_wrong(
    facts: object, why: str
) -> None:
    with pytest.raises(MessageError, match=why):
        Whole.read(facts)


def test_unknown_keys_are_ignored_and_strangers_texts_are_cut_and_cleaned() -> None:
    part = {"seat": 1, "name": "a\x1b\u202ebcdefg", "more": 1}
    read = Whole.read({"upto": 1, "pem": "a\nb", "parts": [part], "more": [1]})
    assert read.parts == (Part(seat=1, name="a??b…"),)
    assert (read.pem, read.hub, read.mode) == ("a\nb", None, "free")


def test_a_text_is_cut_only_where_it_is_longer_than_allowed() -> None:
    assert [clean("a" * length, 5) for length in (5, 6)] == ["aaaaa", "aaaa…"]


PARTS = st.builds(Part, seat=st.integers(1, 99), name=st.sampled_from(["", "a", "äöü"]))
WHOLES = st.builds(
    Whole,
    upto=st.integers(0, 2**53 - 1),
    hub=st.sampled_from([None, "a", "!~"]),
    mode=st.sampled_from(["free", "swiss", 1]),
    on=st.booleans(),
    rest=st.sampled_from([None, {}, {"a": [1]}]),
    pem=st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    parts=st.none() | st.lists(PARTS, min_size=1, max_size=2).map(tuple),
)


@given(WHOLES)
def test_a_message_that_was_sent_is_read_as_it_was(message: Whole) -> None:
    assert Whole.read(read_object(compact(message.facts()))) == message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
HOSTILE = st.dictionaries(st.sampled_from(["upto", "hub", "mode", "rest", "pem", "parts"]), JSON)


@given(HOSTILE | JSON)
def test_anything_else_is_a_message_or_refused(facts: object) -> None:
    try:
        Whole.read(facts)
    except MessageError:
        return


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"a":NaN}', b"[" * 100_000, b"7"])
def test_bytes_that_are_no_object_are_refused(data: bytes) -> None:
    with pytest.raises(MessageError):
        read_object(data)
