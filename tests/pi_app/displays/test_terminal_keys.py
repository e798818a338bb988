"""A terminal's keyboard: a held key counts once, and whatever is pressed or pasted counts."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import Key
from pi_app.displays.terminal_keys import AGAIN_S, ESC_S, HELD_S, Keyboard
from pi_app.view.frame import KeySet
from pi_app.view.keying import keys_of_letter

TIMES_S = st.sampled_from([0.0, 0.01, 0.033, 0.07, 0.1, 0.3, 0.6, 1.1])
"""Between two bytes: in one packet, from a held key, from a finger, after its delay, much later."""

ONE = {b"1": Key.D1, b"4": Key.D4, b"+": Key.STAR, b"\x7f": Key.BACK, b"\x1b": Key.BACK}
ONCE = {
    b"u": Key.BACK_HELD, b"p": Key.MENU_HELD, b"\r": Key.ENTER, b"#": Key.ENTER, b"\t": Key.MENU,
    b"\x1bOP": Key.DIE1,
}  # fmt: skip
"""Keys that undo, open, play or confirm."""
REPEATING = {b"a": Key.UP, b"\x1b[B": Key.DOWN}


def heard(stream: list[tuple[float, bytes]], meaning: KeySet | None = None) -> list[Key]:
    """Return the keys for bytes that each come so long after those before."""
    keyboard, now, keys = Keyboard(), 5.0, list[Key]()
    keyboard.meaning = meaning or KeySet()
    for gap_s, data in [*stream, (9.0, b"")]:
        now += gap_s
        while (due := keyboard.due) is not None and due <= now:
            keys += keyboard.release_waiting(due)
        keys += keyboard.decode(data, now)
    return keys


def runs(stream: list[tuple[float, bytes]]) -> list[tuple[bytes, int, bool]]:
    """Return bytes that come again at a held key's pace: which, how often, and if out of the blue.

    Not out of the blue are the repeats of a held key, which come after a pause.
    """
    found: list[tuple[bytes, int, bool]] = []
    for gap_s, data in stream:
        same = bool(found) and found[-1][0] == data
        if same and gap_s < HELD_S:
            found[-1] = (data, found[-1][1] + 1, found[-1][2])
        else:
            found.append((data, 1, not same or gap_s >= AGAIN_S))
    return found


def presses(data: bytes, count: int, *, fresh: bool) -> list[Key]:
    if key := REPEATING.get(data):
        return [key] * count
    if count == 1:
        return [(ONE | ONCE)[data]]
    if not fresh:  # the repeats of the key that counted before
        return []
    return [ONCE[data]] if data in ONCE else [ONE[data]] * (2 if count == 2 else 1)


@given(st.lists(st.tuples(TIMES_S, st.sampled_from([*ONE, *ONCE, *REPEATING])), max_size=60))
def test_of_any_bytes_at_any_pace_a_held_key_counts_once_and_two_presses_twice(
    stream: list[tuple[float, bytes]],
) -> None:
    expected = [key for data, n, fresh in runs(stream) for key in presses(data, n, fresh=fresh)]
    assert heard(stream) == expected


@given(
    st.sampled_from([*ONE, *ONCE]),
    st.floats(0.2, 0.9),
    st.lists(st.floats(0.0, HELD_S - 0.001), min_size=1),
    st.booleans(),
)
def test_a_key_held_for_any_time_acts_once(
    data: bytes, delay_s: float, pauses_s: list[float], other: bool
) -> None:
    held = [(1.0, data), (delay_s, data), *[(pause_s, data) for pause_s in pauses_s]]
    after = [(0.2, b"0")] if other else []
    assert heard(held + after) == [(ONE | ONCE)[data], *([Key.D0] if other else [])]


@given(st.lists(st.tuples(TIMES_S, st.binary(max_size=8)), max_size=40))
def test_no_bytes_stop_it_and_none_wait_for_ever(stream: list[tuple[float, bytes]]) -> None:
    heard(stream, KeySet(typing=True))
    keyboard = Keyboard()
    for number, (_, data) in enumerate(stream):
        keyboard.decode(data, number * 0.01)
    keyboard.release_waiting(2 * AGAIN_S)
    assert keyboard.due is None


@given(st.text("ANno4 -äöü", max_size=20), st.integers(1, 5))
def test_every_letter_of_a_name_counts_however_it_arrives(text: str, size: int) -> None:
    letters = [(letter, len(list(group))) for letter, group in groupby(text)]
    text = "".join(letter * min(2, count) for letter, count in letters)
    data = text.encode()
    packets = [(0.01, data[i : i + size]) for i in range(0, len(data), size)]
    digits = KeySet(typing=True)
    expected = [
        key
        for letter in text
        for key in ((Key(letter),) if letter.isdigit() else keys_of_letter(letter))
    ]
    assert heard(packets, digits) == expected


@pytest.mark.parametrize(
    ("meaning", "typed", "expected"),
    [
        (KeySet(typing=True), b"fff", [*keys_of_letter("f")] * 3),
        (KeySet(), b"\x1b[200~111##\x1b[201~", [Key.D1] * 3 + [Key.ENTER] * 2),
        (KeySet(typing=True), b"\x1b[200~fff\x1b[201~", [*keys_of_letter("f")] * 3),
        (KeySet(), b"\x1b[200~1\x1b[201~111", [Key.D1] * 2),
    ],
)
def test_what_is_pasted_counts_in_full(meaning: KeySet, typed: bytes, expected: list[Key]) -> None:
    assert heard([(0.0, typed)], meaning) == expected
    if typed.startswith(b"\x1b"):
        by_byte = [(0.001, bytes([byte])) for byte in typed.removesuffix(b"11")]
        assert heard(by_byte, meaning) == expected


def test_a_paste_whose_end_is_lost_ends_by_itself() -> None:
    assert heard([(0.0, b"\x1b[200~5"), (1.5, b"4444")]) == [Key.D5, Key.D4]


@pytest.mark.parametrize("pause_s", [0.0, 0.02, 2 * ESC_S])
def test_an_arrow_that_comes_byte_by_byte_is_an_arrow_and_a_lone_esc_goes_back(
    pause_s: float,
) -> None:
    keys = heard([(pause_s, bytes([byte])) for byte in b"\x1b[A"])
    assert keys == ([Key.UP] if pause_s < ESC_S else [Key.BACK, Key.UP])
    assert heard([(0.0, b"\x1b")]) == [Key.BACK]
    assert heard([(0.0, b"\x1b"), (0.3, b"\x1b")]) == [Key.BACK] * 2


def test_other_sequences_and_unknown_bytes_are_no_keys() -> None:
    for data in (b"\x1b[1;5A", b"\x1b[C", b"\x1b[20~", b"\x1b[?1;2c", "é".encode(), b"\xff", b"z"):
        assert heard([(0.0, data)]) == []


@pytest.mark.parametrize("exact", [False, True])
def test_esc_leaves_a_text_at_once_whatever_is_written(exact: bool) -> None:
    typing = KeySet(typing=True, exact=exact)
    assert heard([(0, b"\x1b")], typing) == [Key.BACK_HELD]
    assert heard([(0, b"\x7f")], typing) == [Key.BACK]
    assert heard([(0, b"\x1b[A")], typing) == [Key.UP]
