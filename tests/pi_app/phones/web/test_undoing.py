"""Nothing that takes back comes under a finger within a second of a touch, on no page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from pi_app.phones.frames import picture_data
from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS, PLACE, PLAYED, TAKEN
from tests.pi_app.phones.web.layout import drawn
from tests.pi_app.phones.web.stage import Stage

UNDOES = "[data-undo],[data-undoes],[data-drop],[data-release],[data-over],[data-key=BACK_HELD]"
POINTS = """() => [
  ...document.querySelectorAll("main button:not([data-add])"),
  ...[...document.querySelectorAll("main [data-tap], [data-add]")].filter((_, at) => at % 9 === 0),
].map((each) => each.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
  .filter(([x, y]) => document.elementFromPoint(x, y)?.closest("main"))"""
"""The middles of buttons, and of every ninth of many equal ones."""
TOUCH = """([x, y]) => document.body.dispatchEvent(
  new MouseEvent("click", { clientX: x, clientY: y, detail: 1, bubbles: true }))"""
UNDER = """([[x, y], undoes]) => [...document.querySelectorAll(undoes)].filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const there = left <= x && x <= right && top <= y && y <= bottom;
  return there && each.checkVisibility({ visibilityProperty: true });
}).map((each) => each.textContent)"""
WAITS = "() => document.querySelectorAll('main [style*=hidden]').length"
UPRIGHT, LYING = (360, 800), (844, 390)
HANDS = (
    ("numeri-first-turn", "numeri-moved", None, UPRIGHT),
    ("numeri-first-turn", "numeri-moved", None, LYING),
    ("just4fun-free", "just4fun-after-move", 4, LYING),
    ("sequence-first-turn", "sequence-after-move", 7, UPRIGHT),
    ("einmaleins-first-turn", "einmaleins-drawn", 3, LYING),
)
KEYS = (
    ("numeri-first-turn", "numeri-moved", UPRIGHT),
    ("just4fun-free", "just4fun-after-move", LYING),
    ("just4fun-after-move", "just4fun-menu", UPRIGHT),
)
BEFORE = {**PLACE, "told": PLAYED["told"]}
"""What a player sees after somebody else's move, which has as many sentences as the own one."""
Show = Callable[[], None]


def touch_everywhere(device: Device, before: Show, after: Show) -> int:
    """Touch whatever can be touched; fail where what follows can be taken back by touching again.

    Return how often something that takes back waited for that.
    """
    # no time passes on the page until the test says so
    device.page.clock.install(time=0)
    device.page.clock.pause_at(1_000)
    before()
    points: list[list[float]] = device.page.evaluate(POINTS)
    found, waited = [], 0
    assert points
    for point in points:
        before()
        device.page.evaluate(TOUCH, point)
        after()
        found += device.page.evaluate(UNDER, [point, UNDOES])
        waited += device.page.evaluate(WAITS)
    assert not found
    return waited


@pytest.mark.parametrize(("scene", "other", "holds", "size"), HANDS)
def test_after_no_touch_of_a_hand_s_page_is_a_take_back_under_the_finger(
    stage: Stage, scene: str, other: str, holds: int | None, size: tuple[int, int]
) -> None:
    device = stage.device(size)

    def show(name: str, place: dict[str, Any]) -> Show:
        def act() -> None:
            picture = picture_data(stage.scene(name).board.picture)
            own = {**TAKEN[0], "holds": holds, "place": {**place, "picture": picture}}
            stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own]}
            stage.scene(name)
            expect(device.page.locator("main")).to_have_attribute("data-moves", str(place["moves"]))

        return act

    stage.companion.answers |= ANSWERS
    stage.scene(scene)
    device.open("/play")
    waited = touch_everywhere(device, show(scene, BEFORE), show(other, PLAYED))
    assert waited or scene != "numeri-first-turn", "the first die is where the take-back comes"
    device.page.clock.run_for(1_000)
    expect(device.page.locator("[data-undo]")).to_be_visible()
    assert device.page.evaluate(WAITS) == 0


@pytest.mark.parametrize(("scene", "other", "size"), KEYS)
def test_after_no_touch_of_the_keys_is_a_take_back_under_the_finger(
    stage: Stage, scene: str, other: str, size: tuple[int, int]
) -> None:
    device = stage.device(size)

    def show(name: str) -> Show:
        def act() -> None:
            stage.scene(name)
            drawn(device, stage.site.call(lambda: stage.companion._n))

        return act

    stage.scene(scene)
    device.open("/keys")
    touch_everywhere(device, show(scene), show(other))


def test_a_double_touch_on_a_die_takes_nothing_back(stage: Stage) -> None:
    option = {**ANSWERS["hand"]["options"][1], "token": "1:1", "cell": "1", "uses": ["1"]}
    stage.companion.answers |= {**ANSWERS, "hand": {**ANSWERS["hand"], "options": [option]}}
    stage.companion.answers["undo"] = {"ok": True, "shown": 1}
    own = {**TAKEN[0], "holds": None, "place": BEFORE}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [own]}
    stage.scene("numeri-first-turn")
    device = stage.device()
    device.open("/play")
    die = device.page.locator('[data-roll="1"]')
    box = die.bounding_box()
    assert box is not None
    device.page.clock.install(time=0)
    device.page.clock.pause_at(1_000)
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    device.page.mouse.click(*at)
    stage.site.wait_for(lambda: stage.companion.played == ["1:1"])
    played = {**own, "to_move": False, "place": PLAYED}
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": [played]}
    stage.scene("numeri-moved")
    undo = device.page.locator("[data-undo]")
    expect(undo).to_have_count(1)
    device.page.mouse.click(*at)
    device.page.clock.run_for(1_000)
    expect(undo).to_be_visible()
    undo.click()
    stage.site.wait_for(lambda: stage.companion.requests("undo"))
    device.page.wait_for_function("() => !JSON.parse(localStorage['beisitzer.row']).row.length")
    assert len(stage.requests("undo")) == 1
