"""The link's place at the companion: who may take it, what goes up, what comes down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from beisitzer.testing.pilot import press
from pi_app.link import table as link_table
from pi_app.link.contract import TableState
from pi_app.link.offer import Offers
from pi_app.link.protocol import LINE_LIMIT_BYTES, Wanted
from pi_app.link.settings import ClubSettings
from pi_app.screens.base import OK, Open
from pi_app.table.table import Table as GameTable
from tests.pi_app.link.tables import ERA, HUB, OVER_SOON, WINS, Link, table
from tests.pi_app.phones.client import Client, Line, Table
from tests.stand_ins.waiting import wait_for

SEATS = [
    {"seat": 1, "p": "p17", "show": "Cem"},
    {"seat": 2, "p": "p3", "show": "Dora"},
    {"seat": 3, "p": None, "show": 'Emil, der \u202e"Große"'},
]
ASSIGNED: dict[str, Any] = {
    "rev": 2,
    "evening": "e7k2",
    "round": 3,
    "game": "just4fun",
    "rules": "rounds=20",
    "board": None,
    "seats": SEATS,
}


@pytest.fixture(name="game")
def _game() -> Iterator[Table]:
    with table(OVER_SOON) as opened:
        yield opened


@pytest.fixture(name="idle")
def _idle() -> Iterator[Table]:
    with table(new_game=True) as opened:
        yield opened


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
        entry = opened.frame.body.entry
        assert entry is not None
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


def judge(link: Link, results: list[Line], verdict: str = "counted", **more: Any) -> Line:
    """Pass on what the hub has said of results."""
    said = [
        {"game_id": each["game_id"], "revision": each["revision"], "verdict": verdict, **more}
        for each in results
    ]
    return link.ask("heard", hub=HUB, era=ERA, had=0, has=len(said), verdicts=said)


def open_evening(link: Link) -> None:
    """Let games that begin now belong to an evening."""
    assert link.seat({"rev": 1, "evening": "e7k2", "round": None})["ok"]


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


def play_a_game(opened: Table) -> None:
    """Begin a game at a table and play it to its end."""

    def begin() -> None:
        opened.program.do(lambda: Open(OK, "table", table=GameTable.begin(opened.store, OVER_SOON)))

    opened.do(begin)
    opened.see(lambda frame: frame.header.title == "Anna")
    opened.press(*WINS)


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


# --- what comes down


def offered(link: Link, answer: str) -> Line:
    found = link.news("state", lambda line: (line["assignment"] or {}).get("answer") == answer)
    assert found["assignment"] == {
        "evening": "e7k2",
        "round": 3,
        "rev": found["assignment"]["rev"],
        "answer": answer,
    }
    return found


def test_an_assignment_is_offered_and_set_up_with_one_key(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        assert link.seat(ASSIGNED)["ok"]
        frame = idle.see(lambda frame: frame.header.title == "Round 3")
        assert "Start?" in frame.body.lines[1]
        assert frame.body.lines[2] == "The game ends after 20 rounds"
        assert "\u202e" not in "".join(frame.body.lines)
        offered(link, "offered")
        idle.press("ENTER")
        state = offered(link, "started")
        assert (state["phase"], state["players"]) == ("playing", 3)
    idle.see(lambda frame: frame.header.title == "Cem")


def test_an_assigned_games_result_says_where_it_belongs(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        link.seat(ASSIGNED)
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        offered(link, "started")

        def end() -> None:
            screen: Any = idle.program.screen
            move = screen.table.judge("<yellow 1 left=0; red 2 left=0; white 3 left=0>")
            screen.table.play(move)

        idle.do(end)
        (event,) = link.results()
        assert (event["evening"], event["round"]) == ("e7k2", 3)
        assert [seat["p"] for seat in event["seats"]] == ["p17", "p3", None]
        assert '[Rules "rounds=20"]' in event["record"]
        assert "Cem" not in json.dumps(event)


def test_an_assignment_is_refused_with_one_key_and_can_still_be_started_from_the_menu(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        link.join()
        link.seat(ASSIGNED)
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("BACK")
        offered(link, "refused")
        idle.see(lambda frame: frame.header.title == "Beisitzer")
        assert link.seat(ASSIGNED)["ok"]  # retained: it comes again
        assert idle.frame.header.title == "Beisitzer"
        assert link.seat({**ASSIGNED, "rev": 1})["error"] == "old"
        assert link.seat({**ASSIGNED, "rev": 3})["ok"]
        idle.see(lambda frame: frame.header.title == "Round 3")
        assert link.seat({"rev": 0, "evening": "e7k2", "round": None}, "era-2")["ok"]
        idle.see(lambda frame: frame.header.title == "Beisitzer")


def test_a_round_that_has_begun_is_not_offered_again_when_its_hub_says_it_anew(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        link.join()
        link.seat(ASSIGNED)
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        offered(link, "started")
        renamed = [{"seat": 1, "p": "p17", "show": "Anne"}, *SEATS[1:]]
        assert link.seat({**ASSIGNED, "rev": 1, "seats": renamed}, "era-2")["ok"]
        again = link.news("state", lambda line: line["assignment"]["rev"] == 1)
        assert again["assignment"]["answer"] == "started"
        others = [*SEATS[:2], {"seat": 3, "p": "p9", "show": "Nora"}]
        assert link.seat({**ASSIGNED, "rev": 2, "seats": others}, "era-2")["ok"]
        news = link.news("state", lambda line: line["assignment"]["rev"] == 2)
        assert news["assignment"]["answer"] == "offered"


def test_a_game_in_progress_is_not_disturbed_by_an_assignment(game: Table) -> None:
    with Link(game.path) as link:
        link.join()
        link.seat(ASSIGNED)
        offered(link, "offered")
        assert game.frame.header.title == "Anna"
        game.press(*WINS)
        game.see(lambda frame: frame.header.title == "Round 3")


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"rules": "rounds=x"},
        {"rules": "surprise=1"},
        {"board": "nowhere"},
        {"seats": SEATS[:1]},
    ],
)
def test_what_cannot_be_set_up_is_said_and_refused(idle: Table, wrong: dict[str, Any]) -> None:
    with Link(idle.path) as link:
        link.join()
        link.seat({**ASSIGNED, **wrong})
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        offered(link, "refused")
        idle.see(lambda frame: frame.body.lines and "Start?" not in str(frame.body.lines))


def test_what_a_game_still_needs_is_asked_for(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        link.seat({**ASSIGNED, "game": "einmaleins", "rules": ""})
        idle.see(lambda frame: frame.header.title == "Round 3")
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title != "Round 3")
        idle.press("2", "4", "ENTER")
        assert offered(link, "started")["game"] == "einmaleins"


def test_an_answer_outlives_the_companion(tmp_path: Path) -> None:
    with table(folder=tmp_path, new_game=True) as opened, Link(opened.path) as link:
        link.join()
        link.seat(ASSIGNED)
        opened.see(lambda frame: frame.header.title == "Round 3")
        opened.press("BACK")
        offered(link, "refused")
    with table(folder=tmp_path, new_game=True) as opened, Link(opened.path) as link:
        link.take()
        offered(link, "refused")
        assert link.seat(ASSIGNED)["ok"]
        assert opened.frame.header.title == "Beisitzer"


def test_a_text_is_shown_and_said_once(game: Table) -> None:
    said: list[str] = []
    with Link(game.path) as link:
        link.take()
        for number in ("1", "1", "2"):
            text = f"Round 4 in {number}\u202e minutes"
            assert link.ask("say", say={"id": number, "text": text, "for_s": 600})["ok"]
        frame = game.see(lambda frame: frame.alert)
        assert frame.alert is not None
        said.append(frame.alert.text)
        alerts = [alert.text for alert in game.program.bulletin.alerts]
        assert alerts == ["Round 4 in 1? minutes", "Round 4 in 2? minutes"]


def shown_texts(game: Table) -> list[str]:
    texts: list[str] = []
    game.do(lambda: texts.extend(alert.text for alert in game.program.bulletin.alerts))
    return texts


def test_a_flood_of_texts_shows_few_of_them_and_draws_no_frame_for_the_others(
    game: Table,
) -> None:
    clock, frames = game.ctx.clock, len(game.recorder.frames)
    with Link(game.path) as link:
        link.take()
        answers = [
            link.ask("say", say={"id": str(n), "text": f"{n}", "for_s": 86400}) for n in range(500)
        ]
        assert [answer.get("ok", False) for answer in answers] == [True] * 8 + [False] * 492
        assert shown_texts(game) == [str(n) for n in range(8)]
        assert len(game.recorder.frames) - frames < 20
        game.ctx.clock = lambda: clock() + 60
        assert link.ask("say", say={"id": "late", "text": "Round 2", "for_s": 600})["ok"]
        assert shown_texts(game) == [*(str(n) for n in range(1, 8)), "Round 2"]


def test_texts_that_are_alike_are_shown_once_as_long_as_the_last_of_them_counts(
    game: Table,
) -> None:
    clock = game.ctx.clock
    with Link(game.path) as link:
        link.take()
        for number, seconds in (("1", 10), ("2", 86400)):
            link.ask("say", say={"id": number, "text": "Pause", "for_s": seconds})
        assert shown_texts(game) == ["Pause"]
        game.ctx.clock = lambda: clock() + 60
        link.ask("say", say={"id": "3", "text": "Round 2", "for_s": 600})
        assert shown_texts(game) == ["Pause", "Round 2"]


def test_a_text_that_is_out_of_date_is_taken_back(game: Table) -> None:
    with Link(game.path) as link:
        link.take()
        link.ask("say", say={"id": "1", "text": "now", "for_s": 1})
        game.see(lambda frame: frame.alert)
        game.see(lambda frame: frame.alert is None)


def test_a_round_that_began_just_before_a_kill_is_not_offered_again(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plug was pulled between the game's beginning and the note that it was begun."""
    folder = tmp_path_factory.mktemp("k")
    with (
        monkeypatch.context() as patch,
        table(folder=folder, new_game=True) as opened,
        Link(opened.path) as link,
    ):
        link.join()
        link.seat(ASSIGNED)
        opened.see(lambda frame: frame.header.title == "Round 3")
        patch.setattr(Offers, "settle", lambda *_: None)
        opened.press("ENTER")
        opened.see(lambda frame: frame.header.title == "Cem")
    with table(folder=folder) as opened, Link(opened.path) as link:
        link.take()
        link.news("state", lambda line: (line["assignment"] or {}).get("answer") == "started")
