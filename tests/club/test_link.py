"""Real links, as processes, beside a real hub: one of both is killed, and a table joins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engines.record import begin, parse
from pi_app.link.protocol import ClubWanted, JoinedClub, JoinHub, JoinOutcome, KeepHub, Wanted
from tests.club.parts import Club
from tests.pi_app.link.test_process import OFF, Place
from tests.stand_ins.companion import in_a_thread
from tests.stand_ins.table import DirectTable
from tests.stand_ins.waiting import wait_for

TAGS = {
    "Game": "just4fun",
    "Players": "17 yellow, 18 red",
    "Position": "yellow 36x1; red 1x1",
}


def play(table: DirectTable) -> str:
    """Score a table that nobody recorded; return the game's id."""
    text = "".join(f'[{name} "{value}"]\n' for name, value in TAGS.items())
    game, position = begin(parse(text))
    assert game.score is not None
    number = table.store.begin(table.outbox)
    table.store.games[number] = replace(table.store.games[number], tags=TAGS)
    table.store.end(table.outbox, number, game.score(position).as_json())
    return table.store.games[number].game_id


class RealPlace(Place):
    """A link's process beside a real hub."""

    def __init__(self, folder: Path, club: Club) -> None:
        self.club = club
        super().__init__(folder, None)  # type: ignore[arg-type]  # no stand-in of a hub

    def want(self, *, enabled: bool) -> Wanted:  # type: ignore[override]
        where = ClubWanted(enabled=enabled, host="127.0.0.1", port=self.club.port)
        wanted = Wanted(club=where, home=OFF)
        self.companion.wanted = wanted.facts()
        return wanted

    def let_in(self) -> None:
        access = self.club.act("add-table")
        known = {name: access[name] for name in ("hub", "table", "token", "ca_pem")}
        self.club_file.parent.mkdir(parents=True)
        self.club_file.write_text(json.dumps({**known, "club": "Spielkreis"}))
        self.table.outbox.join(JoinedClub.read({**known, "club": "Spielkreis"}))

    def show(self) -> None:
        """Tell a link that is there what waits, as the referee does."""
        if self.companion._linked is not None:
            self.companion.show_link()

    @property
    def table(self) -> DirectTable:
        return self.companion.games


@pytest.fixture(name="place")
def _place(tmp_path: Path, club: Club) -> Iterator[RealPlace]:
    (tmp_path / "t").mkdir()
    place = RealPlace(tmp_path / "t", club)
    with in_a_thread(place.companion) as place.loop:
        yield place
        place.end()


TWENTY_OF_EACH = ("link", "hub") * 20


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(("link", "hub", "", "link"), id="few"),
        pytest.param(
            TWENTY_OF_EACH, id="20", marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]
        ),
    ],
)
def test_what_a_link_carries_counts_once_whatever_is_killed(
    place: RealPlace, club: Club, kills: tuple[str, ...]
) -> None:
    place.let_in()
    link = place.start()
    games: list[str] = []
    for kill in kills:
        games += [play(place.table) for _ in range(3)]
        place.loop.call_soon_threadsafe(place.show)
        if kill == "link":
            link.kill()
            link = place.start()
        if kill == "hub":
            club.kill()
            club.start()
        wait_for(lambda: place.table.outbox.waiting == 0, "all verdicts", 120)
    assert set(club.counted()) == set(games)
    assert {each["p"] for each in club.export()["results"][0]["seats"]} == {"p17", "p18"}


def test_a_table_joins_with_a_code_and_works_once_it_is_let_in(
    place: RealPlace, club: Club
) -> None:
    code = club.act("code")
    place.want(enabled=False)
    place.start()
    wait_for(lambda: place.companion._linked)
    place.tell("join", JoinHub(number=1, code=code["code"], host="127.0.0.1", port=club.port))
    wait_for(lambda: place.told(JoinOutcome))
    outcome = place.told(JoinOutcome)[0]
    assert outcome.mark == code["mark"]
    place.tell("keep", KeepHub(number=1))
    wait_for(place.club_file.exists)
    place.tell("wanted", place.want(enabled=True))
    wait_for(lambda: "unconfirmed" in place.statuses(), "it says that it waits")
    club.act("confirm", table=json.loads(place.club_file.read_text())["table"])
    wait_for(lambda: place.statuses()[-1] == "", "it works")
