"""A German evening of 24 people at six tables, held by the pages alone, with all that happens.

What is counted: how many acts a group needs to get its result in, and how often everybody touches
a page.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select, update

from bench.random_play import play
from club.store.schema import acts, tables
from engines.ranking import places
from engines.record import Record, write
from tests.club.parts import game_id
from tests.club.table import Table
from tests.club.web.site import ClubSite
from tests.club.web.test_pages import choose, log_in, opened
from tests.pi_app.phones.web.browsers import PHONE, TELEVISION

NAMES = (
    *("Anna", "Ben", "Clara", "David", "Emil", "Frieda", "Gustav", "Hanna", "Ida", "Jakob"),
    *("Karla", "Ludwig", "Mara", "Noah", "Olga", "Paul", "Quirin", "Rosa", "Simon", "Thea"),
    *("Ulrich", "Vera", "Wilhelm"),
)
"""The people of the last evening; two new ones come by themselves."""
NEW = ("Xenia-Maria Oberhuber", "Yusuf")
LAPTOP = (1366, 768)
TOUCH_S, LETTER_S, LOOK_S = 3.0, 0.5, 5.0
"""A quiet pace: to find a place and touch it, to type a letter, to read a page that was opened."""
LIMIT_MINUTES = 5
"""How long the organiser may be busy with pages in the whole evening."""
KEYED = ("report", "result", "reject", "accept", "refuse")
"""Acts about the result of a group."""


class Hands:
    """A device in somebody's hands: counts what is touched and typed there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0
        self.seconds = LOOK_S
        """How long somebody is busy with it, at that pace."""

    def count(self, touches: int = 1) -> None:
        self.touches += touches
        self.seconds += touches * TOUCH_S

    def touch(self, found: str | Locator) -> None:
        self.count()
        place = self.page.locator(found) if isinstance(found, str) else found
        place.click()

    def type(self, found: str, text: str) -> None:
        self.count()
        self.seconds += len(text) * LETTER_S
        self.page.locator(found).fill(text)

    def choose(self, *ranks: int) -> None:
        self.count(len(ranks))
        choose(self.page, *ranks)

    def tab(self, name: str) -> None:
        self.touch(f".tabs a[href='#{name}']")
        self.seconds += LOOK_S
        expect(self.page.locator(f".desk#{name}")).to_be_attached()

    def named(self, words: str) -> Locator:
        return self.page.get_by_role("button", name=words, exact=True)


class Evening:
    """The devices and the tables of an evening."""

    def __init__(self, site: ClubSite, browser: Browser, folder: Path, stack: ExitStack) -> None:
        self.site = site
        self._folder = folder
        self._chance = Random(24)
        self._pictures = 0

        def hands(path: str, size: tuple[int, int]) -> Hands:
            return Hands(stack.enter_context(opened(browser, site.url, path, size, "de")))

        self.desk = hands("/organiser", LAPTOP)
        self.hall = hands("/", TELEVISION).page
        self.lists = hands("/lists", LAPTOP).page
        self.phones = hands("/where", PHONE), hands("/where", PHONE)
        self.companions: dict[str, Table] = {}

    @property
    def dead(self) -> str:
        """The table that dies in the second round."""
        return next(iter(self.companions))

    def picture(self, page: Page, name: str, *, full: bool = True) -> None:
        self._pictures += 1
        page.screenshot(
            path=self._folder / f"{self._pictures:02}-{name}.png", full_page=full, scale="css"
        )

    def is_me(self, phone: Hands, p: str) -> None:
        """Let a phone be this person's: by the number, as it is quickest."""
        if phone.page.locator(".mine").count():
            phone.touch(".mine button[data-me='']")
        phone.type("#sought", p[1:])
        phone.touch(f"[data-me={p}]")
        expect(phone.page.locator(".mine")).to_be_attached()

    def groups(self) -> list[dict[str, Any]]:
        """Return the groups of the round that the hall shows."""
        found = self.site.ask("/api/lists").json["round"]["tables"]
        assert isinstance(found, list)
        return found

    def there(self, *broken: str) -> dict[str, Table]:
        """Let all tables but the broken ones be heard, and return these."""
        found = {name: each for name, each in self.companions.items() if name not in broken}
        for table in found.values():
            table.close()  # the hub has ended what was idle for long
            table.greet().state()
        return found

    def play_at_tables(self, number: int, *broken: str) -> None:
        """Let all tables but the broken ones play their group's game and send its result."""
        for table in self.there(*broken).values():
            seat = table.news().all()["seat"][-1]
            if seat["round"] != number:
                continue
            people = [each["p"] for each in seat["seats"]]
            result = self.played(seat["game"], people, seat["evening"], number)
            table.close()  # as in `there`
            assert table.verdicts(result) == [("counted", None)]

    def played(self, game: str, people: list[str], evening: str, number: int) -> dict[str, Any]:
        """Return the result of a whole game of these people, played at random."""
        after: Any = None
        while after is None or after.result is None:
            tokens = []
            for position, _, move in play(game, len(people), self._chance):
                tokens.append(move.token)
                after, _ = position.play(move)
        players = [(f"S{seat}", each.colour) for seat, each in enumerate(after.players, 1)]
        named = {each.name: name for each, (name, _) in zip(after.players, players, strict=True)}
        outcome = after.result.as_json()
        ranks = places(outcome, list(named))
        line = ", ".join(f"{name} {colour}" for name, colour in players)
        return {
            "game_id": game_id(),
            "revision": 0,
            "evening": evening,
            "round": number,
            "game": game,
            "clock": "unsure",
            "seats": [
                {"seat": seat, "p": p, **rank._asdict()}
                for seat, (p, rank) in enumerate(zip(people, ranks, strict=True), 1)
            ],
            "reason": after.result.reason,
            "record": write(Record({"Game": game, "Players": line}, tuple(tokens))),
        }

    def by_phone(self, group: dict[str, Any], *ranks: int) -> None:
        """Let one of a group key the places of its sides, and another one confirm them."""
        one, other = self.phones
        self.is_me(one, group["seats"][0])
        fieldsets = one.page.locator("[data-report] fieldset")
        expect(fieldsets).to_have_count(2 if group["teams"] else len(group["seats"]))
        for fieldset, rank in zip(fieldsets.all(), ranks, strict=False):
            one.count()
            fieldset.locator(f"input[value='{rank}']").check()
        one.touch("[data-report] [type=submit]")
        expect(one.page.locator("[data-report]")).to_have_count(0)
        self.is_me(other, group["seats"][1])
        other.touch("[data-agree]")
        expect(other.page.locator(".badge")).to_be_visible()

    def done(self, count: int) -> None:
        """Wait until the hall has so many results of the round."""
        expect(self.hall.locator("#round .over")).to_have_count(count)


@pytest.fixture(name="evening")
def _evening(site: ClubSite, browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    site.people(*NAMES)
    site.act("settings", club="Spielkreis Eichenau")
    site.act("evening", games=["just4fun"])
    site.act("arrive", p="p1")
    site.act("people", people=[{"p": f"p{n}", "present": True} for n in range(1, 24)])
    site.act("close", anyway=True)
    with ExitStack() as stack:
        evening = Evening(site, browser, tmp_path, stack)
        for _ in range(4):
            table = site.table()
            evening.companions[table.id] = table
        yield evening


def open_evening(evening: Evening) -> None:
    """Open it; all of the last evening but one are here, and two new ones by themselves."""
    desk, page = evening.desk, evening.desk.page
    log_in(page)
    evening.picture(page, "laptop-begin")
    desk.type("[name=title]", "Novemberabend")
    desk.touch("[name=games][value=sequence]")
    desk.type("[name=rounds]", "4")
    desk.touch("[data-form=evening] button")
    desk.tab("people")
    desk.touch("[data-act=same]")
    expect(page.locator(".person.main")).to_have_count(23)
    desk.touch("#person-p5 .person")  # Emil comes later
    expect(page.locator(".gone")).to_have_count(1)
    for each, name in zip(evening.phones, NEW, strict=True):
        each.type("#sought", name)
        each.touch("[data-here]")
        expect(each.page.locator(".mine")).to_contain_text("Die erste Runde kommt noch")
    evening.picture(evening.phones[0].page, "phone-here")
    expect(page.locator(".person.main")).to_have_count(24)
    evening.picture(page, "laptop-people")
    evening.picture(evening.hall, "hall-here", full=False)


def play_first_round(evening: Evening) -> None:
    """Two change places before it is given out; a group shares a place."""
    desk, page = evening.desk, evening.desk.page
    (phone, _), hall = evening.phones, evening.hall
    desk.tab("now")
    evening.there()
    desk.touch(page.locator("[data-act=pair]").nth(1))
    first, second = (page.locator(".panel .row, ul .row").nth(n) for n in (0, 1))
    moved = first.locator("button").first.inner_text()
    desk.touch(first.locator("button").first)
    desk.touch(second.locator("button").first)
    expect(second.locator("button").first).to_have_text(moved)
    evening.picture(page, "laptop-look")
    desk.touch("[data-act=give]")
    expect(hall.locator("#round li")).to_have_count(6)
    evening.is_me(phone, evening.groups()[4]["seats"][0])
    evening.picture(phone.page, "phone-seat")
    evening.picture(hall, "hall-round", full=False)
    evening.play_at_tables(1)
    evening.done(4)
    for group in evening.groups()[4:]:
        ranks = (1, 2) if group["teams"] else (1, 1, 3, 4)  # people share a place
        evening.by_phone(group, *ranks)
    evening.done(6)
    evening.picture(hall, "hall-done", full=False)


def play_second_round(evening: Evening) -> None:
    """Somebody left, Emil comes; a table dies; a result from a phone was wrong."""
    desk, page = evening.desk, evening.desk.page
    desk.tab("people")
    desk.touch("#person-p9 .person")
    desk.touch("#person-p5 .person")
    expect(page.locator("#notice")).to_contain_text("ab Runde 2")
    desk.tab("now")
    evening.there()
    desk.touch(desk.named("Runde 2 auslosen"))
    expect(evening.hall.locator(".top h1")).to_contain_text("Runde 2 von 4")
    dead = evening.dead
    evening.play_at_tables(2, dead)
    with evening.site.database.write() as writing:  # a minute goes by
        writing.connection.execute(update(tables).where(tables.c.id == dead).values(heard=1.0))
        writing.next("touched")
    groups = evening.groups()
    wrong = next(each for each in groups if each["table"] is None)
    for group in groups:
        if group["table"] is None:
            evening.by_phone(group, *((1, 2) if group["teams"] else (1, 2, 3, 4)))
    desk.tab("tables")
    expect(page.locator(".row.bad")).to_contain_text("nicht verbunden")
    evening.picture(page, "laptop-tables")
    desk.tab("results")
    desk.touch(f"[data-key='{next(g['number'] for g in groups if g['table'] == dead)}']")
    keyed = 2 if next(g for g in groups if g["table"] == dead)["teams"] else 4
    desk.choose(*range(1, keyed + 1))
    evening.picture(page, "laptop-key")
    desk.touch(desk.named("Ergebnis speichern"))
    evening.done(6)
    evening.picture(page, "laptop-results")
    row = page.locator(".row", has=page.locator(f"[data-key='{wrong['number']}']"))
    desk.touch(row.locator("[data-act=reject]"))
    expect(page.locator("dialog")).to_be_visible()
    evening.picture(page, "laptop-reject")
    desk.touch("dialog .main")
    evening.done(5)
    again = next(each for each in evening.groups() if each["number"] == wrong["number"])
    evening.by_phone(again, *((2, 1) if again["teams"] else (4, 3, 2, 1)))
    evening.done(6)


def play_third_round(evening: Evening) -> None:
    """Play while the dead table gets no group."""
    desk, page = evening.desk, evening.desk.page
    desk.tab("now")
    expect(page.locator(".warn")).to_contain_text("Tisch 1")
    evening.picture(page, "laptop-now")
    evening.there(evening.dead)
    desk.touch(desk.named("Runde 3 auslosen"))
    expect(evening.hall.locator(".top h1")).to_contain_text("Runde 3 von 4")
    assert [each["table"] for each in evening.groups()].count(None) == 3
    evening.play_at_tables(3, evening.dead)
    for group in evening.groups():
        if group["table"] is None:
            evening.by_phone(group, *((1, 2) if group["teams"] else (1, 2, 3, 4)))
    evening.done(6)


def play_fourth_round(evening: Evening) -> None:
    """One has left; the clock runs; a result of the round before was wrong."""
    desk, page = evening.desk, evening.desk.page
    desk.tab("people")
    desk.touch("#person-p2 .person")
    desk.tab("now")
    evening.there(evening.dead)
    desk.touch(desk.named("Runde 4 auslosen"))
    expect(evening.hall.locator(".top h1")).to_contain_text("Runde 4 von 4")
    desk.type("[name=minutes]", "20")
    desk.touch("[data-form=clock] [type=submit]")
    expect(evening.hall.locator("#clock")).to_be_visible()
    evening.picture(evening.hall, "hall-clock", full=False)
    desk.tab("results")
    desk.touch("[data-round='3']")
    wrong = evening.site.ask("/api/lists").json["rounds"][2]["tables"][5]
    desk.touch("[data-key='6']")
    desk.choose(*((2, 1) if wrong["teams"] else (4, 3, 2, 1)))
    desk.touch(desk.named("Zeigen, was das ändert"))
    expect(page.locator("dialog tbody tr").first).to_be_visible()
    evening.picture(page, "laptop-change")
    desk.touch(desk.named("Ja, so machen"))
    expect(page.locator("dialog")).not_to_be_visible()
    evening.play_at_tables(4, evening.dead)


def close_evening(evening: Evening) -> None:
    """One result is missing, and is keyed before the evening is closed."""
    desk, page = evening.desk, evening.desk.page
    *others, last = (each for each in evening.groups() if each["table"] is None)
    for group in others:
        evening.by_phone(group, *((1, 2) if group["teams"] else (1, 2, 3, 4)))
    desk.tab("now")
    desk.touch("[data-act=close]")
    desk.touch("dialog .main")
    expect(page.locator("dialog")).to_contain_text("fehlen")
    evening.picture(page, "laptop-missing")
    desk.touch("dialog [data-close]")
    evening.by_phone(last, *((1, 2) if last["teams"] else (1, 2, 3, 4)))
    evening.done(6)
    desk.touch("[data-act=close]")
    desk.touch("dialog .main")
    expect(evening.hall.locator(".top h1")).to_contain_text("zu Ende")
    evening.picture(evening.hall, "hall-over", full=False)
    evening.picture(evening.phones[0].page, "phone-over")
    desk.tab("journal")
    evening.picture(page, "laptop-log")
    evening.picture(evening.lists, "laptop-lists")
    evening.lists.emulate_media(media="print")
    evening.lists.set_viewport_size({"width": 700, "height": 990})  # A4 without its margins
    evening.picture(evening.lists, "print")


PARTS = (
    open_evening,
    play_first_round,
    play_second_round,
    play_third_round,
    play_fourth_round,
    close_evening,
)


@pytest.mark.nightly
def test_an_evening_of_24_is_held_by_pages_alone(evening: Evening) -> None:
    site = evening.site
    for part in PARTS:
        part(evening)
    sent = {each["game_id"] for each in site.export()["results"]} - {None}
    assert len(sent) == 4 + 3 * 3
    check_acts(site)
    people = sum(each.touches for each in evening.phones)
    minutes = evening.desk.seconds / 60
    sys.stdout.write(f"touches: {evening.desk.touches} by the organiser, {people} on phones\n")
    sys.stdout.write(f"the organiser is busy for {minutes:.1f} minutes\n")
    assert minutes < LIMIT_MINUTES


def check_acts(site: ClubSite) -> None:
    """Check that a group without a companion needs two acts for its result, another one none."""
    with site.database.read() as connection:
        done = connection.execute(select(acts.c.kind, acts.c.facts).order_by(acts.c.id)).all()
    rounds = site.ask("/api/lists").json["rounds"]
    counted: Counter[tuple[int, frozenset[str]]] = Counter()
    for kind, facts in done:
        if kind in KEYED:
            counted[facts["round"], frozenset(facts["ranks"])] += 1
    needed = [
        (each["n"], group["table"], counted[each["n"], frozenset(group["seats"])])
        for each in rounds
        for group in each["tables"]
    ]
    by_hand = sorted(count for _, table, count in needed if table is None)
    # one was refused and keyed again (five), one was corrected after its round (three)
    assert by_hand == [2] * (len(by_hand) - 2) + [3, 5], needed
    with_companion = [count for _, table, count in needed if table is not None]
    assert sorted(with_companion) == [0] * (len(with_companion) - 1) + [1], "one died"
    kinds = Counter(kind for kind, _ in done)
    sys.stdout.write(f"acts: {dict(kinds)}\n")
