"""A seat and a hand of one's own: what it can do, plays, takes back, and hides from others."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS, LEGAL, PLACE, PLAYED, TAKEN
from tests.pi_app.phones.web.stage import Stage

pytestmark = pytest.mark.usefixtures("canned")


def seated(stage: Stage) -> Device:
    """Return a phone on which Anna has keyed her hand."""
    device = stage.device()
    device.open("/play")
    device.page.locator("[data-claim]").first.wait_for()
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": TAKEN}
    device.page.locator('[data-claim="0"]').click()
    for card in ("5", "11", "13", "8"):
        device.page.locator(f'[data-add="{card}"]').click()
    return device


FIELD = '[data-tap="29"]'
"""The field that one sum of Anna's hand leads to."""
LIT = ("aria-label", "29, can be played")


def play(device: Device) -> None:
    """Touch the field, once it is lit."""
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)
    device.page.locator(FIELD).click()


def test_a_seat_that_another_phone_has_is_taken_over_with_a_second_touch(stage: Stage) -> None:
    device = stage.device()
    device.open("/play")
    seat = device.page.locator('[data-doubt="1"]')
    expect(seat).to_contain_text("taken")
    seat.click()
    device.page.get_by_role("button", name="Take this seat to my phone").click()
    stage.site.wait_for(lambda: any(each.get("over") == 1 for each in stage.companion.heard))


def test_everybody_s_score_stands_in_one_line(stage: Stage) -> None:
    device = seated(stage)
    scores = device.page.locator(".scores li")
    expect(scores).to_have_text(["YAnna29to move", "RBen7"])
    assert len({box["y"] for each in scores.all() if (box := each.bounding_box())}) == 1
    expect(device.page.locator(".scores .of-yellow.to-move")).to_have_count(1)


def test_seats_are_asked_for_again_where_their_answer_was_lost(stage: Stage) -> None:
    device = stage.device()
    lost: list[Route] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.abort()

    device.page.route("**/api/seats", lose)
    device.open("/play")
    expect(device.page.locator("[data-doubt], [data-claim], .side h1").first).to_be_visible()


def test_who_plays_is_asked_with_their_colours(stage: Stage) -> None:
    device = stage.device()
    device.open("/play")
    for name, colour in (("Anna", "yellow"), ("Ben", "red")):
        expect(device.page.locator(f".choose .of-{colour}")).to_contain_text(name)


def after_move(stage: Stage) -> None:
    """Let the table go on: Anna's move is the last one."""
    holds = {**TAKEN[0], "to_move": False, "place": PLAYED}
    ben = {**TAKEN[1], "to_move": True}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [holds, ben]}
    stage.scene("just4fun-free")


def test_a_hand_shows_what_it_can_do_and_plays_with_a_tap(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator("[data-doubt], [data-claim], .side h1").first).to_be_visible()
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)
    expect(device.page.locator(".option")).to_have_count(0)
    device.page.locator('[data-tap="16"]').click()
    expect(device.page.locator(".option.bad")).to_contain_text("16 blocked: Ben leads by 2")
    play(device)
    stage.site.wait_for(lambda: stage.companion.played == [LEGAL["token"]])
    (sent,) = stage.requests("play")
    assert sent["seen"] == ANSWERS["hand"]["position"], "the position that it was offered in"
    after_move(stage)
    expect(device.page.locator(".card")).to_have_text(["8"])


def with_tips(stage: Stage) -> Device:
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "help": "tips", "tips": True}
    return seated(stage)


def test_a_hand_says_what_would_be_good_and_plays_it_with_a_tap(stage: Stage) -> None:
    device = with_tips(stage)
    device.page.get_by_role("button", name="What would be good?").click()
    tip = device.page.locator(".tips [data-play]")
    expect(tip).to_have_text(re.compile(r"^5\+11\+13 = 29Wins with 61 %\."))
    expect(tip).to_contain_text("Stops Ben's row on 29. Takes the majority on 29.")
    expect(device.page.locator("[data-tip]")).to_have_count(0)
    tip.click()
    stage.site.wait_for(lambda: stage.companion.played == [LEGAL["token"]])
    after_move(stage)
    expect(device.page.locator(".card")).to_have_text(["8"])
    expect(device.page.locator(".tips")).to_have_count(0)


def test_a_tip_goes_with_the_hand_it_was_for(stage: Stage) -> None:
    device = with_tips(stage)
    device.page.locator("[data-tip]").click()
    expect(device.page.locator(".tips")).to_have_count(1)
    device.page.locator('[data-pick="1"]').click()
    device.page.get_by_role("button", name="Put away").click()
    expect(device.page.locator(".tips")).to_have_count(0)


def test_why_there_is_no_tip_is_said_in_its_place(stage: Stage) -> None:
    stage.companion.answers["tip"] = {"error": "help", "text": "Your level of help gives no tips."}
    device = with_tips(stage)
    device.page.locator("[data-tip]").click()
    expect(device.page.locator(".options [role=status]")).to_have_text(
        "Your level of help gives no tips."
    )


def test_nobody_is_offered_a_tip_whose_level_gives_none(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)
    expect(device.page.locator("[data-tip]")).to_have_count(0)


def test_a_play_that_is_refused_leaves_the_hand(stage: Stage) -> None:
    device = seated(stage)
    stage.companion.answers["play"] = {"error": "illegal", "text": "29 blocked: Ben leads by 2"}
    play(device)
    expect(device.page.locator("#notice")).to_have_text("29 blocked: Ben leads by 2")
    expect(device.page.locator(".card")).to_have_count(4)


def test_a_move_that_is_touched_twice_is_played_once(stage: Stage) -> None:
    device = seated(stage)
    device.page.locator(FIELD).dblclick()
    device.settled()
    assert stage.companion.played == [LEGAL["token"]]


def test_a_touched_move_is_said_to_be_on_its_way(stage: Stage) -> None:
    device = seated(stage)
    first = device.page.locator("main .to-do")
    expect(first).to_have_text("Your turn: touch a lit field")
    expect(device.page.locator("main").get_by_text("Your turn: touch a lit field")).to_have_count(1)
    device.page.route("**/api/play", lambda _: None)  # no answer comes
    play(device)
    expect(first).to_have_text("On its way …")
    expect(device.page.locator(".option.sent")).to_have_count(1)


def test_after_a_move_the_page_is_at_its_top_with_what_to_do_next(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)
    device.page.set_viewport_size({"width": 320, "height": 568})
    device.page.evaluate("() => document.querySelector('main').scrollTo(0, 9_999)")
    assert device.page.evaluate("() => document.querySelector('main').scrollTop") > 0
    device.page.locator(FIELD).dispatch_event("click")
    stage.site.wait_for(lambda: bool(stage.companion.played))
    after_move(stage)
    expect(device.page.locator(".to-do")).to_have_text("Draw 3 cards and tap them.")
    assert device.page.evaluate("() => document.querySelector('main').scrollTop") == 0


def test_what_the_lit_board_shows_is_listed_only_for_a_field_reached_in_several_ways(
    stage: Stage,
) -> None:
    other = {**LEGAL, "token": "8+8+13", "text": "29 (8+8+13)", "uses": ["8", "8", "13"]}
    draw = {**LEGAL, "token": "d", "text": "draw a card", "cell": "", "uses": []}
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "options": [other, LEGAL, draw]}
    device = seated(stage)
    rows = device.page.locator(".option")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("draw a card")
    play(device)
    expect(rows).to_have_count(2)
    expect(rows.last.locator(".mini")).to_have_text(["5", "11", "13"])
    rows.last.click()
    stage.site.wait_for(lambda: stage.companion.played == [LEGAL["token"]])


def test_a_hand_that_cannot_be_is_said_beside_its_cards(stage: Stage) -> None:
    wrong = {"error": "cards", "text": "These cards cannot be a hand."}
    stage.companion.answers["hand"] = wrong
    device = seated(stage)
    expect(device.page.locator(".side .verdict.bad")).to_have_text(wrong["text"])
    expect(device.page.get_by_text(wrong["text"])).to_have_count(1)


def test_a_menu_at_the_table_draws_no_player_s_page_again(stage: Stage) -> None:
    device = seated(stage)
    device.page.evaluate(
        """() => { const main = document.querySelector("main"); const clone = main.cloneNode;
        window.drawn = 0;
        main.cloneNode = (deep) => { window.drawn += 1; return clone.call(main, deep); }; }"""
    )
    board = stage.companion._frame
    menu = {**board, "title": "Menu", "seats": [], "picture": None}
    stage.site.call(lambda: stage.companion.say({"kind": "frame", "n": 999, "frame": menu}))
    device.page.wait_for_function("() => document.title.startsWith('Menu')")
    assert device.page.evaluate("() => window.drawn") == 0


def test_one_more_player_is_not_offered_the_seat_of_this_phone(stage: Stage) -> None:
    device = seated(stage)
    device.page.get_by_role("button", name="More", exact=True).click()
    expect(device.page.locator("[data-share]")).to_be_in_viewport()
    device.page.locator("[data-share]").click()
    expect(device.page.locator(".choose li")).to_have_count(1)
    expect(device.page.locator(".choose li")).to_contain_text("Ben")


def test_ways_to_other_players_are_shown_on_demand_and_go_with_the_next_move(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator("[data-release], [data-share]")).to_have_count(0)
    more = device.page.get_by_role("button", name="More", exact=True)
    expect(more).to_have_attribute("aria-expanded", "false")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(device.page.locator("[data-release], [data-share]")).to_have_count(2)
    after_move(stage)
    expect(device.page.locator("[data-release], [data-share]")).to_have_count(0)


def test_a_question_that_the_busy_table_refused_is_asked_again(stage: Stage) -> None:
    stage.companion.answers["hand"] = {"error": "busy", "text": "Too much at once."}
    device = seated(stage)
    stage.site.wait_for(lambda: any(each.get("cards") for each in stage.companion.heard))
    expect(device.page.locator("[data-play]")).to_have_count(0)
    stage.companion.answers["hand"] = ANSWERS["hand"]
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)


def test_a_card_is_put_away_with_a_tap_and_makes_room_for_another(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator("[data-add]")).to_have_count(0)
    device.page.locator('[data-pick="1"]').click()
    device.page.get_by_role("button", name="Put away").click()
    expect(device.page.locator(".card")).to_have_text(["5", "13", "8"])
    expect(device.page.locator("[data-add]")).to_have_count(19)


def test_a_hand_stays_in_its_tab_and_outlives_a_reload(stage: Stage) -> None:
    device = seated(stage)
    expect(device.page.locator(FIELD)).to_have_attribute(*LIT)
    device.page.reload()
    expect(device.page.locator(".card")).to_have_text(["5", "11", "13", "8"])
    kept = device.page.evaluate(
        "() => [JSON.stringify(localStorage), document.cookie, location.href]"
    )
    assert not any("11" in text and "13" in text for text in map(str, kept))
    other = device.context.new_page()
    other.goto(stage.url + "/play")
    expect(other.locator("h1")).to_contain_text("Hand of Anna")
    expect(other.locator(".card")).to_have_count(0)


def test_in_numeri_a_roll_with_one_way_is_played_with_one_touch(stage: Stage) -> None:
    option = {**LEGAL, "token": "4:4", "text": "stone 4", "cell": "1", "uses": ["4"]}
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "options": [option]}
    stage.scene("numeri-first-turn")
    own = {**TAKEN[0], "holds": None}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own]}
    device = stage.device()
    device.open("/play")
    device.page.get_by_role("button", name="Die 4").click()
    stage.site.wait_for(lambda: stage.companion.played == ["4:4"])
    chained = {**own, "place": {**PLACE, "moves": 1}}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [chained]}
    stage.scene("numeri-first-turn")
    expect(device.page.locator('[data-roll][aria-pressed="true"]')).to_have_count(0)
    assert stage.companion.played == ["4:4"], "after a chain nothing is rolled by itself"


def place(stage: Stage, **facts: object) -> None:
    """Tell the page another place of Anna's."""
    own = {**TAKEN[0], "place": {**PLACE, **facts}}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own, TAKEN[1]]}
    stage.scene("just4fun-free")


def test_a_move_made_at_the_table_leaves_the_hand_and_asks_for_cards_to_be_drawn(
    stage: Stage,
) -> None:
    device = seated(stage)
    after_move(stage)
    expect(device.page.locator(".card")).to_have_text(["8"])
    expect(device.page.locator(".to-do")).to_have_text("Draw 3 cards and tap them.")
    expect(device.page.locator(".told")).to_contain_text("Anna: stone on 29.")
    expect(device.page.locator("#aloud")).to_contain_text("Anna: stone on 29.")
    expect(device.page.locator("#aloud")).to_contain_text("Draw 3 cards and tap them.")
    expect(device.page.locator("[data-add]")).to_have_count(19)


def test_ones_own_move_is_taken_back_and_its_cards_come_back(stage: Stage) -> None:
    device = seated(stage)
    after_move(stage)
    expect(device.page.locator(".card")).to_have_text(["8"])
    device.page.locator('[data-add="2"]').click()
    stage.companion.answers["undo"] = {"ok": True, "shown": 1}
    device.page.get_by_role("button", name="Take back: 5+11+13 = 29").click()
    stage.site.wait_for(lambda: stage.companion.requests("undo"))
    place(stage)
    expect(device.page.locator(".card")).to_have_text(["5", "11", "13", "8"])


def test_without_help_cards_are_picked_and_the_referee_is_heard(stage: Stage) -> None:
    option = {**LEGAL, "text": "play 5+11+13", "cell": "", "legal": None}
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "help": "none", "options": [option]}
    stage.companion.answers["play"] = {"error": "illegal", "text": "29 blocked: Ben leads by 2"}
    device = seated(stage)
    place(stage, help="none")
    expect(device.page.locator(".to-do")).to_contain_text("tap the cards that you play")
    expect(device.page.locator('[data-tap="29"]')).to_have_count(0)
    for at in (0, 1, 2):
        device.page.locator(f'[data-pick="{at}"]').click()
    stage.site.wait_for(lambda: any(e.get("picked") == "5 11 13" for e in stage.companion.heard))
    device.page.get_by_role("button", name="play 5+11+13").click()
    expect(device.page.locator("#notice")).to_have_text("29 blocked: Ben leads by 2")
    expect(device.page.locator('[aria-pressed="true"]')).to_have_count(3)


def test_who_says_the_task_keys_it_and_may_try_again(stage: Stage) -> None:
    option = {**LEGAL, "token": "24=", "text": "play 24"}
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "help": "none", "options": [option]}
    stage.companion.answers["play"] = {"error": "illegal", "text": "3×7 is not 24. Try once more."}
    device = seated(stage)
    place(stage, help="none")
    device.page.get_by_role("button", name="play 24").click()
    say(device, "3", "STAR", "7")
    expect(device.page.locator(".keyed")).to_have_text("24 = 3 × 7")
    device.page.get_by_role("button", name="Play", exact=True).click()
    expect(device.page.locator("#notice")).to_have_text("3×7 is not 24. Try once more.")
    expect(device.page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    say(device, "3", "STAR", "8")
    device.page.get_by_role("button", name="Play", exact=True).click()
    sent = ["24=3x7", "24=3x8"]
    stage.site.wait_for(lambda: [e["move"] for e in stage.companion.requests("play")] == sent)


def say(device: Device, *keys: str) -> None:
    for key in keys:
        device.page.locator(f'[data-key="{key}"]').click()


def test_two_players_share_a_phone_and_neither_sees_the_others_hand(stage: Stage) -> None:
    device = seated(stage)
    both = [TAKEN[0], {**TAKEN[1], "claimed": "this", "mine": True, "place": {**PLACE, "moves": 1}}]
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": both}
    stage.scene("just4fun-free")
    device.page.get_by_role("button", name="Give the phone to Ben").click()
    expect(device.page.locator(".card, .board")).to_have_count(0)
    device.page.get_by_role("button", name="I am Ben").click()
    device.title("Hand of Ben")
    expect(device.page.locator(".card")).to_have_count(0)
    device.page.get_by_role("button", name="Give the phone to Anna").click()
    device.page.get_by_role("button", name="I am Anna").click()
    expect(device.page.locator(".card")).to_have_text(["5", "11", "13", "8"])


def test_a_phone_that_two_share_wakes_without_showing_a_hand(stage: Stage) -> None:
    device = seated(stage)
    both = [TAKEN[0], {**TAKEN[1], "claimed": "this", "mine": True, "place": PLACE}]
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": both}
    stage.scene("just4fun-free")
    device.page.get_by_role("button", name="Give the phone to Ben").wait_for()
    device.page.evaluate(
        """() => { Object.defineProperty(document, "visibilityState", {value: "hidden"});
        document.dispatchEvent(new Event("visibilitychange")); }"""
    )
    stage.scene("just4fun-free")
    expect(device.page.get_by_role("button", name="I am Anna")).to_be_visible()
    expect(device.page.locator(".card")).to_have_count(0)


def test_a_seat_that_was_handed_to_another_phone_is_said_and_its_hand_forgotten(
    stage: Stage,
) -> None:
    device = seated(stage)
    gone = [{**TAKEN[0], "claimed": "Cleo's phone", "mine": False, "place": None}, TAKEN[1]]
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": gone}
    stage.scene("just4fun-free")
    expect(device.page.locator("#notice")).to_have_text("Another phone has the seat of Anna now.")
    kept = device.page.evaluate("() => sessionStorage.getItem('beisitzer.hand')")
    assert '"11"' not in kept


def test_the_end_is_said_with_its_result(stage: Stage) -> None:
    device = seated(stage)
    place(stage, result=["Anna wins!", "Anna: 29 points"], undo="24")
    expect(device.page.locator(".verdict.win")).to_have_text("Anna wins!")
    expect(device.page.locator(".told")).to_contain_text("Anna: 29 points")
    expect(device.page.get_by_role("button", name="Take back: 24")).to_be_visible()
    expect(device.page.locator(".card, .option")).to_have_count(0)


def test_a_card_that_was_asked_about_stands_out_by_words_and_a_sign(stage: Stage) -> None:
    device = seated(stage)
    doubt = "Is card 13 right? All of them were played."
    place(stage, told=["Anna: stone on 29.", doubt], doubts=[doubt])
    expect(device.page.locator(".verdict.doubt")).to_have_text(doubt)
    expect(device.page.locator(".verdict.doubt svg")).to_have_count(1)


def test_an_unpaired_phone_has_no_hand(stage: Stage) -> None:
    device = stage.device(paired=False)
    device.open("/play")
    expect(device.page.get_by_role("link", name="Take part")).to_be_visible()
    expect(device.page.locator("[data-claim]")).to_have_count(0)
