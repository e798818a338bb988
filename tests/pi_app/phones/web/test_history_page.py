"""The games that were played: their charts, records and statistics."""

import pytest
from playwright.sync_api import expect

from tests.pi_app.phones.web.canned import ANSWERS
from tests.pi_app.phones.web.stage import Stage

pytestmark = pytest.mark.usefixtures("canned")


def test_the_games_lead_to_their_chart_and_their_result(stage: Stage) -> None:
    device = stage.device()
    device.open("/history")
    device.page.get_by_role("link", name="Just 4 Fun").click()
    expect(device.page.locator("article p").first).to_have_text("Anna won. 29:7 points")
    expect(device.page.get_by_role("img", name="Points: Anna 29, Ben 7")).to_be_visible()
    device.page.get_by_role("link", name="All games").click()
    expect(device.page.locator(".games li")).to_have_count(1)


def test_a_game_shows_how_it_went_and_is_asked_for_once(stage: Stage) -> None:
    one = {"name": "Anna", "colour": "yellow", "points": [50, 98, 100], "unit": "%"}
    other = {"name": "Ben", "colour": "red", "points": [50, 2, 0], "unit": "%"}
    curves = [{**one, "spreads": [9, 9, 0], "turns": []}, {**other, "spreads": [], "turns": [1]}]
    said = {"title": "Chances in %", "lines": ["It turned."], "curves": curves}
    stage.companion.answers["game"] = {**ANSWERS["game"], "course": said}
    device = stage.device()
    device.open("/history")
    device.page.get_by_role("link", name="Just 4 Fun").click()
    chart = device.page.get_by_role("img", name="Chances in %: Anna 100%, Ben 0%")
    expect(chart).to_be_visible()
    expect(chart.locator(".band")).to_have_count(1)
    expect(chart.locator(".ring")).to_have_count(1)
    expect(device.page.locator("article")).to_contain_text("It turned.")
    device.page.get_by_role("link", name="All games").click()
    expect(device.page.locator(".games li")).to_have_count(1)
    assert len(stage.requests("game")) == 1


def test_statistics_are_sentences_of_each_game(stage: Stage) -> None:
    device = stage.device()
    device.open("/history")
    device.page.get_by_role("link", name="Statistics").click()
    article = device.page.locator("article")
    expect(article.get_by_role("heading", name="Just 4 Fun")).to_be_visible()
    expect(article).to_contain_text("Anna won 8 of 12 games (67 %).")
    nothing = {"ok": True, "title": "Statistics", "text": "Nothing yet.", "reports": []}
    stage.companion.answers["statistics"] = nothing
    device.open("/history#statistics")
    device.page.reload()
    expect(device.page.get_by_role("status").filter(has_text="Nothing yet.")).to_be_visible()
