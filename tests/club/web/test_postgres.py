"""Several web processes beside one hub on PostgreSQL: all show the same, and say what is away."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from club.hub.broker import program
from club.store.database import ClubDatabase
from club.web.organiser import set_password
from tests.club import postgres
from tests.club.parts import Club, result_event
from tests.club.web.following import Follower, Hall, following
from tests.club.web.site import PASSWORD, Pages
from tests.ports import free_port
from tests.stand_ins.waiting import PATIENCE_S


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Yield a running hub of four people on PostgreSQL."""
    if program() is None:
        pytest.skip("Mosquitto is not installed")
    if missing := postgres.missing():
        pytest.skip(missing)
    with postgres.postgres() as server:
        club = Club(tmp_path / "club", "--database", server.url)
        club.server = server
        try:
            club.start()
            club.people(tmp_path, 4)
            yield club
        finally:
            club.end()


@contextmanager
def _pages(club: Club, folder: Path) -> Iterator[tuple[Pages, subprocess.Popen[str]]]:
    """Serve pages in a process that knows nothing of the hub but its database."""
    port = free_port()
    words = ["--state", str(folder), "--database", club.server.url, "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pi_app", "club", "pages", *words, "--tls-port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield Pages(port), process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


def _until(page: Follower, right: Callable[[Hall], object]) -> Hall:
    while not right(page.next_hall()):
        pass
    return page.hall


def _act(pages: Pages, who: dict[str, str], verb: str, **fields: object) -> None:
    after = pages.ask("/api/desk", headers=who).json["after"]
    answer = pages.ask(f"/api/act/{verb}", {"after": after, **fields}, who)
    assert answer.status == 200, answer.data


def test_web_processes_show_one_club_and_a_device_takes_over_across_them(
    club: Club, tmp_path: Path
) -> None:
    database = ClubDatabase(club.server.url)
    with database.write() as writing:
        set_password(writing, PASSWORD)
    database.close()
    with _pages(club, tmp_path / "1") as (first, one), _pages(club, tmp_path / "2") as (second, _):
        tablet = first.log_in(device="tablet")
        with following(first) as beside, following(second) as page:
            evening = {"games": ["just4fun"], "mode": "tables", "per_table": 2, "rounds": 1}
            _act(first, tablet, "evening", **evening, rules="")
            table = club.add_table()
            _act(first, tablet, "pair")
            hall = _until(page, lambda hall: hall["round"])
            seated = next(each for each in hall["round"]["tables"] if each["table"] == table.id)
            keyed = next(each for each in hall["round"]["tables"] if each["table"] is None)
            table.send(result_event(1, seated["seats"], evening=hall["evening"], in_round=1))
            laptop = second.log_in(device="laptop")
            assert not first.ask("/api/desk", headers=tablet).json["organiser"]
            ranks = {p: rank for rank, p in enumerate(keyed["seats"], 1)}
            _act(second, laptop, "result", round=1, ranks=ranks)
            for each in (beside, page):
                _until(each, _is_over)
            assert beside.hall["standings"] == page.hall["standings"]
            assert [line[1] for line in page.hall["standings"]] == [4, 4, 1, 1]
            one.kill()
            _act(second, laptop, "leave", p="p1")
            assert second.ask("/download/standings.csv").status == 200


def test_pages_say_when_the_hub_or_the_database_is_away_and_come_back(
    club: Club, tmp_path: Path
) -> None:
    with _pages(club, tmp_path / "1") as (pages, _), following(pages) as page:
        _until(page, lambda hall: hall["hub"] is True)
        club.kill()
        _until(page, lambda hall: hall["hub"] is False)
        club.start()
        _until(page, lambda hall: hall["hub"] is True)
        club.server.kill()
        page.until("away")
        club.server.start()
        page.hall = page.until("frame")["frame"]
        if not page.hall["hub"]:
            _until(page, lambda hall: hall["hub"] is True)


def _is_over(hall: Hall) -> bool:
    paired = hall["round"]
    return paired is not None and all(each["ranks"] for each in paired["tables"])
