"""Joining a club at the table: what is shown, what is asked, and what is stored, or left alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pi_app.link import joining
from pi_app.link.joining import FAULTS, place_of
from pi_app.link.settings import ClubSettings
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame
from tests.pi_app.link.tables import ON, Link, table
from tests.pi_app.phones.client import Table
from tests.stand_ins.waiting import wait_for

MARK = "1234 5678 9abc def0 1234"
ADDRESS = (*"10", "STAR", "0", "STAR", "0", "STAR", "7", "ENTER")
LET_IN = {"table": "table-07-x3k9", "club": "Spielkreis", "mark": MARK}


@pytest.fixture(name="off")
def _off() -> Iterator[Table]:
    with table(new_game=True, link=ClubSettings()) as opened:
        yield opened


def title(opened: Table, wanted: str) -> Frame:
    return opened.see(lambda frame: frame.header.title == wanted)


def begin(opened: Table) -> None:
    opened.choose("System", "Club and home", "Join a club")
    title(opened, "Join a club")


def said(opened: Table, words: str) -> Frame:
    return opened.see(lambda frame: words in " ".join(frame.body.lines))


def answer(link: Link, kind: str = "join", **facts: Any) -> dict[str, Any]:
    """Wait for a question, give this answer, and return the question."""
    asked = link.news(kind)
    assert link.ask("joined", number=asked["number"], **facts)["ok"]
    return asked


def join(opened: Table, link: Link) -> dict[str, Any]:
    """Go through joining; return the question that had the code."""
    opened.press(*ADDRESS)
    title(opened, "Code")
    opened.press(*"123456", "ENTER")
    asked = answer(link, **LET_IN)
    frame = title(opened, "Compare")
    assert " ".join(frame.body.lines[1:]) == MARK
    opened.press("ENTER")
    answer(link, "keep")
    return asked


def test_every_fault_has_a_sentence_in_each_language() -> None:
    for language in LANGUAGES:
        assert len({Texts(language).say(FAULTS, fault) for fault in FAULTS}) == len(FAULTS)


def test_the_place_is_open_while_somebody_joins_and_closed_after(off: Table) -> None:
    assert not off.path.exists()
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press("BACK")
        assert link.news("off") == {"kind": "off"}
    wait_for(lambda: not off.path.exists())
    assert off.ctx.settings.of(ClubSettings) == ClubSettings()


def test_what_was_asked_before_the_link_was_there_is_asked_when_it_comes(off: Table) -> None:
    begin(off)
    off.press(*ADDRESS, *"123456", "ENTER")
    said(off, "start beisitzer link")
    with Link(off.path) as link:
        link.take()
        assert answer(link, fault="away")["number"] == 1
        said(off, "No hub answers there")


def test_a_second_attempt_is_asked_by_the_link_that_comes_then(off: Table) -> None:
    """The first link was told to end, and nobody waits for an answer from it."""
    for attempt in (1, 2):
        begin(off)
        wait_for(off.path.exists)
        if attempt == 2:
            off.press(*ADDRESS, *"123456", "ENTER")
            said(off, "start beisitzer link")
        with Link(off.path) as link:
            link.take()
            if attempt == 2:
                assert answer(link, fault="away")["number"] == 1
                said(off, "No hub answers there")
                continue
            off.press("BACK")
            assert link.news("off") == {"kind": "off"}
            wait_for(lambda: not off.path.exists())
            off.press("BACK", "BACK")
            title(off, "Beisitzer")


def test_a_table_that_joins_has_the_clubs_settings(off: Table) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        asked = join(off, link)
        assert asked == {
            "kind": "join",
            "number": 1,
            "host": "10.0.0.7",
            "port": 8443,
            "code": "123456",
        }
        said(off, "table-07-x3k9")
        found = link.news("wanted", lambda line: line["club"]["enabled"])["club"]
        assert found == {"enabled": True, "host": "10.0.0.7", "port": 8443}


def test_a_table_of_another_club_leaves_it_for_this_one() -> None:
    with table(new_game=True, link=ON) as opened, Link(opened.path) as link:
        link.take()
        begin(opened)
        join(opened, link)
        said(opened, "table-07-x3k9")
        assert opened.ctx.settings.of(ClubSettings).host == "10.0.0.7"


def test_who_sees_another_mark_keeps_nothing(off: Table) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS, *"123456", "ENTER")
        answer(link, **LET_IN)
        title(off, "Compare")
        off.press("BACK")
        title(off, "Club and home")
        assert link.news("off") == {"kind": "off"}
        assert not [line for line in link.lines if line["kind"] == "keep"]


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"code", "no-link", "service"}))
def test_each_fault_is_said_and_changes_nothing(off: Table, fault: str) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS, *"123456", "ENTER")
        if fault == "disk":
            answer(link, **LET_IN)
            title(off, "Compare")
            off.press("ENTER")
        answer(link, "keep" if fault == "disk" else "join", fault=fault)
        said(off, Texts("en").say(FAULTS, fault))
        assert off.ctx.settings.of(ClubSettings) == ClubSettings()


def test_a_wrong_code_can_be_keyed_again(off: Table) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS, *"123456", "ENTER")
        answer(link, fault="code")
        said(off, Texts("en").say(FAULTS, "code"))
        off.press(*"654321", "ENTER")
        assert answer(link, **LET_IN)["code"] == "654321"
        title(off, "Compare")


def test_a_link_that_does_not_answer_is_given_up(
    off: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "PATIENCE_S", 0.1)
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS, *"123456", "ENTER")
        said(off, "No hub answers there")


def test_what_cannot_be_stored_is_said_and_the_link_stays_off(off: Table) -> None:
    def save(key: str, _value: object) -> None:
        if key == "club.port":
            raise OSError

    off.ctx.save = save
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        join(off, link)
        said(off, "could not be stored")
    assert not off.ctx.settings.of(ClubSettings).enabled


@pytest.mark.parametrize("keyed", ["1", "1.2.3", "1.2.3.256", "1..2.3", "1.2.3.4.5"])
def test_half_an_address_is_not_asked(off: Table, keyed: str) -> None:
    begin(off)
    off.press(*("STAR" if sign == "." else sign for sign in keyed), "ENTER")
    off.see(lambda frame: frame.body.entry is not None and frame.body.entry.text == f"{keyed}_")
    assert title(off, "Join a club").body.entry is not None


@pytest.mark.parametrize(
    ("keyed", "place"),
    [
        ("hub.local", ("hub.local", 8443)),
        ("https://Hub.Local:9443/", ("hub.local", 9443)),
        ("[fe80::1]:9443", ("fe80::1", 9443)),
        ("10.0.0.7:70000", None),
        ("a b", None),
        ("", None),
        ("x" * 254, None),
    ],
)
def test_an_address_in_letters_may_have_a_port(keyed: str, place: tuple[str, int] | None) -> None:
    assert place_of(keyed) == place
