"""The menu "Club and home": switch, password, what waits and why, what is assigned, help."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pi_app.link.contract import AssignedSeat, Assignment
from pi_app.link.offer import sides
from pi_app.link.settings import HomeSettings
from pi_app.link.words import CLUB_WORDS, HOME_WORDS, WHY_WORDS, why_words
from pi_app.system.replace import PRIVATE, write_safely
from pi_app.texts.language import LANGUAGES, Texts
from tests.pi_app.link.tables import (
    OVER_SOON,
    Link,
    judge,
    offer_round,
    open_evening,
    play_a_game,
    table,
)
from tests.pi_app.phones.client import Table, has_row
from tests.stand_ins.waiting import wait_for


def test_every_reason_has_a_sentence_in_each_language() -> None:
    for language in LANGUAGES:
        tx = Texts(language)
        assert len({tx.say(WHY_WORDS, why) for why in WHY_WORDS}) == len(WHY_WORDS)
        for end, whys in (("club", CLUB_WORDS), ("home", HOME_WORDS)):
            assert len({why_words(tx, end, why) for why in whys}) >= len(whys) - 1


def test_the_club_is_switched_off_and_on_again_at_the_table(idle: Table) -> None:
    idle.choose("System", "Club and home", "Club: on")
    idle.see(lambda frame: "Club: off" in str(frame.body.choices))
    wait_for(lambda: not idle.path.exists())
    idle.choose("Club: off")
    idle.see(lambda frame: "Club: on" in str(frame.body.choices))
    wait_for(idle.path.exists)
    with Link(idle.path) as link:
        assert link.take()["ok"]


def test_a_keyed_password_goes_to_the_links_process_and_stays_nowhere_else(idle: Table) -> None:
    with Link(idle.path) as link:
        link.take()
        idle.choose("System", "Club and home", "Password")
        idle.see(lambda frame: frame.header.title == "Password")

        def key() -> None:
            idle.program.screen.text = "hunter22"  # type: ignore[attr-defined]  # as if keyed

        idle.do(key)
        idle.press("ENTER")
        assert link.news("password") == {"kind": "password", "password": "hunter22"}
    folder = idle.path.parent
    assert not [path for path in folder.rglob("*") if path.is_file() and b"hunter" in _data(path)]


def _data(path: Path) -> bytes:
    return path.read_bytes()


def test_a_secret_replaces_an_old_one_and_follows_no_link(tmp_path: Path) -> None:
    path, other = tmp_path / "secret", tmp_path / "other"
    other.write_text("mine")
    path.symlink_to(other)
    write_safely(path, b"new\n", PRIVATE)
    assert (path.read_text(), other.read_text()) == ("new\n", "mine")
    assert not path.is_symlink()


def test_what_waits_and_why_is_a_page(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        link.ask("status", end="club", connected=False, why="certificate", detail="hub.local:8443")
        idle.choose("System", "Club and home", "Waiting: 0")
        frame = idle.see(lambda frame: frame.body.lines[:1] == ("0 results wait.",))
        assert frame.body.lines == (
            "0 results wait.",
            "Club: another hub answers than the one that was joined",
            "Spielkreis",
            "Table table-07-x3k9",
            "Home: switched off",
        )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, "waiting"),
        ({"verdict": "counted"}, "counts"),
        ({"verdict": "known"}, "counts"),
        ({"verdict": "known", "why": "older", "highest": 3}, "the hub has a newer correction"),
        ({"verdict": "kept", "why": "second"}, "waits for the organiser: this round has a game"),
        ({"verdict": "kept", "why": "new-word"}, "waits for the organiser: new-word"),
        ({"verdict": "disputed"}, "waits for the organiser: it says something else"),
        ({"verdict": "locked", "highest": 0}, "waits for the organiser: the next round was"),
        ({"verdict": "refused", "why": "not-seated"}, "refused: these people were not seated"),
    ],
)
def test_how_each_game_stands_with_the_hub_is_a_list(
    idle: Table, said: dict[str, Any] | None, words: str
) -> None:
    with Link(idle.path) as link:
        link.join()
        open_evening(link)
        play_a_game(idle)
        link.news("state", lambda line: line["waiting"] == 1)
        if said is not None:
            judge(link, link.results(), **said)
        idle.press("BACK")
        idle.choose("System", "Club and home", "Its games")
        frame = idle.see(partial(has_row, row="1 Anna and Ben: "))
        assert frame.body.choices is not None
        assert words in frame.body.choices.items[0]


def test_a_game_that_stayed_at_home_is_sent_when_somebody_says_so(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        play_a_game(idle)
        idle.see(lambda frame: "Anna" in frame.body.big)
        assert link.results() == []
        idle.press("BACK")
        idle.choose("System", "Club and home", "Its games", "1 Anna and Ben: stays at home")
        idle.see(lambda frame: frame.body.lines == ("No evening is open at the hub.",))
        open_evening(link)
        idle.press("BACK")
        idle.choose("1 Anna and Ben: stays at home")
        idle.see(partial(has_row, row="1 Anna and Ben: waiting"))
        assert [result["evening"] for result in link.results()] == ["e7k2"]


def test_what_was_refused_can_be_started_from_the_menu(idle: Table) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle)
        idle.press("BACK")
        idle.choose("System", "Club and home", "Round 3")
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title == "Cem")


def test_help_is_called_for_the_seat_to_move() -> None:
    home = HomeSettings(enabled=True)
    with table(OVER_SOON) as opened, Link(opened.path) as link:
        opened.do(lambda: setattr(opened.ctx, "settings", opened.ctx.settings.plus(home)))
        link.take()
        link.news("state")
        opened.press("MENU")
        opened.choose("System", "Club and home", "Call for help")
        assert link.news("event", lambda line: line["event_type"] == "help")["seat"] == 1


def test_a_rounds_game_that_runs_out_of_time_is_settled_as_it_stands_for_the_hub(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle)
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title == "Cem")
        idle.press("7", "ENTER", "9", "ENTER", "MENU")
        idle.choose("System", "Club and home", "Time is up", "yes")
        idle.see(lambda frame: frame.header.title == "Beisitzer")
        (result,) = link.results()
        assert result["reason"] == "time"
        assert [seat["points"] for seat in result["seats"]] == [7, 9, 0]
        assert [seat["rank"] for seat in result["seats"]] == [2, 1, 3]
        idle.choose("System", "Club and home")
        idle.see(partial(has_row, row="Time is up"))
        idle.choose("Time is up")
        idle.see(lambda frame: frame.body.lines == ("No game of a round goes on here.",))


@pytest.mark.parametrize(
    ("teams", "said"),
    [
        ((1, 2, 1, 2), ["Anna + Cem", "Ben + Dora"]),
        ((1, 2, 3, 4), ["Anna", "Ben", "Cem", "Dora"]),
        ((None, None, None, None), ["Anna", "Ben", "Cem", "Dora"]),
    ],
)
def test_an_offer_names_partners_together(teams: tuple[int | None, ...], said: list[str]) -> None:
    names = ("Anna", "Ben", "Cem", "Dora")
    seats = tuple(
        AssignedSeat(seat=n, show=name, team=team)
        for n, (name, team) in enumerate(zip(names, teams, strict=True), 1)
    )
    assert sides(Assignment(rev=1, seats=seats)) == said
