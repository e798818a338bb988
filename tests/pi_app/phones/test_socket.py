"""The socket for phones: what is greeted with, frames, keys exactly once, who may key."""

import json
import socket
import stat
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from threading import active_count

import pytest

from hardware.keys import Key
from pi_app.phones.protocol import REQUEST_LIMIT_BYTES, REQUESTS, WebSettings
from pi_app.view.frame import Board, Body, Extras, Frame, Header, KeySet, Viewers
from tests.pi_app.phones.client import Client, Phone, Table, table
from tests.pi_app.phones.desk import sample_fields
from tests.pi_app.pilot import entry_of
from tests.stand_ins.waiting import wait_for

J4F = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


@pytest.fixture
def game() -> Iterator[Table]:
    with table(J4F) as opened:
        yield opened


def test_a_client_is_greeted_and_sees_the_newest_frame(game: Table) -> None:
    with Client(game.path) as client:
        hello = client.line()
        assert hello["kind"] == "hello"
        assert hello["version"] == 2
        assert hello["language"] == "en"
        assert hello["theme"] == "dark"
        assert len(hello["epoch"]) == 16
        frame = client.frame()
    assert frame["title"] == "Anna"
    assert frame["game"] == "just4fun"
    assert frame["secret"] is False
    assert len(frame["picture"]["cells"]) == 36
    assert frame["seats"][0]["to_move"] is True


def test_everything_of_a_frame_but_what_is_worked_out_or_spoken_is_in_its_line(
    game: Table,
) -> None:
    left_out = {"score_history", "speech", "viewers"}
    groups = (Header, Body, Board, Extras, KeySet)
    parts = [f.name for one in (Frame, *groups) for f in fields(one) if f.type not in groups]
    with Client(game.path) as client:
        frame = client.frame()
    added = {"game", "news", "keyed", "secret", "paired"}
    assert set(frame) == set(parts) - left_out | added


def test_a_key_is_confirmed_after_the_frame_that_shows_it(game: Table) -> None:
    with game.phone() as phone:
        phone.frame()
        answer = phone.key("5")
        assert answer["ok"]
        assert phone.newest["n"] == answer["shown"]
        assert phone.newest["entry"]["text"] == "5"


def test_a_repeated_key_is_confirmed_again_and_pressed_once(game: Table) -> None:
    with game.phone() as phone:
        phone.keys("5")
        again = phone.own("key", epoch=phone.epoch, seen=0, n=phone.n, key="5")
        assert again["ok"]
        with Phone(game.path, phone.token) as later:  # the connection broke before the answer
            once_more = later.key("5", n=phone.n)
        assert once_more["ok"]
        wait_for(lambda: game.recorder.frames[-1].body.entry is not None)
        assert game.recorder.frames[-1].body.entry is not None
        assert game.recorder.frames[-1].body.entry.text == "5"


def test_another_key_under_a_number_that_was_used_is_not_pressed(game: Table) -> None:
    with game.phone() as phone:
        phone.keys("5")
        assert phone.key("6", n=phone.n)["error"] == "n"
        assert phone.key("6", n=0)["error"] == "old"


def test_a_key_for_another_run_is_refused(game: Table) -> None:
    with game.phone() as phone:
        assert phone.key("5", epoch="0123456789abcdef")["error"] == "epoch"
        assert game.recorder.frames[-1].body.entry is None


@pytest.mark.parametrize("token", ["", "0" * 64, "é" * 64, "\ud800"])
def test_only_the_open_requests_are_answered_without_a_paired_browser_s_token(
    game: Table, token: str
) -> None:
    with Client(game.path) as client:
        answered = set()
        for kind in REQUESTS:
            answer = client.ask(kind, **{**sample_fields(kind), "token": token})
            if answer.get("error") != "unpaired":
                answered.add(kind)
    assert (
        answered
        == {kind for kind, ask in REQUESTS.items() if not ask.paired}
        == {"who", "pair", "seats"}
    )


def test_a_code_pairs_and_the_token_keys(game: Table) -> None:
    code = game.pairing.show_code()
    with Client(game.path) as client:
        epoch = client.line()["epoch"]
        answer = client.ask("pair", code=f"{code[:3]} {code[3:]}", name="Chrome on Android")
        token = answer["token"]
        assert len(token) == 64
        who = client.ask("who", token=token)
        assert (who["paired"], who["name"]) == (True, "Chrome on Android")
        tapped = {
            "token": token,
            "epoch": epoch,
            "seen": client.newest["keyed"],
            "n": 1,
            "tap": "29",
        }
        assert client.ask("key", **tapped)["ok"]
    assert "29" in game.recorder.frames[-1].body.lines[0]


def test_a_forgotten_browser_keys_no_more(game: Table) -> None:
    with game.phone() as phone:
        phone.keys("5")
        game.pairing.forget(game.pairing.browsers[0].mark)
        assert phone.key("6")["error"] == "unpaired"


@pytest.mark.parametrize(
    "fields",
    [
        {"key": "F1"},
        {"key": 5},
        {"token": []},
    ],
)
def test_what_is_no_key_is_refused_and_the_connection_goes_on(
    game: Table, fields: dict[str, object]
) -> None:
    with game.phone() as phone:
        asked = {"token": phone.token, "epoch": phone.epoch, "seen": 0, "n": 1, "key": "5"}
        assert phone.ask("key", **{**asked, **fields})["error"] == "bad"
        assert phone.key("5")["ok"]


NO_REQUESTS = (
    b"", b"{}", b"[]", b"null", b"\xff\xfe", b'{"kind":1,"id":"x"}', b"[" * 4000, b'{"id":"x"}',
)  # fmt: skip


def test_a_line_that_is_no_request_is_answered_so(game: Table) -> None:
    for line in NO_REQUESTS:
        with game.phone() as phone:
            phone.send(line + b"\n")
            assert phone.until(lambda line: line["kind"] == "answer")["error"] == "bad"
            assert phone.key("5")["ok"]


def test_a_line_that_is_too_long_ends_the_connection_and_no_other(game: Table) -> None:
    with game.phone() as phone, Client(game.path) as client:
        client.send(b"x" * REQUEST_LIMIT_BYTES)
        assert client.until(lambda line: line["kind"] == "answer")["error"] == "bad"
        with pytest.raises((EOFError, ConnectionResetError)):
            client.line()
        assert phone.key("5")["ok"]


def test_a_long_request_is_read_whole_and_what_follows_it_too(game: Table) -> None:
    with Client(game.path) as client:
        more = "x" * (REQUEST_LIMIT_BYTES - 60)
        line = json.dumps({"kind": "who", "id": "w", "more": more}).encode()
        client.send(line + b"\n" + line.replace(b'"w"', b'"v"') + b"\n")
        assert client.until(lambda line: line.get("id") == "w")["ok"]
        assert client.until(lambda line: line.get("id") == "v")["ok"]


def test_half_a_line_waits_for_the_rest(game: Table) -> None:
    with Client(game.path) as client:
        client.send(b'{"kind":"who","id"')
        with Client(game.path) as other:
            assert other.ask("who")["ok"]
        client.send(b':"w"}\n')
        assert client.until(lambda line: line.get("id") == "w")["ok"]


def test_a_seat_is_seen_as_claimed_by_all_and_whose_phone_that_is_by_nobody_else(
    game: Table,
) -> None:
    with game.phone("Anna's phone") as anna, game.phone("Ben's phone") as ben:
        assert anna.sit(seat=0)["seats"][0]["mine"] is True
        assert ben.sit(seat=0)["error"] == "claimed"
        assert ben.sit(seat=1)["ok"]
        assert ben.sit(seat=2)["error"] == "none"
        seats = anna.own("seats")["seats"]
        assert [seat["claimed"] for seat in seats] == [True, True]
        assert "phone" not in str(seats)
        assert [seat["mine"] for seat in seats] == [True, False]
        assert anna.rise(seat=1)["error"] == "unclaimed"
        assert anna.rise(seat=0)["ok"]
        assert ben.sit(seat=0)["seats"][0]["mine"]


def test_a_phone_is_named_after_who_plays_by_it_until_it_is_called_something(game: Table) -> None:
    with game.phone("Chrome, Linux") as anna, game.phone("Chrome, Linux") as ben:
        assert [ben.own("who")["name"], anna.own("who")["name"]] == [
            "Chrome, Linux 2",
            "Chrome, Linux",
        ]
        anna.sit(seat=0)
        assert anna.own("who")["name"] == "Anna's phone"
        anna.rise(seat=0)
        anna.sit(seat=1)
        assert anna.own("who")["name"] == "Ben's phone"
        ben.sit(seat=0)
        assert ben.own("rename", name="Lena")["ok"]
        assert ben.own("rename", name="  ")["ok"]
        ben.sit(seat=0)
        assert ben.own("who")["name"] == "Lena"
        assert anna.own("rename", name="Lena")["ok"]
        assert anna.own("who")["name"] == "Lena 2"
        assert anna.own("rename", name="Lena")["ok"]
        assert anna.own("who")["name"] == "Lena 2"
        assert ben.ask("rename", name="x")["error"] == "unpaired"


def test_who_looks_is_greeted_anew_as_soon_as_two_phones_are_paired(game: Table) -> None:
    with Client(game.path) as looking:
        assert looking.line()["invites"] is True
        game.phone("one").socket.close()
        game.phone("two").socket.close()
        hello = looking.until(lambda line: line["kind"] == "hello" and not line["invites"])
        assert hello["epoch"] == game.phones.epoch
        game.pairing.forget(game.pairing.browsers[0].mark)
        looking.until(lambda line: line["kind"] == "hello" and line["invites"])


def test_a_move_is_played_for_the_own_seat_in_turn(game: Table) -> None:
    with game.phone() as anna, game.phone() as ben:
        assert anna.play(0, "5+11+13")["error"] == "unclaimed"
        anna.sit(seat=0)
        ben.sit(seat=1)
        assert ben.play(1, "5+11+13")["error"] == "turn"
        assert anna.play(0, "30+20")["error"] == "illegal"
        assert anna.play(0, "<yellow left=20>")["error"] in ("bad", "illegal")
        assert anna.play(0, "5+11+13")["ok"]
        assert anna.play(0, "5+11+13", n=anna.n)["ok"]
        assert game.tokens() == ("5+11+13",)


def test_the_socket_is_its_owners_and_goes_with_the_companion() -> None:
    with table() as opened:
        mode = stat.S_IMODE(opened.path.stat().st_mode)
        assert mode == 0o600
        path = opened.path
        with Client(path) as client:
            assert client.frame()["game"] is None
            assert client.ask("seats") == {
                "kind": "answer",
                "id": "seats-1",
                "ok": True,
                "game": None,
                "seats": [],
                "free": 0,
                "star": 0,
                "position": 0,
            }
            opened.keys.stop()
            opened.phones.close()
            with pytest.raises(EOFError):
                client.until(lambda _: False)
        assert not path.exists()


def test_a_socket_file_that_a_dead_companion_left_is_taken_over() -> None:
    with table() as opened:
        left = opened.path
        opened.phones.close()
        dead = socket.socket(socket.AF_UNIX)
        dead.bind(str(left))
        dead.close()
        opened.phones.configure(opened.ctx.settings)
        opened.wait()
        with Client(left) as client:
            assert client.line()["kind"] == "hello"


def test_the_sockets_file_is_there_when_somebody_listens_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[bool] = []
    listen = socket.socket.listen

    def watched(listener: socket.socket, backlog: int) -> None:
        name = Path(listener.getsockname())
        seen.append(name.with_name("r.sock").exists())
        listen(listener, backlog)

    monkeypatch.setattr(socket.socket, "listen", watched)
    with table() as game, Client(game.path):
        assert seen == [False]
        assert [path.name for path in game.path.parent.glob("*") if path.is_socket()] == ["r.sock"]


def test_another_companions_socket_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    with table() as one, table() as other:
        other.phones.close()
        other.phones.path = one.path
        other.phones.configure(other.ctx.settings)
        other.wait()
        assert "another companion listens there" in caplog.text
        other.phones.close()
        with Client(one.path) as client:
            assert client.line()["epoch"] == one.phones.epoch


def test_without_the_setting_there_is_no_socket_and_no_thread() -> None:
    with table() as opened:
        opened.phones.configure(opened.ctx.settings.plus(WebSettings(enabled=False)))
        assert opened.phones.server is None
        assert not opened.path.exists()
        threads = active_count()
        opened.phones.show(Frame(Header("x")))
        assert active_count() == threads


def test_who_looks_is_told_that_phones_were_switched_off_and_not_that_the_table_ends() -> None:
    with table() as opened, Client(opened.path) as client:
        client.frame()
        opened.phones.configure(opened.ctx.settings.plus(WebSettings(enabled=False)))
        client.until(lambda line: line["kind"] == "off")
        with pytest.raises(EOFError):
            client.line()
        opened.phones.configure(opened.ctx.settings)
        opened.wait()
        with Client(opened.path) as other:
            other.frame()
            opened.phones.close()
            with pytest.raises(EOFError):
                other.until(lambda line: line["kind"] == "off")


def test_who_reads_nothing_delays_nobody_and_sees_the_newest_frame_later(game: Table) -> None:
    with Client(game.path) as slow, game.phone() as phone:
        for _ in range(300):
            phone.keys("5", "BACK")
        last = phone.key("7")["shown"]
        seen: list[int] = []
        while last not in seen:
            line = slow.line()
            if line["kind"] == "frame":
                seen.append(line["n"])
        assert seen == sorted(set(seen))
        assert len(seen) < 600


def test_keys_of_the_table_go_before_those_of_phones(game: Table) -> None:
    def let_both_wait() -> None:
        game.keys.put(Key.D1)
        wait_for(lambda: game.keys._errands)  # the phone's key, behind this one

    with game.phone() as phone:
        phone.own("who")  # before its answer comes the newest frame
        assert game.keys.post(let_both_wait)
        answer = phone.key("2", seen=phone.newest["keyed"])
        assert answer["error"] == "stale", "the table's key came first"
        entry = entry_of(game.recorder.frames[-1])
        assert entry.text == "1"


def test_a_new_language_is_told(game: Table) -> None:
    with Client(game.path) as client, game.phone() as phone:
        phone.keys("MENU")
        client.until(lambda line: line["kind"] == "hello")
        items = phone.newest["choices"]["items"]
        system = next(item["digit"] for item in items if item["text"] == "System")
        phone.keys(system, "1", "2")
        client.until(lambda line: line["kind"] == "hello" and line["language"] == "de")


def test_json_on_the_wire_is_ascii_one_line_each(game: Table) -> None:
    with Client(game.path) as client:
        client.send(json.dumps({"kind": "who", "id": "é\u2028"}).encode() + b"\n")
        assert client.until(lambda line: line.get("kind") == "answer")["id"] == "é\u2028"


def test_who_looks_is_told_that_the_end_is_meant_after_the_last_frame() -> None:
    with table() as opened, Client(opened.path) as client:
        client.frame()
        opened.phones.leave(Frame(Header("Restarting"), viewers=Viewers.ALL))
        client.until(
            lambda line: line["kind"] == "frame" and line["frame"]["title"] == "Restarting"
        )
        client.until(lambda line: line["kind"] == "ends")
        with pytest.raises(EOFError):
            client.line()


def test_who_looks_is_told_that_the_first_start_waits_for_a_phone(game: Table) -> None:
    with Client(game.path) as looking:
        assert looking.line()["first"] is False
        game.pairing.welcomes = True
        game.phones.configure(game.ctx.settings)
        looking.until(lambda line: line["kind"] == "hello" and line["first"])
