"""Who is let in by the code, how guesses are slowed down, and what is kept of a browser."""

import json
from pathlib import Path

import pytest

from pi_app.phones.pairing import BROWSER_LIMIT, CODE_S, GUESS_LIMIT, Pairing, Refused
from tests.pi_app.pilot import Clock


def wrong(pairing: Pairing) -> str:
    return "000000" if pairing.code != "000000" else "000001"


def let_in(pairing: Pairing, name: str = "Firefox") -> str:
    token = pairing.pair(pairing.show_code(), name)
    assert isinstance(token, str)
    return token


def test_codes_have_six_digits_and_differ() -> None:
    pairing = Pairing(None, Clock())
    codes = {pairing.show_code() for _ in range(50)}
    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert len(codes) > 40


def test_a_code_lets_several_browsers_in_for_two_minutes() -> None:
    clock = Clock()
    pairing = Pairing(None, clock)
    code = pairing.show_code()
    tokens = {pairing.pair(code, name) for name in ("one", "two")}
    assert len(tokens) == 2
    clock.now += CODE_S - 1
    assert isinstance(pairing.pair(code, "three"), str)
    clock.now += 1
    assert pairing.pair(code, "four") == Refused("closed")
    assert [browser.name for browser in pairing.browsers] == ["one", "two", "three"]


def test_without_a_code_on_show_nobody_is_let_in() -> None:
    pairing = Pairing(None, Clock())
    assert pairing.pair("", "x") == Refused("closed")
    code = pairing.show_code()
    pairing.hide_code()
    assert pairing.pair(code, "x") == Refused("closed")


def test_an_older_code_holds_no_more() -> None:
    digits = iter(("111111", "222222"))
    pairing = Pairing(None, Clock(), digits=lambda: next(digits))
    pairing.show_code()
    pairing.show_code()
    assert pairing.pair("111111", "x") == Refused("wrong", 1.0)


def test_wrong_guesses_wait_longer_each_time_and_the_tenth_closes() -> None:
    clock = Clock()
    pairing = Pairing(None, clock)
    told: list[str] = []
    pairing.changed = lambda: told.append(pairing.code)
    code = pairing.show_code()
    for count in range(1, GUESS_LIMIT):
        assert pairing.pair(wrong(pairing), "x") == Refused("wrong", float(count))
        assert pairing.pair(code, "x") == Refused("wait", float(count)), "not even the right one"
        clock.now += count
    assert pairing.pair(wrong(pairing), "x") == Refused("closed")
    assert told == [""]
    clock.now += 10
    assert pairing.pair(code, "x") == Refused("closed")
    assert isinstance(pairing.pair(pairing.show_code(), "x"), str)


@pytest.mark.parametrize("guess", ["", "１２３４５６", "\ud800", "1" * 1000])
def test_whatever_is_guessed_is_a_wrong_guess_at_most(guess: str) -> None:
    pairing = Pairing(None, Clock(), digits=lambda: "123456")
    pairing.show_code()
    assert pairing.pair(guess, "x") == Refused("wrong", 1.0)


def test_a_token_is_random_and_kept_nowhere_but_as_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "games.phones"
    pairing = Pairing(path, Clock())
    tokens = {let_in(pairing) for _ in range(5)}
    assert len(tokens) == 5
    assert all(len(bytes.fromhex(token)) == 32 for token in tokens)
    kept = path.read_text()
    assert not any(token in kept for token in tokens)
    assert all(pairing.browser(token) for token in tokens)
    assert pairing.browser("0" * 64) is None


def test_browsers_are_known_after_a_restart_until_they_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "games.phones"
    token = let_in(Pairing(path, Clock()), "  Chrome on\x1b Android  ")
    later = Pairing(path, Clock())
    browser = later.browser(token)
    assert browser is not None
    assert browser.name == "Chrome on? Android"
    later.forget(browser.mark)
    assert later.browser(token) is None
    assert Pairing(path, Clock()).browser(token) is None


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[1]", b"\xff", b"[" * 90_000, json.dumps([{"mark": "x"}]).encode(), b"null"],
)
def test_a_file_that_cannot_be_read_lets_nobody_key(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.phones"
    path.write_bytes(content)
    pairing = Pairing(path, Clock())
    assert pairing.browsers == ()
    token = let_in(pairing)
    assert Pairing(path, Clock()).browser(token) is not None


def test_where_nothing_can_be_written_a_browser_is_known_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("no folder")
    pairing = Pairing(tmp_path / "full" / "games.phones", Clock())
    assert pairing.browser(let_in(pairing)) is not None


def test_who_asks_again_with_its_token_is_the_same_browser_until_it_is_forgotten() -> None:
    pairing = Pairing(None, Clock())
    token, other = let_in(pairing), let_in(pairing)
    names = [browser.name for browser in pairing.browsers]
    assert token != other
    assert pairing.pair(pairing.show_code(), "another name", token) == token
    assert [browser.name for browser in pairing.browsers] == names[::-1]
    pairing.forget(pairing.browsers[-1].mark)
    assert pairing.pair(pairing.show_code(), "another name", token) != token


def test_what_a_phone_was_called_stays_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "games.phones"
    pairing = Pairing(path, Clock())
    let_in(pairing)
    let_in(pairing)
    first, second = pairing.browsers
    pairing.rename(first.mark, "Anna's phone", called=False)
    pairing.rename(second.mark, "Lena\x1b", called=True)
    later = Pairing(path, Clock())
    assert [browser.name for browser in later.browsers] == ["Anna's phone", "Lena?"]
    later.rename(first.mark, "Ben's phone", called=False)
    later.rename(second.mark, "Ben's phone", called=False)
    assert [browser.name for browser in later.browsers] == ["Ben's phone", "Lena?"]


def test_the_browser_let_in_longest_ago_gives_way() -> None:
    pairing = Pairing(None, Clock())
    tokens = [let_in(pairing, str(n)) for n in range(BROWSER_LIMIT + 1)]
    assert pairing.browser(tokens[0]) is None
    assert pairing.browser(tokens[1]) is not None
    assert len(pairing.browsers) == BROWSER_LIMIT
