"""The door for tables: who is let in, who holds a token, and what each is told."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from club.evening import members
from club.store.database import ClubDatabase, sqlite_url
from club.store.schema import tables
from club.web import tables as requests
from pi_app.phones.web.rates import Rate
from tests.club.parts import result_of
from tests.club.web.site import ClubSite

EMPTY = {"v": 2, "results": [{}]}


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[ClubSite]:
    with ClubSite(tmp_path) as site:
        yield site


def silence(site: ClubSite, table: str, seconds: float) -> None:
    """Let a table be heard for the last time so long ago."""
    with site.database.write() as writing:
        row = writing.connection.execute(tables.select().where(tables.c.id == table)).one()
        members.note(writing, table, heard=row.heard - seconds)


# --- joining


def test_a_table_joins_with_a_code_and_works_once_it_is_confirmed(site: ClubSite) -> None:
    table = site.stranger()
    assert table.join("123456") == (403, {"error": "closed"})
    code = site.act("code")["code"]
    assert table.join(code[::-1] if code != code[::-1] else "000000")[1] == {"error": "code"}
    status, answer = table.join(code)
    assert (status, answer["v"], set(answer)) == (
        200,
        2,
        {"v", "table", "token", "hub", "club", "ca_pem"},
    )
    for refused in (table.hello(), table.ask("results", EMPTY), table.state()):
        assert refused == (403, {"error": "unconfirmed"})
    assert table.news().status == 403
    site.act("confirm", table=table.id)
    assert table.hello()[0] == 200


def test_the_same_code_and_nonce_again_are_the_same_table(site: ClubSite) -> None:
    code = site.act("code")["code"]
    first, again, other = (site.stranger() for _ in range(3))
    assert first.join(code, "n1")[1]["table"] == again.join(code, "n1")[1]["table"]
    assert other.join(code, "n2")[1]["table"] != first.id
    site.act("confirm", table=first.id)
    assert again.hello()[0] == 200
    assert first.hello() == (401, {"error": "token"}), "the last token counts"


@pytest.mark.parametrize(("machine", "status"), [("", 200), ("another", 403)])
def test_a_table_that_joins_again_keeps_its_id_and_games(
    site: ClubSite, machine: str, status: int
) -> None:
    table = site.table().greet()
    table.send(result_of())
    before, table.machine = table.id, machine or table.machine
    assert table.join(site.act("code")["code"])[1]["table"] == before
    assert table.hello()[0] == status
    site.act("confirm", table=before)
    assert table.hello()[1]["had"] == 1


def test_a_table_that_was_removed_may_come_back(site: ClubSite) -> None:
    table = site.table().greet()
    stream = table.news(once=False)
    stream.until("seat")
    site.act("remove-table", table=table.id)
    assert list(stream.events()) == [], "its stream ends"
    assert table.hello() == (401, {"error": "token"})
    table.join(site.act("code")["code"])
    assert table.hello()[0] == 403
    site.act("confirm", table=table.id)
    assert table.hello()[0] == 200


def test_an_added_table_is_taken_back(site: ClubSite) -> None:
    table = site.table().greet()
    site.act("undo")
    assert table.hello()[0] in (401, 403)


def test_a_code_ends_after_ten_minutes(site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "CODE_S", -1)
    code = site.act("code")["code"]
    assert site.stranger().join(code) == (403, {"error": "closed"})


def test_who_guesses_codes_keeps_nobody_else_out(site: ClubSite) -> None:
    code = site.act("code")["code"]
    wrong = "000000" if code != "000000" else "111111"
    guest, table = site.stranger(), site.stranger()
    guest.address = "127.0.0.7"
    answers = [guest.join(wrong)[0] for _ in range(8)]
    assert answers == [403] * 5 + [429] * 3
    assert guest.join(code)[0] == 429
    assert table.join(code)[0] == 200


def test_tables_that_only_want_in_do_not_crowd_out_others(
    site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "UNCONFIRMED_LIMIT", 3)
    code = site.act("code")["code"]
    honest, guest = site.stranger(), site.stranger()
    honest.join(code, "honest")
    guest.address = "127.0.0.7"
    for number in range(6):
        assert guest.join(code, f"n{number}")[0] == 200
        guest.access.pop("token")
    site.act("confirm", table=honest.id)
    assert honest.hello()[0] == 200


# --- the holder of a token


def test_a_copied_card_is_refused_and_named(site: ClubSite) -> None:
    holder = site.table("one").greet()
    copy = site.stranger(holder.access, "two")
    for answer in (copy.hello(), copy.ask("results", EMPTY), copy.state()):
        assert answer == (409, {"error": "twice"})
    assert copy.news().status == 409
    who = site.log_in()
    shown = site.ask("/api/desk", headers=who).json["tables"][0]
    assert (shown["id"], shown["twice"]) == (holder.id, True)
    assert holder.hello()[0] == 200, "refused requests change nothing"


def test_another_machine_is_let_in_after_ten_silent_minutes(site: ClubSite) -> None:
    holder = site.table("one").greet()
    copy = site.stranger(holder.access, "two")
    silence(site, holder.id, 590)
    assert copy.hello()[0] == 409
    assert copy.hello()[0] == 409, "what was refused extends nothing"
    silence(site, holder.id, 20)
    assert copy.hello()[0] == 200
    assert holder.hello() == (409, {"error": "twice"})


def test_the_organiser_lets_the_other_machine_in(site: ClubSite) -> None:
    holder = site.table("one").greet()
    copy = site.stranger(holder.access, "two")
    assert copy.hello()[0] == 409
    holder.boot = "boot-2"
    assert holder.hello()[0] == 200
    holder.boot = "boot-1"
    assert holder.hello()[0] == 409, "an older start of the holder is no other machine"
    site.act("replace", table=holder.id)
    assert copy.hello()[0] == 200
    holder.boot = "boot-2"
    assert holder.hello()[0] == 409


def test_an_older_boot_after_a_newer_one_is_a_copy(site: ClubSite) -> None:
    table = site.table("one").greet()
    copy = site.stranger(table.access, "one")
    copy.boot = "boot-2"
    assert copy.hello()[0] == 200, "a new boot is one"
    assert table.hello() == (409, {"error": "twice"})
    assert copy.hello()[0] == 200
    site.act("replace", table=table.id)
    assert table.hello()[0] == 200
    assert copy.hello()[0] == 409


# --- envelopes


@pytest.mark.parametrize(
    ("name", "body", "status", "error"),
    [
        ("hello", b"{", 422, "bad"), ("hello", b"[]", 422, "bad"), ("hello", b"\xff", 422, "bad"),
        ("hello", b'{"v":2,"v":2,"boot":"b"}', 422, "bad"), ("hello", b'{"v":2}', 422, "bad"),
        ("hello", b'{"boot":"b"}', 422, "bad"), ("hello", b"[" * 100_000, 422, "bad"),
        ("hello", b'{"v":3,"boot":"b"}', 410, "version"), ("results", b'{"v":2}', 422, "bad"),
        ("results", b'{"v":2,"results":[]}', 422, "bad"),
        ("results", json.dumps({"v": 2, "results": [{}] * 41}).encode(), 413, "long"),
        ("results", b'{"v":2,"x":"' + b"x" * 1_048_576 + b'"}', 413, "long"),
        ("none", b'{"v":2}', 404, "missing"),
    ],
)  # fmt: skip
def test_an_envelope_that_cannot_be_read_is_refused(
    site: ClubSite, name: str, body: bytes, status: int, error: str
) -> None:
    told = site.table().greet().ask(name, body)
    assert (told[0], told[1]["error"]) == (status, error)


def test_another_version_is_told_what_is_spoken(site: ClubSite) -> None:
    for version in (1, 3):
        told = site.table().ask("hello", {"v": version}, version=version)
        assert told == (410, {"error": "version", "speaks": [2]})


def test_a_token_that_is_none_is_refused(site: ClubSite) -> None:
    table = site.stranger({**site.table().access, "token": "x"})
    assert table.hello() == (401, {"error": "token"})


def test_who_tries_tokens_is_held_up_and_tables_are_not(site: ClubSite) -> None:
    table = site.table().greet()
    guest = site.stranger({**table.access, "token": "x"})
    guest.address = "127.0.0.7"
    answers = [guest.hello()[0] for _ in range(70)]
    assert answers[-1] == 429
    assert table.hello()[0] == 200


def test_no_more_than_two_states_a_second_are_taken(site: ClubSite) -> None:
    table = site.table().greet()
    answers = [table.state(waiting=1)[0] for _ in range(8)]
    assert answers[0] == 204
    assert answers[-1] == 429


# --- news


def test_the_stream_begins_with_what_is_current(site: ClubSite) -> None:
    table, other = site.table().greet(), site.table().greet()
    site.people("Anna", "Ben", "Clara", "David")
    evening = site.evening("sequence", per_table=4)
    site.pair()
    site.act("say", text="Round 1 begins", for_s=60)
    stream = table.news()
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["x-accel-buffering"] == "no"
    assert stream.headers["content-type"].startswith("text/event-stream")
    told = stream.all()
    assert list(told) == ["hub", "seat", "say", "round", "standings"]
    seat = told["seat"][0]
    assert (seat["evening"], seat["round"], seat["game"]) == (evening, 1, "sequence")
    assert [each["team"] for each in seat["seats"]] == [1, 2, 1, 2]
    assert {each["show"] for each in seat["seats"]} == {"Anna", "Ben", "Clara", "David"}
    assert told["round"][0] == site.export()["rounds"][0]
    assert told["standings"][0] == site.export()["standings"]
    assert told["say"][0]["text"] == "Round 1 begins"
    assert other.news().all()["seat"][0]["round"] is None


def test_a_stream_tells_each_change(site: ClubSite) -> None:
    table = site.table().greet()
    stream = table.news(once=False)
    assert stream.until("seat")["round"] is None
    site.people("Anna", "Ben")
    site.evening(per_table=2)
    first = site.act("pair", give=False)
    site.act("give")
    while (seat := stream.until("seat"))["round"] is None:
        pass
    assert seat["round"] == first["round"]
    site.act("undo")
    taken = stream.until("seat")
    assert (taken["round"], taken["rev"] > seat["rev"]) == (None, True)
    site.act("say", text="Hello")
    assert stream.until("say")["text"] == "Hello"


def test_the_newest_stream_of_a_table_wins(site: ClubSite) -> None:
    table = site.table().greet()
    first = table.news(once=False)
    first.until("hub")
    second = table.news(once=False)
    second.until("hub")
    assert "hub" not in [name for name, _ in first.events()], "the first one ends"
    site.act("say", text="Hello")
    assert second.until("say")["text"] == "Hello"


def test_streams_that_begin_at_once_all_hear_what_is_current(site: ClubSite) -> None:
    tables = [site.table().greet() for _ in range(40)]
    with ThreadPoolExecutor(40) as pool:
        told = list(pool.map(lambda table: table.news().all(), tables))
    assert [list(each)[:2] for each in told] == [["hub", "seat"]] * 40


def test_a_quiet_stream_has_comments(site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "COMMENT_S", 0.2)
    stream = site.table().greet().news(once=False)
    assert stream.until("") is None


def test_two_people_change_places_before_a_round_is_given_out(site: ClubSite) -> None:
    site.people("Anna", "Ben", "Clara", "David")
    site.evening(per_table=2)
    before = [[s["p"] for s in t["seats"]] for t in site.act("pair", give=False)["tables"]]
    one, two = before[0][0], before[1][1]
    swapped = site.act("swap", a=one, b=two)
    after = [[s["p"] for s in t["seats"]] for t in swapped["tables"]]
    assert after == [[two, before[0][1]], [before[1][0], one]]
    site.act("undo")
    assert [[s["p"] for s in t["seats"]] for t in site.export()["rounds"][0]["tables"]] == before


# --- hostile connections


def test_a_thousand_half_open_requests_keep_no_table_out(site: ClubSite) -> None:
    table = site.table().greet()
    with ExitStack() as stack:
        for number in range(1000):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", site.port)))
            half.sendall(b"POST /api/2/hello HTTP/1.1\r\nHost: x\r\n" if number % 2 else b"P")
        table.close()
        assert table.hello()[0] == 200
        assert site.ask("/").status == 200


def test_a_hub_reads_a_table_again_after_a_restart(tmp_path: Path) -> None:
    with ClubSite(tmp_path) as site:
        table = site.table().greet()
        table.send(result_of())
        access = table.access
    with ClubSite(tmp_path, ClubDatabase(sqlite_url(tmp_path))) as site:
        again = site.stranger({**access, "port": site.port}, table.machine)
        assert again.hello()[1]["had"] == 1


def test_other_sites_and_too_many_requests_are_refused(tmp_path: Path) -> None:
    with ClubSite(tmp_path, each=Rate(0.001, 3)) as site:
        foreign = {"Sec-Fetch-Site": "cross-site"}
        assert site.ask("/api/desk", headers=foreign).json == {"error": "origin"}
        answers = [site.ask("/").status for _ in range(4)]
        assert answers == [200, 200, 429, 429]


def _proxied(site: ClubSite, forwarded: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("GET", "/", headers={"X-Forwarded-For": forwarded})
    status = connection.getresponse().status
    connection.close()
    return status


def test_only_a_configured_proxy_says_who_asks(tmp_path: Path) -> None:
    with ClubSite(tmp_path, each=Rate(0.001, 1)) as site:
        assert [_proxied(site, f"10.0.0.{n}") for n in range(3)] == [200, 429, 429]
    database = ClubDatabase(sqlite_url(tmp_path))
    with ClubSite(tmp_path, database, Rate(0.001, 1), proxies=["127.0.0.1"]) as site:
        assert [_proxied(site, f"10.0.0.{n}") for n in range(3)] == [200] * 3
        assert _proxied(site, "10.0.0.2") == 429


def test_a_table_that_says_nothing_gets_no_group(site: ClubSite) -> None:
    there, silent = site.table().greet(), site.table().greet()
    silence(site, silent.id, 61)
    site.people("Anna", "Ben", "Clara", "David")
    site.evening(per_table=2)
    paired = site.act("pair")["tables"]
    assert [group["table"] for group in paired] == [there.id, None]
