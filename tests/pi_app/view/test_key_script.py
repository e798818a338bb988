"""Key scripts read as people write them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import Key
from pi_app.view.key_script import KeyScriptError, read_keys


@pytest.mark.parametrize(
    ("script", "keys"),
    [
        ("5*11#", [Key.D5, Key.STAR, Key.D1, Key.D1, Key.ENTER]),
        ("^v<?", [Key.UP, Key.DOWN, Key.BACK, Key.MENU]),
        ("<<", [Key.BACK_HELD]),
        ("<<<", [Key.BACK_HELD, Key.BACK]),
        ("< <", [Key.BACK, Key.BACK]),
        ("d4D6", [Key.DIE4, Key.DIE6]),
        ("STAR enter MENU_HELD", [Key.STAR, Key.ENTER, Key.MENU_HELD]),
        ("7 ; the rest is a comment #\n8", [Key.D7, Key.D8]),
        ("", []),
    ],
)
def test_script_means_these_keys(script: str, keys: list[Key]) -> None:
    assert read_keys(script) == keys


def test_unknown_key_is_refused_with_its_line_and_word() -> None:
    with pytest.raises(KeyScriptError) as caught:
        read_keys("5#\nd7 #")
    assert (caught.value.line, caught.value.word) == (2, "d7")


@given(st.lists(st.sampled_from(Key)))
def test_every_key_is_called_by_its_name(keys: list[Key]) -> None:
    assert read_keys(" ".join(keys)) == keys


@given(st.text())
def test_junk_is_refused_or_read_but_never_crashes(script: str) -> None:
    with contextlib.suppress(KeyScriptError):
        assert set(read_keys(script)) <= set(Key)
