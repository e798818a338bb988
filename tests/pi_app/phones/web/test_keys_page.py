"""Keys in a browser: touched, held, typed; each acts once, whatever becomes of its answer."""

import pytest
from playwright.sync_api import Route, expect

from hardware.keys import Key
from pi_app.phones.frames import frame_data
from pi_app.view.frame import Body, Choices, Frame, Header, KeySet, SoftKey, Viewers
from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.stage import SCENES, Stage
from tests.pi_app.pilot import frame_of


def keyed(stage: Stage, count: int) -> list[object]:
    """Return what the companion acted on, once it is so much."""
    stage.site.wait_for(lambda: len(stage.companion.played) >= count)
    return stage.site.call(lambda: list(stage.companion.played))


def pad(stage: Stage, scene: str = "just4fun-free") -> Device:
    """Return a paired phone with the keys of a scene."""
    stage.scene(scene)
    device = stage.device()
    device.open("/keys")
    return device


def held_back(device: Device, times: int, *, acted: bool) -> list[str]:
    """Lose that many answers to keys, with or without the key having come; return their bodies."""
    lost: list[str] = []

    def route(each: Route) -> None:
        if len(lost) >= times:
            each.continue_()
            return
        lost.append(each.request.post_data or "")
        if acted:
            each.fetch()
        each.abort()

    device.page.route("**/api/key", route)
    return lost


def test_a_touched_key_arrives_and_is_marked_until_it_is_answered(stage: Stage) -> None:
    device = pad(stage)
    device.key("5", "STAR", "ENTER")
    assert keyed(stage, 3) == ["5", "STAR", "ENTER"]
    device.settled()
    expect(device.page.locator(".sent")).to_have_count(0)


def test_the_keys_say_what_they_do_now(stage: Stage) -> None:
    device = pad(stage, "just4fun-blocked")
    expect(device.page.locator('[data-key="BACK"]')).to_have_text("Cdelete")
    expect(device.page.get_by_role("button", name="C delete")).to_be_visible()
    expect(device.page.locator(".keypad button")).to_have_count(16)


def test_only_the_dice_that_mean_something_are_lit(stage: Stage) -> None:
    device = pad(stage, "numeri-first-turn")
    lit = device.page.locator(".die.lit")
    assert lit.count() in range(1, 7)
    lit.first.click()
    assert [str(key)[:3] for key in keyed(stage, 1)] == ["DIE"]


@pytest.mark.parametrize("scene", ["just4fun-after-move", "numeri-moved"])
def test_what_c_does_when_held_is_a_touch_here_and_is_never_done_by_a_second_one(
    stage: Stage, scene: str
) -> None:
    device = pad(stage, scene)
    undo = device.page.locator("[data-key]", has_text="undo")
    expect(undo).to_have_text("Cundo")
    undo.click()
    assert keyed(stage, 1) == ["BACK_HELD"]
    stage.scene("just4fun-free")
    device.key("BACK")
    assert keyed(stage, 2) == ["BACK_HELD", "BACK"]


def test_a_row_is_taken_by_touch_with_its_digits_or_where_it_has_none_by_steps(
    stage: Stage,
) -> None:
    cases: list[tuple[Choices, int, list[object]]] = [
        (Choices(("a", "b", "c"), 0), 2, ["3"]),
        (Choices(tuple("abcdefghijkl"), 0), 0, ["1", "ENTER"]),
        (Choices(tuple("abcdefghijkl"), 0), 11, ["1", "2"]),
        (Choices(tuple("abcdefghij"), 4), 9, ["0"]),
        (Choices(("a", "b", "c", "d"), 3, numbered=False), 1, ["UP", "UP", "ENTER"]),
    ]
    device = pad(stage)
    wanted: list[object] = []
    for number, (choices, chosen, expected) in enumerate(cases):
        title = f"List {number}"
        stage.frame(Frame(Header(title), Body(choices=choices), viewers=Viewers.ALL))
        device.title(title)
        device.page.locator(f'[data-choose="{chosen}"]').click()
        wanted += expected
        assert keyed(stage, len(wanted)) == wanted
        device.settled()


def test_a_touched_field_is_a_tap(stage: Stage) -> None:
    device = pad(stage)
    device.page.locator('[data-tap="36"]').click()
    assert keyed(stage, 1) == [{"tap": "36"}]


def test_tab_enter_and_space_are_enough(stage: Stage) -> None:
    device = pad(stage)
    device.page.locator('[data-key="4"]').focus()
    for key in ("Tab", "Space", "Tab", "Enter"):
        device.page.keyboard.press(key)
    field = device.page.locator("[data-tap][tabindex='0']").first
    field.focus()
    device.page.keyboard.press("Enter")
    assert keyed(stage, 3) == ["5", "6", {"tap": field.get_attribute("data-tap")}]


def test_enter_on_a_link_follows_the_link(stage: Stage) -> None:
    device = pad(stage)
    device.page.locator('nav a[href="/play"]').focus()
    device.page.keyboard.press("Enter")
    device.page.wait_for_url("**/play")
    assert not stage.companion.played


def test_a_name_is_typed_with_the_phone_s_keyboard(stage: Stage) -> None:
    """The first touch selects the name that was there; one request sends the new one."""
    stage.table("home-name")
    device = stage.device()
    device.open("/keys")
    field = device.page.locator("#name")
    expect(field).to_have_value("Anna")
    field.tap()
    device.page.keyboard.type("Annalena-Zoß ♥")
    assert not stage.companion.played
    field.press("Enter")
    expect(field).to_have_count(0)
    assert stage.companion.played == [{"text": "Annalena-Zoß ♥"}]
    expect(device.page.locator("main")).to_contain_text("Annalena-Zoß")


def test_a_text_of_which_every_character_counts_is_typed_as_it_is(stage: Stage) -> None:
    stage.table("system-text")
    device = stage.device()
    device.open("/keys")
    field = device.page.locator("#name")
    expect(field).to_have_value("aA")
    field.fill("q{Ü~2")
    device.key("ENTER")
    stage.site.wait_for(lambda: stage.companion.played == [{"text": "q{Ü~2"}])


def test_esc_leaves_a_name(stage: Stage) -> None:
    stage.scene("home-name")
    device = stage.device()
    device.open("/keys")
    device.page.locator("#name").press("Escape")
    assert keyed(stage, 1) == ["BACK_HELD"]


def test_a_name_has_one_box_and_no_page_says_how_digits_write_letters(stage: Stage) -> None:
    stage.scene("home-name")
    for path, paired in (("/keys", True), ("/", True), ("/", False)):
        device = stage.device(paired=paired)
        device.open(path)
        for language in ("de", "en"):
            frame = stage.scene("home-name", language)
            assert frame.body.lines
            device.title(frame.header.title)
            expect(device.page.locator(".keyed, #name")).to_have_count(1)
            for line in frame.body.lines:
                expect(device.page.locator("body")).not_to_contain_text(line)


def test_what_is_wrong_with_a_name_is_said_beside_its_box(stage: Stage) -> None:
    stage.table("home-name")
    device = stage.device()
    device.open("/keys")
    device.page.locator("#name").fill("A name that is far too long")
    device.key("ENTER")
    expect(device.page.locator(".verdict")).to_contain_text("at most 16 characters")


@pytest.mark.parametrize("mine", [True, False])
def test_a_hand_that_this_phone_asked_for_is_seen_at_its_own_place(
    stage: Stage, mine: bool
) -> None:
    device = pad(stage)
    hand = frame_data(frame_of(SCENES["just4fun-hand"], "en"), "just4fun")
    if mine:
        stage.companion.table = lambda _: hand
        device.key("1")
        device.page.wait_for_url("**/play")
    else:
        stage.site.call(lambda: stage.companion.show(**hand))
        expect(device.page.locator("main")).to_contain_text("Only who sits at the table")


def test_an_unpaired_phone_looks_and_cannot_key(stage: Stage) -> None:
    stage.scene("just4fun-free")
    device = stage.device(paired=False)
    device.open("/keys")
    expect(device.page.get_by_role("link", name="Take part")).to_be_visible()
    expect(device.page.locator("[data-key]")).to_have_count(0)
    expect(device.page.locator("[data-tap]")).to_have_count(0)
    assert not stage.companion.played


@pytest.mark.parametrize("acted", [True, False])
def test_a_key_whose_answer_is_lost_is_repeated_and_acts_once(stage: Stage, acted: bool) -> None:
    device = pad(stage)
    lost = held_back(device, 2, acted=acted)
    device.key("5", "7")
    device.settled()
    assert keyed(stage, 2) == ["5", "7"]
    assert len(set(lost)) == 1, "the same number until it is answered"


def test_a_key_on_its_way_outlives_a_reload(stage: Stage) -> None:
    device = pad(stage)
    lost = held_back(device, 1_000, acted=True)
    device.key("5")
    device.page.wait_for_function("() => localStorage.getItem('beisitzer.row').includes('\"5\"')")
    stage.site.wait_for(lambda: len(lost) > 0)
    device.page.unroute_all(behavior="wait")
    device.page.reload()
    device.settled()
    device.key("7")
    assert keyed(stage, 2) == ["5", "7"]


def test_two_tabs_of_a_browser_share_one_row(stage: Stage) -> None:
    device = pad(stage)
    other = device.context.new_page()
    other.goto(stage.url + "/keys")
    expect(other.locator(".keypad")).to_be_visible()
    for page, key in ((device.page, "1"), (other, "2"), (device.page, "3"), (other, "4")):
        page.locator(f'[data-key="{key}"]').click()
        device.settled()
    assert keyed(stage, 4) == ["1", "2", "3", "4"]


def test_what_another_tab_left_in_the_row_is_sent_by_the_one_that_sees_it(stage: Stage) -> None:
    device = pad(stage)
    other = device.context.new_page()
    other.goto(stage.url + "/pair")
    other.evaluate("""() => localStorage.setItem("beisitzer.row", JSON.stringify({last: 1, row: [
        {n: 1, at: Date.now(), epoch: "e1", path: "/api/key", body: {key: "5", seen: 0}},
    ]}))""")
    assert keyed(stage, 1) == ["5"]
    device.settled()


def test_a_tab_that_only_draws_leaves_the_row_alone(stage: Stage) -> None:
    """What it knows of the row may be older than what the tab with the keys has written."""
    device = pad(stage)
    other = device.context.new_page()
    other.goto(stage.url + "/keys")
    expect(other.locator(".keypad")).to_be_visible()
    other.evaluate("""() => {
        window.written = 0;
        Storage.prototype.setItem = () => { window.written += 1; };
    }""")
    device.key("5")
    device.settled()
    expect(other.locator("main h1")).to_contain_text("key 5")
    assert other.evaluate("() => window.written") == 0


def test_a_companion_started_anew_drops_what_was_not_confirmed_and_says_so(stage: Stage) -> None:
    device = pad(stage)
    held_back(device, 1_000, acted=False)
    device.key("5")
    stage.companion.epoch = "e2"
    stage.site.call(lambda: stage.companion.say(stage.companion.hello()))
    expect(device.page.locator("#notice")).to_contain_text("Not confirmed: 5.")
    device.page.unroute_all(behavior="wait")
    device.settled()
    device.key("7")
    assert keyed(stage, 1) == ["7"]


def test_a_key_without_an_answer_for_a_minute_does_not_act_any_more(stage: Stage) -> None:
    device = pad(stage)
    held_back(device, 1_000, acted=False)
    device.page.clock.install()
    device.key("5")
    device.page.clock.fast_forward(61_000)
    expect(device.page.locator("#notice")).to_contain_text("Not confirmed: 5.")
    device.page.unroute_all(behavior="wait")
    assert not stage.companion.played


def test_a_refused_key_says_why(stage: Stage) -> None:
    device = pad(stage)
    stage.companion.answers["key"] = {"error": "old", "text": "That was keyed too late."}
    device.key("5")
    expect(device.page.locator("#notice")).to_have_text("That was keyed too late.")
    device.settled()


def test_where_digits_mean_nothing_the_soft_keys_stand_alone_with_a_way_out(stage: Stage) -> None:
    keys = (SoftKey(Key.ENTER, "go"), SoftKey(Key.DOWN, "more", scrolls=True))
    stage.frame(
        Frame(
            Header("List"),
            Body(choices=Choices(("a", "b"))),
            keys=KeySet(keys),
            viewers=Viewers.ALL,
        )
    )
    device = stage.device()
    device.open("/keys")
    expect(device.page.locator("[data-key]")).to_have_text(["#go", "Cback", "Dmenu"])
