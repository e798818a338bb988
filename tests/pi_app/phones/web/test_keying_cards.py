"""The picker that keys the cards of a hand: what it offers, and how large its buttons are."""

import pytest
from playwright.sync_api import expect

from pi_app.phones.frames import picture_data
from tests.pi_app.phones.web.browsers import PHONE, Device
from tests.pi_app.phones.web.canned import ANSWERS, LEGAL, PLACE, TAKEN
from tests.pi_app.phones.web.stage import SCENES, Stage
from tests.pi_app.pilot import Pilot

pytestmark = pytest.mark.usefixtures("canned")


def picking(
    stage: Stage, scene: str, *, holds: int, free: int = 0, size: tuple[int, int] = PHONE
) -> Device:
    """Return a phone on which Anna begins to key a hand of so many cards."""
    stage.scene(scene)
    game = Pilot.scene(SCENES[scene], "en").frame.board.picture
    own = {**TAKEN[0], "holds": holds, "place": {**PLACE, "picture": picture_data(game)}}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own], "free": free}
    device = stage.device(size)
    device.open("/play")
    device.page.locator(".picker").wait_for()
    return device


def boxes(device: Device, query: str) -> list[tuple[int, int]]:
    """Return the top and the width of all that a query finds, in whole pixels."""
    found = [each.bounding_box() for each in device.page.locator(query).all()]
    return [(round(box["y"]), round(box["width"])) for box in found if box is not None]


def test_a_hand_of_sequence_is_keyed_by_rank_and_suit(stage: Stage) -> None:
    stage.scene("sequence-first-turn")
    device = picking(stage, "sequence-first-turn", holds=7)
    device.page.locator('[data-rank="Q"]').click()
    device.page.get_by_role("button", name="hearts").click()
    expect(device.page.locator(".card")).to_have_text("Qhearts")
    stage.site.wait_for(lambda: any(each.get("cards") == "QH" for each in stage.companion.heard))


def test_both_free_cards_of_einmaleins_are_keyed_and_the_picker_goes_with_the_last_card(
    stage: Stage,
) -> None:
    device = picking(stage, "einmaleins-first-turn", holds=3, free=2)
    free = device.page.get_by_role("button", name="free card").and_(
        device.page.locator("[data-add]")
    )
    free.click()
    free.click()
    expect(free).to_be_disabled()
    expect(device.page.locator(".card")).to_have_text(["*free card", "*free card"])
    device.page.locator('[data-add="12"]').click()
    expect(device.page.locator(".card")).to_have_count(3)
    expect(device.page.locator(".picker")).to_have_count(0)
    stage.site.wait_for(
        lambda: any(each.get("cards") == "* * 12" for each in stage.companion.heard)
    )


def test_einmaleins_shows_its_numbers_once_to_key_cards_or_to_play_them(stage: Stage) -> None:
    option = {**LEGAL, "token": "12=3x4", "text": "12 = 3×4", "cell": "12", "uses": ["12"]}
    stage.companion.answers["hand"] = {**ANSWERS["hand"], "options": [option]}
    device = picking(stage, "einmaleins-first-turn", holds=3)
    page = device.page
    expect(page.locator(".board [aria-label^='12']")).to_have_count(0)
    page.locator('[data-add="12"]').click()
    expect(page.locator(".to-do")).to_have_text("Still to tap: 2")
    page.locator(".card").click()
    expect(page.locator("[data-add]")).to_have_count(0)
    page.locator('[data-tap="12"]').click()
    stage.site.wait_for(lambda: stage.companion.played == ["12=3x4"])


def test_a_number_of_einmaleins_is_keyed_once_and_no_free_card_where_the_deck_has_none(
    stage: Stage,
) -> None:
    device = picking(stage, "einmaleins-first-turn", holds=3)
    expect(device.page.locator('[data-add="*"]')).to_have_count(0)
    device.page.locator('[data-add="12"]').click()
    expect(device.page.locator('[data-add="12"]')).to_be_disabled()


def test_a_full_hand_of_sequence_has_no_picker_and_a_card_drawn_brings_it_back(
    stage: Stage,
) -> None:
    device = picking(stage, "sequence-first-turn", holds=2)
    for rank, suit in (("Q", "H"), ("2", "S")):
        device.page.locator(f'[data-rank="{rank}"]').click()
        device.page.locator(f'[data-suit="{suit}"]').click()
    expect(device.page.locator(".card")).to_have_count(2)
    expect(device.page.locator(".picker")).to_have_count(0)
    own = {**TAKEN[0], "holds": 3}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own], "free": 0}
    stage.scene("sequence-after-move")
    expect(device.page.locator(".picker")).to_have_count(1)


@pytest.mark.parametrize("size", [(320, 568), (844, 390)])
def test_the_suits_are_four_equal_buttons_in_a_row_of_their_own(
    stage: Stage, size: tuple[int, int]
) -> None:
    device = picking(stage, "sequence-first-turn", holds=7, size=size)
    suits, ranks = boxes(device, "[data-suit]"), boxes(device, "[data-rank]")
    assert len(suits) == 4
    assert len({(top, width) for top, width in suits}) == 1
    assert max(top for top, _ in ranks) < suits[0][0]
    assert len({width for _, width in ranks}) == 1
    assert all(44 <= width <= 100 for _, width in suits + ranks)


@pytest.mark.parametrize(
    ("scene", "size"),
    [
        ("just4fun-free", (320, 568)),
        ("just4fun-free", (1024, 768)),
        ("einmaleins-first-turn", (390, 844)),
        ("einmaleins-first-turn", (844, 390)),
    ],
)
def test_no_number_s_button_is_stretched(stage: Stage, scene: str, size: tuple[int, int]) -> None:
    device = picking(stage, scene, holds=4, size=size)
    widths = {width for _, width in boxes(device, "[data-add]")}
    assert len(widths) == 1
    assert 44 <= widths.pop() <= 100
