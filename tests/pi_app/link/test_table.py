"""The link's place at the companion: who may take it, what it may ask, what goes up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from beisitzer.testing.pilot import press
from pi_app.link import table as link_table
from pi_app.link.contract import TableState
from pi_app.link.protocol import LINE_LIMIT_BYTES, Wanted
from pi_app.link.settings import ClubSettings
from tests.pi_app.link.tables import (
    ASSIGNED,
    OVER_SOON,
    SEATS,
    WINS,
    Link,
    judge,
    open_evening,
    play_a_game,
    table,
)
from tests.pi_app.phones.client import Client, Table
from tests.pi_app.pilot import entry_of
from tests.stand_ins.waiting import wait_for

# --- the place


def test_the_link_takes_its_place_and_hears_what_is_wanted(game: Table) -> None:
    with Link(game.path) as link:
        answer = link.take()
        club = {"enabled": True, "host": "127.0.0.1", "port": 8443}
        assert Wanted.read(answer).club.facts() == club
        state = link.news("state")
        assert TableState.read(state) == TableState.read({**state})
        assert state["game"] == "just4fun"
        assert state["turn"] == {"seat": 1, "colour": "yellow", "hex": "#ffc000"}
        assert (state["phase"], state["players"], state["waiting"]) == ("playing", 2, 0)
        assert state["assignment"] is None


def test_there_is_one_place_and_it_is_free_again_when_its_link_has_gone(game: Table) -> None:
    with Link(game.path) as first, Link(game.path) as second:
        assert first.take()["ok"]
        assert first.take()["ok"]  # again, after an answer was lost
        assert second.take()["error"] == "taken"
    with Link(game.path) as third:
        answer = third.take()
        while answer.get("error") == "taken":  # the companion has not seen the end yet
            answer = third.take()
        assert answer["ok"]


def test_only_the_links_user_may_take_the_place(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_table, "allowed_users", lambda: {4242})
    with Link(game.path) as link:
        assert link.take()["error"] == "forbidden"
        for kind in ("results", "heard", "seat", "say", "status"):
            assert link.ask(kind)["error"] in ("bad", "off")


ANOTHER_USER = """
import os, socket
os.setuid(65534)
link = socket.socket(socket.AF_UNIX)
link.connect("r.sock")
link.sendall(b'{"kind": "link", "id": "1"}' + b"\\n")
with link.makefile() as lines:
    print(next(line for line in lines if '"answer"' in line))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_who_can_open_the_socket_does_not_get_the_links_place(game: Table) -> None:
    with Client(game.path):  # it is there when the socket is
        game.path.parent.chmod(0o755)
        game.path.chmod(0o666)
        run = subprocess.run(
            [sys.executable, "-c", ANOTHER_USER],
            cwd=game.path.parent,
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["error"] == "forbidden"


def test_phones_cannot_take_the_links_place_by_being_many() -> None:
    with table(OVER_SOON, phones=True) as opened, Link(opened.path) as link:
        assert link.take()["ok"]
        link.lines.clear()  # before, it might have been a phone
        phones = [Client(opened.path) for _ in range(40)]
        for phone in phones[-16:]:
            phone.frame()
        assert link.ask("status", end="club", connected=True)["ok"]
        assert not [line for line in link.lines if line["kind"] == "frame"]
        for phone in phones:
            phone.socket.close()


def test_no_page_gets_a_letter_of_the_password_that_is_keyed() -> None:
    with table(new_game=True, phones=True) as opened, Client(opened.path) as page:
        opened.do(lambda: press(opened.program, '@"System"@"Club and home"@"Password"'))
        page.frame(lambda frame: frame["secret"] or frame["title"] == "Password")
        for key in "77732444":
            opened.do(partial(press, opened.program, key))
            frame = page.frame()
            assert (frame["secret"], frame["entry"], frame["title"]) == (True, None, "")
        entry = entry_of(opened.frame)
        assert entry.text == "***i_"


def test_without_phones_the_socket_is_for_the_link_alone(game: Table) -> None:
    with Client(game.path) as phone:
        assert phone.line()["kind"] == "hello"
        answer = phone.ask("seats", token="")
        assert answer["error"] == "off"
        with pytest.raises(EOFError):
            phone.line()
        assert not [line for line in phone.lines if line["kind"] == "frame"]


def test_without_a_link_there_is_no_socket_and_with_phones_no_place() -> None:
    off = ClubSettings()
    with table(OVER_SOON, link=off) as opened:
        assert not opened.path.exists()
    with table(OVER_SOON, link=off, phones=True) as opened, Link(opened.path) as link:
        assert link.take()["error"] == "off"


def test_the_link_is_told_of_changed_settings_and_that_nobody_wants_it(game: Table) -> None:
    with Link(game.path) as link:
        link.join()
        game.change(host="hub.local")
        assert link.news("wanted")["club"]["host"] == "hub.local"
        game.change(enabled=False)
        assert link.news("off") == {"kind": "off"}
        with pytest.raises(EOFError):
            link.line()
    wait_for(lambda: not game.path.exists())
    game.change(enabled=True)
    wait_for(game.path.exists)
    with Link(game.path) as link:
        assert link.take()["ok"]


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b"\xff",
        b'{"kind":"heard"}',
        b'{"kind":3,"id":"1"}',
        b'{"kind":"heard","id":' + b"9" * 300 + b"}",
        b"x" * (LINE_LIMIT_BYTES + 1),
    ],
)
def test_a_line_that_is_no_request_ends_the_connection_and_nothing_else(
    game: Table, line: bytes
) -> None:
    with Link(game.path) as link:
        link.take()
        link.send(line + b"\n")
        with pytest.raises((EOFError, ConnectionResetError)):
            link.until(lambda _: False)
    game.press(*WINS)
    game.see(lambda frame: "Anna" in str(frame.body.lines) + frame.body.big)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("results", {"hub": "h", "few": 6}),
        ("results", {"hub": "two words"}),
        ("heard", {"hub": "h", "era": "e", "had": -1}),
        ("heard", {"hub": "h", "era": "e", "verdicts": [{"game_id": "x"}]}),
        ("seat", {"hub": "h", "era": "e", "assignment": {**ASSIGNED, "seats": []}}),
        ("seat", {"hub": "h", "era": "e", "assignment": {**ASSIGNED, "seats": SEATS[:1] * 2}}),
        ("seat", {"hub": "h", "era": "e", "assignment": {**ASSIGNED, "game": "x\u202e"}}),
        ("say", {"say": {"id": "1", "text": "x" * 1000, "for_s": 60}}),
        ("say", {"say": {"id": "1", "text": "x", "for_s": 0}}),
        ("status", {"end": "club", "connected": 1}),
        ("status", {"end": "shed", "connected": True}),
        ("surprise", {}),
    ],
)
def test_a_request_that_does_not_fit_is_refused_with_the_reason(
    game: Table, kind: str, fields: dict[str, Any]
) -> None:
    with Link(game.path) as link:
        link.take()
        answer = link.ask(kind, **fields)
        assert answer["error"] == "bad"
        assert answer["why"]


# --- what goes up


def test_a_result_goes_up_and_is_judged(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        open_evening(link)
        play_a_game(idle)
        assert link.news("event", lambda line: line["event_type"] == "win")["seat"] == 1
        over = link.news("state", lambda line: line["waiting"] == 1)
        assert (over["phase"], over["turn"]) == ("over", None)
        assert link.ask("results", hub="hub-2")["results"] == []
        (result,) = link.results()
        assert (result["evening"], result["round"], result["reason"]) == ("e7k2", None, "row")
        assert "Anna" not in json.dumps(result)
        assert judge(link, [{**result, "revision": 7}])["waiting"] == 1
        assert judge(link, [result])["waiting"] == 0
        assert link.news("state", lambda line: line["waiting"] == 0)
        idle.press("BACK_HELD")
        assert link.news("state", lambda line: line["waiting"] == 1)
        assert link.results() == [{"game_id": result["game_id"], "revision": 1, "withdrawn": True}]


def test_turns_rows_and_refusals_go_up_with_their_seats(game: Table) -> None:
    with Link(game.path) as link:
        link.take()
        link.news("state")
        game.press("5", "ENTER")
        assert link.news("event") == {"kind": "event", "event_type": "turn", "seat": 2}
        turn = link.news("state", lambda line: line["turn"] and line["turn"]["seat"] == 2)
        assert turn["turn"]["hex"] == "#c00000"
        game.press("4", "0", "ENTER")
        assert link.news("event", lambda line: line["event_type"] == "illegal")["seat"] == 2


def test_games_that_end_without_a_link_wait_and_the_first_screen_says_why(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        open_evening(link)
    wait_for(lambda: idle.frame.body.lines == ("Club: the link does not run",))
    play_a_game(idle)
    idle.see(lambda frame: "Anna" in frame.body.big)
    idle.press("BACK")
    idle.see(lambda frame: frame.body.lines == ("1 wait: the link does not run",))
    with Link(idle.path) as link:
        link.join()
        for why, words in (
            ("token", "1 wait: the hub does not know this table: join again"),
            ("twice", "1 wait: the same card is in two machines"),
        ):
            link.ask("status", end="club", connected=False, why=why, detail="hub.local:8443")
            idle.see(partial(lambda wanted, frame: frame.body.lines == (wanted,), words))
        link.ask("status", end="club", connected=True)
        judge(link, link.results())
        idle.see(lambda frame: frame.body.lines == ())
