"""Moments in a browser: from the history to a question, its answer, and the next one."""

from typing import Any

import pytest
from playwright.sync_api import expect

from pi_app.screens.starting.moments_on_phones import answer_facts, player_facts, players_facts
from pi_app.table.players import KnownPlayer, save_players
from pi_app.view.data import as_data
from tests.pi_app.phones.web.canned import ANSWERS, PLACE, TAKEN
from tests.pi_app.phones.web.stage import SCENES, Stage
from tests.pi_app.pilot import Pilot


def companion(language: str = "en") -> Pilot:
    """Return a pilot whose players have moments."""
    scene = SCENES["moments-waiting"]
    pilot = Pilot.scene(scene, language)
    save_players(pilot.ctx.store, [KnownPlayer("Anna"), KnownPlayer("Ben")])
    pilot.key(scene.keys)
    return pilot


def told(facts: Any) -> dict[str, Any]:
    return {"ok": True, **as_data(facts)}


def test_a_moment_is_asked_and_answered_by_touch_and_the_next_one_follows(stage: Stage) -> None:
    pilot = companion()
    answers = stage.companion.answers
    answers |= {"history": ANSWERS["history"], "moments": told(players_facts(pilot.ctx))}
    device = stage.device()
    device.open("/history")
    page = device.page
    page.get_by_role("link", name="Moments").click()
    link = page.get_by_role("link", name="Anna")
    expect(link).to_contain_text("3")
    answers["moments"] = told(player_facts(pilot.ctx, "Anna"))
    link.click()
    article = page.locator("article")
    expect(article).to_contain_text("3 moments wait: what would you play?")
    expect(article).to_contain_text("Rolled: 3")
    moves = article.locator("[data-answer]")
    expect(moves).to_have_count(3)
    article.locator("[data-tap='19']").click()
    expect(moves).to_have_count(1)
    article.locator("[data-tap='19']").click()
    expect(moves).to_have_count(3)

    judged = answer_facts(pilot.ctx, "Anna", 1, 32, 0, "3:2,1")
    answers["answer"] = told(judged)
    moves.last.click()
    expect(article.get_by_role("status")).to_have_text("Right")
    expect(article).to_contain_text("Makes a chain and rolls again.")
    expect(moves).to_have_count(0)
    (sent,) = stage.requests("answer")
    asked = {part: sent[part] for part in ("name", "game", "move", "asked", "played")}
    assert asked == {"name": "Anna", "game": 1, "move": 32, "asked": 0, "played": "3:2,1"}

    answers["moments"] = told(player_facts(pilot.ctx, "Anna"))
    article.get_by_role("button", name="Go on").click()
    expect(article).to_contain_text("2 moments wait: what would you play?")
    expect(article).to_contain_text("Rolled: 4")


def test_an_answer_without_a_reply_leaves_the_question_to_be_answered_again(stage: Stage) -> None:
    pilot = companion()
    answers = stage.companion.answers
    answers["moments"] = told(player_facts(pilot.ctx, "Ben"))
    answers["answer"] = {"error": "busy", "text": "That was too much at once."}
    device = stage.device()
    device.open("/history#moments=Ben")
    moves = device.page.locator("[data-answer]")
    moves.first.click()
    expect(moves.first).to_be_enabled()
    answers["answer"] = told(answer_facts(pilot.ctx, "Ben", 1, 64, 0, "5:4,1"))
    moves.first.click()
    expect(device.page.locator("article").get_by_role("status")).to_have_text("No")


def test_who_has_none_to_answer_is_told_when_the_next_one_comes(stage: Stage) -> None:
    pilot = companion("de")
    answer_facts(pilot.ctx, "Ben", 1, 64, 0, "5:2,3")
    stage.companion.answers["moments"] = told(player_facts(pilot.ctx, "Ben"))
    device = stage.device()
    device.open("/history#moments=Ben")
    article = device.page.locator("article")
    expect(article).to_contain_text("Der nächste Moment kommt in 2 Tagen.")
    expect(article.locator("[data-answer]")).to_have_count(0)


@pytest.mark.parametrize("at", ["", "#game=12", "#statistics", "#moments"])
def test_a_phone_that_is_not_paired_reads_of_no_game_and_is_shown_how_to_pair(
    stage: Stage, at: str
) -> None:
    stage.companion.answers |= ANSWERS
    device = stage.device(paired=False)
    device.open(f"/history{at}")
    expect(device.page.locator("main")).to_contain_text("To play it has to be paired")
    expect(device.page.get_by_role("link", name="Take part")).to_be_visible()
    expect(device.page.locator(".games li, article")).to_have_count(0)


def test_after_a_game_of_numeri_a_players_own_place_leads_to_the_moments(stage: Stage) -> None:
    pilot = companion()
    answers = stage.companion.answers
    answers["moments"] = told(player_facts(pilot.ctx, "Anna"))
    over = {**TAKEN[0], "holds": None, "place": {**PLACE, "result": ["Anna wins!"]}}
    answers["seats"] = {**ANSWERS["seats"], "seats": [over]}
    stage.scene("numeri-result")
    device = stage.device()
    device.open("/play")
    device.page.get_by_role("link", name="Moments").click()
    expect(device.page.locator("article")).to_contain_text("3 moments wait")
    (asked,) = stage.requests("moments")
    assert asked["name"] == "Anna"
