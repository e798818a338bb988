"""What everybody in the hall gets: the newest state, files, and nothing for other sites."""

import threading
from pathlib import Path

import pytest

from club.web.app import NAMED, wanted_language
from club.web.hall import numbers_of
from tests.club.web.following import following
from tests.club.web.site import ClubSite

NAMES = ("Anna", "Ben", "Clara", "David", "Anna", "<script>alert(1)</script>", "=1+1", "Hans")


def test_a_page_is_sent_the_hall_and_each_change_of_it(site: ClubSite) -> None:
    with following(site) as page:
        assert page.next_hall()["evening"] is None
        site.people(*NAMES)
        site.evening("just4fun")
        groups = site.pair()
        site.key(1, *groups[0])
        while True:
            frame = page.next_hall()
            if frame["standings"] and frame["standings"][0][1] == 5:
                break
    winner = groups[0][0]
    assert frame["standings"][0][0] == winner
    assert frame["round"]["tables"][0]["ranks"] == [1, 2, 3, 4]
    assert frame["round"]["tables"][1]["ranks"] is None


def test_two_people_of_one_name_are_told_apart(site: ClubSite) -> None:
    site.people(*NAMES)
    site.evening("just4fun")
    with following(site) as page:
        while not (names := page.next_hall()["names"]):
            pass
    assert (names["p1"], names["p5"]) == ("Anna (1)", "Anna (5)")


def test_a_page_that_reads_nothing_delays_no_other(site: ClubSite) -> None:
    site.people(*[f"Person {n} {'x' * 30}" for n in range(200)])
    site.evening("just4fun")
    with following(site), following(site) as page:
        for round_ in range(1, 8):
            site.pair()
            while True:
                frame = page.next_hall()
                if frame["round"] and frame["round"]["n"] == round_:
                    break


def test_a_beat_comes_when_nothing_happens(site: ClubSite) -> None:
    with following(site) as page:
        page.until("frame")
        assert page.until("beat") == {}


def test_pages_say_so_while_the_database_is_away(
    site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    from club.store.database import DatabaseError

    def away() -> None:
        raise DatabaseError("open", "gone")

    with following(site) as page:
        page.until("frame")
        with monkeypatch.context() as context:
            context.setattr(site.database, "read", away)
            page.until("away")
        page.until("frame")


@pytest.mark.parametrize("path", [*NAMED, "/api/desk", "/none"])
def test_every_answer_has_the_doors_headers(site: ClubSite, path: str) -> None:
    policy = site.ask(path).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_lists_of_an_evening_that_there_is_not_are_missing(site: ClubSite) -> None:
    assert site.ask("/api/lists?evening=e999").status == 404


def test_a_fault_of_the_hub_is_no_missing_page(
    site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **_more: object) -> None:
        raise KeyError("swapped")

    monkeypatch.setattr("club.web.app.list_facts", fail)
    answer = site.ask("/api/lists")
    assert (answer.status, answer.json["error"]) == (500, "fault")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-DE,de;q=0.9,en-US;q=0.8", "de"), ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("qq-QQ,qq;q=0.9,de;q=0.3", "de"), ("de;q=0,en;q=0", "en"), ("qq", "en"), ("", "en"),
        ("en;q=0.5,de;q=0.7", "de"), (";;;,=,de;q=x", "en"), ("," * 5000, "en"),
    ],
)  # fmt: skip
def test_a_browser_is_answered_in_its_language(accepted: str, language: str) -> None:
    assert wanted_language(accepted, "en") == language


def test_texts_come_in_the_language_of_the_browser(site: ClubSite) -> None:
    for language, word in (("de", "Saal"), ("en", "Hall")):
        page = site.ask("/", headers={"Accept-Language": language}).data.decode()
        assert f'lang="{language}"' in page
        assert f'"Hall":"{word}"' in page


def test_two_servers_show_the_same_club(site: ClubSite, tmp_path: Path) -> None:
    with ClubSite(tmp_path / "other", site.database) as other, following(other) as page:
        page.next_hall()
        site.people(*NAMES)
        site.evening("just4fun")
        while page.next_hall()["evening"] is None:
            pass
        assert threading.active_count() > 2


def test_only_what_anybody_may_do_is_done_in_the_hall(site: ClubSite) -> None:
    site.evening("just4fun")
    first = site.ask("/api/hall/here", {"name": "Anna"})
    assert first.json["p"] == "p1"
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    for act in ("pair", "result", "leave", "undo", "password", "nonsense"):
        assert site.ask(f"/api/hall/{act}", {"p": "p1"}).status == 404
    other = site.ask("/api/hall/here", {"name": "Ben"}, {"Origin": "https://else.where"})
    assert other.status == 403, "another site's page"
    assert site.ask("/api/hall/here", {"name": " "}).status == 409
    said = [site.ask("/api/hall/here", {"name": "Anna"}).status for _ in range(70)]
    assert said[:50] == [200] * 50
    assert said[-1] == 429, "one address cannot fill the list"
    assert len(site.export()["standings"]) == 1


def test_what_people_do_in_the_hall_does_not_make_the_organisers_state_old(site: ClubSite) -> None:
    site.evening("just4fun")
    site.people(*NAMES)
    who = site.log_in()
    after = site.ask("/api/desk", headers=who).json["after"]
    site.ask("/api/hall/here", {"name": "Late"})
    assert site.ask("/api/act/pair", {"after": after}, who).status == 200


@pytest.mark.parametrize(
    ("tables", "numbers"),
    [
        (["table-01-aaaa", "table-02-bbbb"], [1, 2]),
        ([None, None, None], [1, 2, 3]),
        (["table-02-bbbb", "table-10-cccc", None, None], [2, 10, 1, 3]),
    ],
)
def test_every_group_has_a_table_with_a_number_of_its_own(
    tables: list[str | None], numbers: list[int]
) -> None:
    assert numbers_of(tables) == numbers
