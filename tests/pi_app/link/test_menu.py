"""The menu "Club and home": switch, password, what waits and why, what is assigned, help."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from club.judging.reading import read_event
from club.judging.referee import fault
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.link.menu import _WHY, why_words
from pi_app.link.protocol import WHYS, LinkStatus
from pi_app.settings.schema import LINK_PASSWORD, LinkSettings
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame
from tests.pi_app.link.tables import OVER_SOON, Link, table
from tests.pi_app.link.test_table import ASSIGNED
from tests.pi_app.phones.client import Table
from tests.stand_ins.waiting import wait_for


@pytest.fixture(name="idle")
def _idle() -> Iterator[Table]:
    with table(new_game=True) as opened:
        yield opened


def has_row(frame: Frame, row: str) -> bool:
    """Tell whether a list on show has a row that begins with these words."""
    choices = frame.body.choices
    return choices is not None and any(item.startswith(row) for item in choices.items)


def choose(opened: Table, *rows: str) -> None:
    """Choose rows of menus that begin with these words."""
    for row in rows:
        choices = opened.see(partial(has_row, row=row)).body.choices
        assert choices is not None
        index = next(n for n, item in enumerate(choices.items) if item.startswith(row))
        steps = index - choices.selected
        opened.press(*["DOWN" if steps > 0 else "UP"] * abs(steps), "ENTER")


def test_every_reason_has_a_sentence_in_each_language() -> None:
    assert set(_WHY) == set(WHYS)
    for language in LANGUAGES:
        said = {why_words(Texts(language), True, LinkStatus(False, why)) for why in WHYS}
        assert len(said) == len(WHYS)


def test_the_link_is_switched_off_and_on_again_at_the_table(idle: Table) -> None:
    choose(idle, "System", "Club and home", "Link: on")
    idle.see(lambda frame: "Link: off" in str(frame.body.choices))
    assert not idle.path.exists()
    choose(idle, "Link: off")
    idle.see(lambda frame: "Link: on" in str(frame.body.choices))
    wait_for(idle.path.exists)
    with Link(idle.path) as link:
        assert link.take()["ok"]


def test_a_table_without_a_name_cannot_be_switched_on() -> None:
    with table(new_game=True, link=LinkSettings()) as opened:
        choose(opened, "System", "Club and home", "Link: off")
        opened.see(lambda frame: frame.body.lines == ("Give the table its name first.",))
        assert not opened.path.exists()


def test_a_keyed_password_is_for_this_user_only_and_lets_the_link_begin_anew(
    idle: Table,
) -> None:
    assert idle.store.path is not None
    path = idle.store.path.with_name(LINK_PASSWORD)
    choose(idle, "System", "Club and home")
    for password in ("abc", "abcd"):
        with Link(idle.path) as link:
            link.take()
            choose(idle, "Password")
            idle.see(lambda frame: frame.header.title == "Password")

            def key(text: str = password) -> None:
                screen = idle.program.screen
                screen.text = text  # type: ignore[attr-defined]  # as if keyed

            idle.do(key)
            idle.press("ENTER")
            assert link.news("off")["again"] is True
        assert path.read_text("utf-8") == f"{password}\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert idle.ctx.settings.link.password_file == str(path)


def test_a_secret_replaces_an_old_one_and_follows_no_link(tmp_path: Path) -> None:
    path, other = tmp_path / "secret", tmp_path / "other"
    other.write_text("mine")
    path.symlink_to(other)
    write_safely(path, b"new\n", PRIVATE)
    assert (path.read_text(), other.read_text()) == ("new\n", "mine")
    assert not path.is_symlink()


def test_what_waits_and_why_is_a_page(idle: Table) -> None:
    with Link(idle.path) as link:
        store = link.take()["store"]
        link.ask("ack", hub="h-1", store=store, upto=0)
        link.ask("status", connected=False, why="certificate", detail="hub.local")
        choose(idle, "System", "Club and home", "Waiting: 0")
        frame = idle.see(lambda frame: any("Store" in line for line in frame.body.lines))
        assert frame.body.lines == (
            "0 results wait.",
            "the certificate is not the broker's",
            "hub.local",
            f"Store {store}",
            "Hub h-1",
        )


def test_what_was_refused_can_be_started_from_the_menu(idle: Table) -> None:
    with Link(idle.path) as link:
        link.take()
        link.ask("seat", **ASSIGNED)
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("BACK")
        choose(idle, "System", "Club and home", "Round 3")
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title == "Cem")


def test_help_is_called_for_the_seat_to_move() -> None:
    with table(OVER_SOON) as opened, Link(opened.path) as link:
        link.take()
        link.news("state")
        opened.press("MENU")
        choose(opened, "System", "Club and home", "Call for help")
        assert link.news("event", lambda line: line["event_type"] == "help")["seat"] == 1


def test_a_rounds_game_that_runs_out_of_time_is_settled_as_it_stands_for_the_hub(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        link.take()
        link.ask("seat", **ASSIGNED)
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title == "Cem")
        idle.press("7", "ENTER", "9", "ENTER", "MENU")
        choose(idle, "System", "Club and home", "Time is up", "yes")
        idle.see(lambda frame: frame.header.title == "Beisitzer")
        (event,) = link.ask("events", seq=1)["events"]
        assert event["reason"] == "time"
        assert [seat["points"] for seat in event["seats"]] == [7, 9, 0]
        assert [seat["rank"] for seat in event["seats"]] == [2, 1, 3]
        assert fault(read_event(event), event["record"]) is None  # the hub's referee agrees
        choose(idle, "System", "Club and home")
        idle.see(partial(has_row, row="Time is up"))
        choose(idle, "Time is up")
        idle.see(lambda frame: frame.body.lines == ("No game of a round goes on here.",))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_says_that_no_link_runs(language: str) -> None:
    with table(new_game=True, language=language) as opened:
        said = opened.see(lambda frame: frame.body.lines).body.lines
        assert said == (
            Texts(language)("line", "Club: {why}", why=why_words(opened.ctx.texts, True, None)),
        )
        with Link(opened.path) as link:
            link.take()
            link.ask("status", connected=True, why="", detail="")
            opened.see(lambda frame: frame.body.lines == ())
