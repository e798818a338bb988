"""Joining a club at the table: what is shown, what is asked, and what is stored, or left alone."""

from __future__ import annotations

import importlib.util
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from club.hub.certificates import make_authority
from pi_app.link import joining
from pi_app.link.hub_page import FAULTS, HubAnswer, TableAccess, mark
from pi_app.link.joining import _FAULTS
from pi_app.settings.schema import LinkSettings
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame
from tests.pi_app.link.tables import ON, Link, table
from tests.pi_app.link.test_menu import choose
from tests.pi_app.phones.client import Table
from tests.stand_ins.waiting import wait_for

CLUB = make_authority("club").certificate
ADDRESS = (*"10", "STAR", "0", "STAR", "0", "STAR", "7", "ENTER")
ACCESS = TableAccess("10.0.0.7", 8883, "table-of-b", "secret", CLUB)


@pytest.fixture(name="off")
def _off() -> Iterator[Table]:
    with table(new_game=True, link=LinkSettings()) as opened:
        yield opened


def title(opened: Table, wanted: str) -> Frame:
    return opened.see(lambda frame: frame.header.title == wanted)


def begin(opened: Table) -> None:
    choose(opened, "System", "Club and home", "Join a club")
    title(opened, "Join a club")


def said(opened: Table, words: str) -> Frame:
    return opened.see(lambda frame: words in " ".join(frame.body.lines))


def answer(link: Link, **facts: Any) -> dict[str, Any]:
    """Wait for a question, give this answer, and return the question."""
    asked = link.news("join")
    line = HubAnswer(asked["number"], **facts).line()
    line.pop("kind")
    assert link.ask("joined", **line)["ok"]
    return asked


def join(opened: Table, link: Link) -> dict[str, Any]:
    """Go through joining up to the code; return the question that had it."""
    opened.press(*ADDRESS)
    assert answer(link, authority=CLUB)["host"] == "10.0.0.7"
    frame = title(opened, "Compare")
    assert " ".join(frame.body.lines[1:]) == mark(CLUB)
    opened.press("ENTER", *"123456", "ENTER")
    return answer(link, access=ACCESS)


def test_every_fault_has_a_sentence_in_each_language() -> None:
    assert set(FAULTS) - {""} <= set(_FAULTS)
    for language in LANGUAGES:
        assert len({Texts(language).say(_FAULTS, fault) for fault in _FAULTS}) == len(_FAULTS)


def test_the_place_is_open_while_somebody_joins_and_closed_after(off: Table) -> None:
    assert not off.path.exists()
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press("BACK")
        assert link.news("off")["again"] is False
    wait_for(lambda: not off.path.exists())
    assert off.ctx.settings.link == LinkSettings()


def test_what_was_asked_before_the_link_was_there_is_asked_when_it_comes(off: Table) -> None:
    begin(off)
    off.press(*ADDRESS)
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
            off.press(*ADDRESS)
            said(off, "start beisitzer link")
        with Link(off.path) as link:
            link.take()
            if attempt == 2:
                assert answer(link, fault="away")["number"] == 1
                said(off, "No hub answers there")
                continue
            off.press("BACK")
            assert link.news("off")["again"] is False
            wait_for(lambda: not off.path.exists())
            off.press("BACK", "BACK")
            title(off, "Beisitzer")


def test_a_table_that_joins_has_settings_password_and_authority(off: Table) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        asked = join(off, link)
        assert (asked["code"], asked["authority"]) == ("123456", CLUB)
        assert link.news("off")["again"] is True
    said(off, "table-of-b")
    found = off.ctx.settings.link
    assert (found.enabled, found.host, found.port, found.user) == (
        True,
        "10.0.0.7",
        8883,
        ACCESS.user,
    )
    for path, text in ((found.password_file, "secret\n"), (found.ca, CLUB)):
        assert Path(path).read_text() == text
        assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_table_of_another_club_leaves_it_for_this_one() -> None:
    with table(new_game=True, link=ON) as opened, Link(opened.path) as link:
        link.take()
        begin(opened)
        join(opened, link)
        assert link.news("off")["again"] is True
        said(opened, "table-of-b")
        assert opened.ctx.settings.link.user == ACCESS.user
        with Link(opened.path) as following:
            assert following.take()["ok"]


def test_who_sees_another_fingerprint_is_asked_for_no_code(off: Table) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS)
        answer(link, authority=CLUB)
        title(off, "Compare")
        off.press("BACK")
        title(off, "Club and home")
        assert link.news("off")["again"] is False


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"", "wrong"}))
def test_each_fault_is_said_and_changes_nothing(off: Table, fault: str) -> None:
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS)
        answer(link, authority=CLUB)
        off.press("ENTER", *"123456", "ENTER")
        answer(link, fault=fault)
        said(off, Texts("en").say(_FAULTS, fault))
        assert off.ctx.settings.link == LinkSettings()


def test_a_link_that_does_not_answer_is_given_up(
    off: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "PATIENCE_S", 0.1)
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        off.press(*ADDRESS)
        said(off, "No hub answers there")


def test_a_table_without_the_link_installed_says_so(
    off: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(joining, "find_spec", lambda name: None if name == "paho" else there(name))
    choose(off, "System", "Club and home", "Join a club")
    said(off, "beisitzer[link]")
    assert not off.path.exists()


def test_what_cannot_be_stored_is_said_and_the_link_stays_off(off: Table) -> None:
    def save(key: str, _value: object) -> None:
        if key == "link.user":
            raise OSError

    off.ctx.save = save
    begin(off)
    wait_for(off.path.exists)
    with Link(off.path) as link:
        link.take()
        join(off, link)
        said(off, "could not be stored")
    assert not off.ctx.settings.link.enabled


@pytest.mark.parametrize("keyed", ["1", "1.2.3", "1.2.3.256", "1..2.3", "1.2.3.4.5"])
def test_half_an_address_is_not_asked(off: Table, keyed: str) -> None:
    begin(off)
    off.press(*("STAR" if sign == "." else sign for sign in keyed), "ENTER")
    off.see(lambda frame: frame.body.entry is not None and frame.body.entry.text == f"{keyed}_")
    assert title(off, "Join a club").body.entry is not None
