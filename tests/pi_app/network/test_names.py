"""The QR code that joins says what phones understand, whatever is in name and password."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.network.names import LETTERS, PASSWORD_LENGTH, join_code, make_name, make_password
from tests.machine.wifi_phone import fields


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("Beisitzer-7k4", "abcdefgh23", "WIFI:T:WPA;S:Beisitzer-7k4;P:abcdefgh23;;"),
        ('a;b,c:d\\e"f', "p;w:", 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\\\e\\"f;P:p\\;w\\:;;'),
        ("abc123", "12345678", 'WIFI:T:WPA;S:"abc123";P:"12345678";;'),
        ("Café", "ghijklmn", "WIFI:T:WPA;S:Café;P:ghijklmn;;"),
    ],
)
def test_the_code_has_what_is_special_escaped(name: str, password: str, code: str) -> None:
    assert join_code(name, password) == code


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=32))
def test_every_name_is_read_back(name: str) -> None:
    found = fields(join_code(name, name))
    assert (found["S"], found["P"]) == (name, name)


def test_passwords_are_long_distinct_and_without_letters_that_are_mistaken() -> None:
    passwords = {make_password() for _ in range(200)}
    assert len(passwords) == 200
    assert all(len(each) == PASSWORD_LENGTH and set(each) <= set(LETTERS) for each in passwords)
    assert not set("0O1lIi") & set(LETTERS)
    assert make_name().startswith("Beisitzer-")
