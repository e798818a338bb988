"""What has changed in the hall, put together in the browser, is the hall of now."""

import json

from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from club.web.changes import change_of, runs
from tests.club.web.following import Hall, after, joined
from tests.club.web.site import ClubSite

PEOPLE = [f"p{n}" for n in range(1, 13)]


@st.composite
def halls(draw: st.DrawFn) -> Hall:
    """Draw what the hall sees: some of the people, and perhaps a round of some of them."""
    people = draw(st.permutations(PEOPLE).map(lambda all_: all_[: len(all_) * 2 // 3]))
    lines = [
        [p, draw(st.integers(0, 3)), 0, 1, draw(st.sampled_from(["points", "lot"]))] for p in people
    ]
    tables = [
        {
            "place": place,
            "seats": people[place * 2 : place * 2 + 2],
            "ranks": draw(st.sampled_from([None, [1, 2], [2, 1]])),
        }
        for place in range(4)
    ]
    paired = {"n": draw(st.integers(1, 2)), "tables": tables, "byes": people[8:]}
    return {
        "evening": draw(st.sampled_from(["e1", None])),
        "names": {p: draw(st.sampled_from(["Anna", "Ben"])) for p in people},
        "standings": lines,
        "round": draw(st.sampled_from([paired, None])),
        "ends": draw(st.sampled_from([None, 1.5])),
    }


def _as_sent(facts: Hall) -> Hall:
    sent: Hall = json.loads(json.dumps(facts))
    return sent


@given(halls(), halls())
def test_what_has_changed_makes_of_the_hall_before_the_one_of_now(before: Hall, now: Hall) -> None:
    assert after(before, _as_sent(change_of(before, now))) == now


@given(st.permutations(range(9)), st.lists(st.integers(0, 20), unique=True))
def test_any_list_can_be_put_together_from_any_other(before: list[int], now: list[int]) -> None:
    assert joined(list(before), runs(before, now)) == now


def test_only_what_has_changed_is_written() -> None:
    lines = [[f"p{n}", 0, 0, 0, "lot"] for n in range(800)]
    winner = ["p500", 5, 1, 1, "points"]
    now = [winner, *lines[:500], *lines[501:]]
    assert runs(lines, now) == [[0, 0, winner], [0, 500], [501, 299]]
    assert runs(lines, lines) == [[0, 800]]


def test_the_browser_puts_it_together_in_the_same_way(site: ClubSite, browser: Browser) -> None:
    pairs: list[tuple[Hall, Hall]] = []

    @given(halls(), halls())
    def draw(before: Hall, now: Hall) -> None:
        pairs.append((before, now))

    draw()
    page = browser.new_page()
    page.goto(f"{site.url}/where")
    script = """async (pairs) => {
        const { after } = await import("/static/changes.js");
        return pairs.map(([hall, change]) => after(hall, change));
    }"""
    changes = [(before, change_of(before, now)) for before, now in pairs]
    assert page.evaluate(script, changes) == [now for _, now in pairs]
    page.close()
