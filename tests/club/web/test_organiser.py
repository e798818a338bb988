"""The organiser's page: who is let in, what is done, and what is only looked at."""

import http.client
import json
from datetime import timedelta

import pytest

from club.evening import passwords
from club.store.database import get
from tests.club.parts import result_of
from tests.club.web.site import PASSWORD, ClubSite

Headers = dict[str, str]


def _desk(site: ClubSite, who: Headers) -> dict[str, object]:
    desk: dict[str, object] = site.ask("/api/desk", headers=who).json
    return desk


def _do(site: ClubSite, who: Headers, verb: str, **fields: object) -> str:
    """Do something on the state of now; return "" or the error."""
    sent = {"after": _desk(site, who)["after"], **fields}
    answer = site.ask(f"/api/act/{verb}", sent, who)
    return "" if answer.status == 200 else answer.json["error"]


def _evening(site: ClubSite, people: int = 8) -> list[list[str]]:
    site.people(*[f"Person {n}" for n in range(1, people + 1)])
    site.evening("just4fun")
    return site.pair()


@pytest.mark.parametrize("password", ["", "wrong", PASSWORD[:-1], PASSWORD + "x", "x" * 3000])
def test_a_wrong_password_lets_nobody_in(site: ClubSite, password: str) -> None:
    answer = site.ask("/api/login", {"password": password})
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_passwords_cannot_be_tried_at_will(site: ClubSite) -> None:
    answers = [site.ask("/api/login", {"password": "wrong"}).status for _ in range(7)]
    assert answers == [403] * 5 + [429] * 2
    assert site.ask("/api/login", {"password": PASSWORD}).status == 429, "nor the right one"


def _guess(site: ClubSite, address: str, password: str = "wrong") -> int:  # noqa: S107
    """Try a password from another address of this machine; return the status."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", site.port, timeout=30, source_address=(address, 0)
    )
    own = {"Host": f"127.0.0.1:{site.port}", "Origin": site.url, "Sec-Fetch-Site": "same-origin"}
    body = json.dumps({"password": password})
    connection.request("POST", "/api/login", body, own | {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_whoever_guesses_from_ten_addresses_does_not_lock_the_organiser_out(
    site: ClubSite,
) -> None:
    for number in range(10, 20):
        while _guess(site, f"127.0.0.{number}") != 429:
            pass
    assert _guess(site, "127.0.0.9", PASSWORD) == 200
    assert _guess(site, "127.0.0.10", PASSWORD) == 429


def test_the_password_is_kept_hashed_and_the_token_too(site: ClubSite) -> None:
    token = site.log_in()["Cookie"].partition("=")[2]
    with site.database.read() as connection:
        kept = [get(connection, passwords.PASSWORD), get(connection, passwords.SESSION)]
    assert all(each and PASSWORD not in each and token not in each for each in kept)


def test_the_cookie_is_for_our_pages_only(site: ClubSite) -> None:
    answer = site.ask("/api/login", {"password": PASSWORD})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_nobody_else_sees_or_does_what_is_the_organisers(site: ClubSite) -> None:
    _evening(site)
    for who in ({}, {"Cookie": "beisitzer-club=" + "x" * 43}, {"Cookie": "beisitzer-club="}):
        assert set(_desk(site, who)) == {"organiser", "other"}
        for path in ("/api/act/pair", "/api/preview/undo", "/api/logout"):
            assert site.ask(path, {"after": 0}, who).status == 401


def test_a_device_takes_over_from_another(site: ClubSite) -> None:
    first = site.log_in()
    assert _desk(site, first)["organiser"]
    second = site.log_in()
    assert _desk(site, second)["organiser"]
    told = _desk(site, first)
    assert (told["organiser"], told["other"]) == (False, True)
    assert site.ask("/api/act/pair", {"after": 0}, first).json["error"] == "organiser"
    assert site.ask("/api/logout", {}, second).status == 200
    assert not _desk(site, second)["organiser"]


def test_a_new_password_ends_what_the_old_one_allowed(site: ClubSite) -> None:
    who = site.log_in()
    with site.database.write() as writing:
        passwords.set_password(writing)
    assert not _desk(site, who)["organiser"]
    assert site.ask("/api/login", {"password": PASSWORD}).status == 403


def test_a_session_ends_by_itself(site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    who = site.log_in()
    monkeypatch.setattr(passwords, "LASTS", timedelta(seconds=-1))
    assert not _desk(site, who)["organiser"]


def test_a_whole_evening_is_held_from_the_page(site: ClubSite) -> None:
    who = site.log_in()
    assert _do(site, who, "pair") == "no-evening"
    assert not _do(
        site, who, "people", people=[{"name": n} for n in ("Anna", "Ben", "Clara", "Anna")]
    )
    opened = {"games": ["just4fun", "numeri"], "mode": "tables", "per_table": 2, "rounds": 3}
    assert not _do(site, who, "evening", **opened)
    assert not _do(site, who, "pair")
    assert not _do(site, who, "clock", minutes=20)
    people = [group["seats"] for group in _desk(site, who)["rounds"][0]["tables"]]  # type: ignore[index]
    for seats in people:
        assert not _do(site, who, "result", round=1, places={seats[0]: 1, seats[1]: 2})
    assert not _do(site, who, "people", people=[{"name": "Late"}])
    assert not _do(site, who, "leave", p="p1")
    assert not _do(site, who, "people", people=[{"p": "p4", "name": "Anna B."}])
    assert not _do(site, who, "pair")
    desk = json.dumps(_desk(site, who))
    assert '"n": 2' in desk
    assert "Anna B." in desk
    second = _desk(site, who)["rounds"][1]  # type: ignore[index]
    assert {p for group in second["tables"] for p in group["seats"]} == {"p2", "p3", "p4", "p5"}
    assert not _do(site, who, "undo")
    assert len(_desk(site, who)["rounds"]) == 1  # type: ignore[arg-type]
    assert not _do(site, who, "close")
    assert _do(site, who, "pair") == "no-evening"


def test_what_an_act_changes_is_shown_and_nothing_is_done(site: ClubSite) -> None:
    groups = _evening(site)
    site.key(1, *groups[0])
    site.pair()
    who = site.log_in()
    before = site.export()["standings"]
    after = _desk(site, who)["after"]
    first, second, *others = groups[0]
    ranks = {first: 2, second: 1, **dict(zip(others, (3, 4), strict=True))}
    sent = {"after": after, "round": 1, "places": ranks}
    shown = site.ask("/api/preview/result", sent, who).json["changes"]
    assert {each["p"]: each["after"]["points"] for each in shown} == {first: 3, second: 5}
    assert site.export()["standings"] == before, "nothing has changed"
    assert _desk(site, who)["after"] == after
    rounds = _desk(site, who)["rounds"]
    assert site.ask("/api/act/result", sent, who).status == 200
    changed = _desk(site, who)["rounds"]
    assert [[group["seats"] for group in each["tables"]] for each in changed] == [  # type: ignore[attr-defined]
        [group["seats"] for group in each["tables"]]
        for each in rounds  # type: ignore[attr-defined]
    ], "rounds that were paired stay"


def test_an_act_on_an_old_state_is_not_done(site: ClubSite) -> None:
    _evening(site)
    who = site.log_in()
    sent = {"after": _desk(site, who)["after"]}
    assert site.ask("/api/act/pair", sent, who).status == 200
    again = site.ask("/api/act/pair", sent, who)  # the button was touched twice
    assert (again.status, again.json["error"]) == (409, "stale")
    assert len(_desk(site, who)["rounds"]) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("result", {"round": 1, "places": {"p1": "1"}}),
        ("result", {"round": True, "places": {"p1": 1}}),
        ("result", {"round": 1, "places": [1]}),
        ("evening", {"games": ["chess"], "mode": "tables", "per_table": 4, "rounds": 0}),
        ("evening", {"games": ["just4fun"], "mode": [], "per_table": 4, "rounds": 0}),
        ("evening", {"games": ["just4fun"], "mode": "tables", "per_table": 9, "rounds": 0}),
        ("evening", {"games": [["just4fun"]], "mode": "tables", "per_table": 4, "rounds": 0}),
        ("people", {"people": "Anna"}),
        ("arrive", {"p": "'; drop table acts"}),
        ("accept", {"game_id": "../x y", "revision": 1}),
        ("clock", {"minutes": 10**9}),
        ("nonsense", {}),
    ],
)
def test_junk_is_refused_and_does_nothing(
    site: ClubSite, verb: str, fields: dict[str, object]
) -> None:
    _evening(site)
    who = site.log_in()
    after = _desk(site, who)["after"]
    answer = site.ask(f"/api/act/{verb}", {"after": after, **fields}, who)
    assert 400 <= answer.status < 500, answer.data
    assert _desk(site, who)["after"] == after


def test_a_late_result_that_differs_is_the_organisers_to_choose(site: ClubSite) -> None:
    who, table = site.log_in(), site.table().greet()
    site.people("Anna", "Ben")
    evening = site.evening(per_table=2)
    people = site.pair()[0]
    assert not _do(site, who, "result", round=1, places={people[0]: 2, people[1]: 1})
    sent = result_of(people, evening=evening, in_round=1)
    assert table.verdicts(sent) == [("locked", None)]
    proposal = _desk(site, who)["proposals"][0]  # type: ignore[index]
    assert (proposal["verdict"], proposal["round"]) == ("locked", 1)
    chosen = {name: proposal[name] for name in ("game_id", "revision", "id")}
    preview = {"after": _desk(site, who)["after"], **chosen}
    shown = site.ask("/api/preview/accept", preview, who).json["changes"]
    assert {each["p"] for each in shown} == set(people)
    assert not _do(site, who, "accept", **chosen)
    assert _desk(site, who)["proposals"] == []
    group = _desk(site, who)["rounds"][0]["tables"][0]  # type: ignore[index]
    assert group["ranks"] == [1, 2]


def test_a_new_password_lets_out_who_is_in(site: ClubSite) -> None:
    who = site.log_in()
    after = _desk(site, who)["after"]
    password = site.ask("/api/act/password", {"after": after}, who).json["password"]
    assert not _desk(site, who)["organiser"]
    assert _desk(site, site.log_in(password))["organiser"]


def test_what_a_table_makes_of_its_round_is_said(site: ClubSite) -> None:
    table = site.table().greet()
    groups = _evening(site, people=4)
    who = site.log_in()

    def progress() -> str:
        shown: list[dict[str, str]] = site.ask("/api/desk", headers=who).json["tables"]
        return shown[0]["progress"]

    assert progress() == "says nothing of what it does"
    table.state(game="just4fun", phase="playing")
    assert progress() == "has not heard of the round yet"
    rev = site.export()["rounds"][0]["rev"]
    answer = {"evening": site.export()["evening"], "round": 1, "rev": rev, "answer": "refused"}
    table.state(assignment=answer)
    assert progress().startswith("has refused the round")
    table.state(game="just4fun", phase="playing", assignment={**answer, "answer": "started"})
    assert progress() == "plays"
    site.key(1, *groups[0])
    assert progress() == "its result is here"
