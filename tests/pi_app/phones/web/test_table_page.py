"""The table in a browser: everything that a frame says, live, in the table's words and colours."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from pi_app.view.frame import (
    Alert,
    Board,
    Body,
    Curve,
    Extras,
    Frame,
    Header,
    Played,
    Seat,
    Tone,
    Viewers,
)
from tests.pi_app.phones.web.browsers import PHONE, TABLET, TELEVISION
from tests.pi_app.phones.web.layout import resize
from tests.pi_app.phones.web.stage import Stage

BOARDS = (
    "just4fun-blocked",
    "just4fun-row",
    "just4fun-secured",
    "numeri-choose",
    "sequence-twelve-players",
    "einmaleins-announced",
    "history-points",
    "course-open",
    "course-hands",
)
DARK, LIGHT = "rgb(17, 21, 28)", "rgb(222, 217, 206)"


@pytest.mark.parametrize("name", BOARDS)
def test_the_table_shows_every_player_every_field_and_every_word_at_every_size(
    stage: Stage, name: str
) -> None:
    frame = stage.scene(name)
    device = stage.device(TABLET)
    device.open()
    device.title(frame.header.title)
    assert "[object" not in device.page.locator("body").inner_text()
    main = device.page.locator("main")
    words = [
        *frame.body.without_counts().lines,
        *(part for seat in frame.extras.seats for part in (seat.name, seat.note)),
    ]
    words += [frame.body.entry.verdict, frame.body.entry.text] if frame.body.entry else []
    for word in words:
        expect(main).to_contain_text(re.sub("[♠♥♦♣]", "\\g<0>\ufe0e", word))
    if frame.board.picture is not None:
        cells = [cell for cell in frame.board.picture.cells if cell.name]
        expect(main.locator(".board > [aria-label]")).to_have_count(len(cells))
        stones = sum(min(token.count, 3) for cell in cells for token in cell.tokens)
        expect(main.locator('.board > [role="img"] > g')).to_have_count(stones)
    if frame.board.curves:
        expect(main.locator(".chart polyline")).to_have_count(2 * len(frame.board.curves))
        bands = [curve for curve in frame.board.curves if curve.spreads]
        expect(main.locator(".chart .band")).to_have_count(len(bands))
        turns = [move for curve in frame.board.curves for move in curve.turns]
        expect(main.locator(".chart .ring")).to_have_count(len(turns))
    for size in (PHONE, (800, 360), TABLET, TELEVISION):
        resize(device.page, size)
        for box in ("html", "main"):
            over = device.page.locator(box).evaluate("box => box.scrollWidth - box.clientWidth")
            assert over <= 0, f"something is wider than {size}"
        seen = device.page.locator(".stage svg").bounding_box()
        assert seen is not None
        assert seen["width"] <= size[0]
        assert seen["height"] <= size[1]


def test_the_score_on_a_television_is_read_from_two_metres(stage: Stage) -> None:
    """Letters of 6 mm are read from two metres; 32 inches have 0.37 mm a pixel."""
    stage.scene("just4fun-blocked")
    device = stage.device(TELEVISION, paired=False)
    device.open()
    for part, least in (("h1 span", 40), (".seat strong", 40), (".seat b", 24), (".verdict", 24)):
        size = device.page.locator(part).first.evaluate("e => getComputedStyle(e).fontSize")
        assert float(size.removesuffix("px")) >= least, part


def test_a_player_called_script_is_a_name_and_nothing_else(stage: Stage) -> None:
    evil = "<script>window.caught=1</script>"
    worse = "<img src=x onerror=window.caught=2>"
    seats = (Seat(evil, "yellow", "Y", "<b>1", worse, to_move=True), Seat(worse, "red", "<"))
    frame = Frame(
        Header(evil, "yellow"),
        Body(lines=(worse,)),
        board=Board(curves=(Curve(worse, "red", (0, 3)),)),
        extras=Extras(seats=seats, moves=(Played(evil, worse),), details=(evil,)),
        alert=Alert(worse, Tone.BAD),
        viewers=Viewers.ALL,
    )
    stage.frame(frame)
    for path in ("/", "/keys"):
        device = stage.device()
        device.open(path)
        expect(device.page.locator("main h1")).to_contain_text(evil)
        expect(device.page.locator(".seat").first).to_contain_text(worse)
        assert device.page.evaluate("() => window.caught") is None
        assert device.page.locator("script[src]").count() == 1
        assert device.page.locator("img:not(.invitation)").count() == 0


def test_a_frame_is_followed_and_what_was_there_goes(stage: Stage) -> None:
    frame = stage.scene("just4fun-blocked")
    device = stage.device(paired=False)
    device.open()
    expect(device.page.locator(".verdict")).to_contain_text("29 blocked")
    stage.frame(
        replace(
            frame,
            header=replace(frame.header, title="Ben", colour="red"),
            body=replace(frame.body, entry=None),
        )
    )
    device.title("Ben")
    expect(device.page.locator(".verdict")).to_have_count(0)


def test_who_listens_hears_whose_turn_it_is_and_the_verdict(stage: Stage) -> None:
    stage.scene("just4fun-blocked")
    device = stage.device(paired=False)
    device.open()
    heard = "Anna. 5+11+13. no. 29 blocked: Ben leads by 2"
    expect(device.page.locator("#aloud")).to_have_text(heard)
    board = device.page.get_by_role("group", name="Board")
    expect(
        board.get_by_role("img", name="29, Ben ×2, blocked, secured", exact=True)
    ).to_be_visible()


def test_a_hand_on_the_screen_is_not_shown(stage: Stage) -> None:
    stage.scene("just4fun-hand")
    device = stage.device(paired=False)
    device.open()
    expect(device.page.locator("main p")).to_have_text(
        "Only who sits at the table sees what is on the screen now."
    )
    expect(device.page.get_by_role("link", name="Take part")).to_be_visible()


def test_the_pages_speak_the_table_s_language_as_soon_as_it_changes(stage: Stage) -> None:
    stage.scene("just4fun-blocked")
    device = stage.device(paired=False)
    device.open()
    expect(device.page.locator("nav")).to_contain_text("More")
    stage.scene("just4fun-blocked", "de")
    expect(device.page.locator("nav")).to_contain_text("Mehr")
    expect(device.page.locator("html")).to_have_attribute("lang", "de")
    expect(device.page.locator(".verdict")).to_contain_text("29 gesperrt")


@pytest.mark.parametrize(
    ("path", "theme", "light", "ground"),
    [
        ("/", "dark", True, DARK),
        ("/", "light", False, LIGHT),
        ("/keys", "dark", True, LIGHT),
        ("/keys", "light", False, DARK),
    ],
)
def test_the_table_has_its_own_theme_and_a_phone_that_of_its_owner(
    stage: Stage, path: str, theme: str, light: bool, ground: str
) -> None:
    stage.companion.theme = theme
    stage.scene("just4fun-blocked")
    device = stage.device(light=light)
    device.open(path)
    expect(device.page.locator("body")).to_have_css("background-color", ground)


def test_a_table_by_the_time_of_day_is_light_by_day(stage: Stage) -> None:
    stage.companion.theme = "day"
    stage.scene("just4fun-blocked")
    device = stage.device(paired=False)
    device.page.clock.set_fixed_time("2026-11-22T12:00:00")
    device.open()
    expect(device.page.locator("body")).to_have_css("background-color", LIGHT)
    device.page.clock.set_fixed_time("2026-11-22T22:00:00")
    stage.scene("just4fun-free")
    expect(device.page.locator("body")).to_have_css("background-color", DARK)


def test_a_page_that_slept_shows_what_is_now(stage: Stage) -> None:
    frame = stage.scene("just4fun-blocked")
    device = stage.device(paired=False)
    device.open()
    device.title("Anna")
    device.freeze()
    stage.frame(replace(frame, header=replace(frame.header, title="Ben")))
    device.wake()
    device.title("Ben")
    device.live()


def test_the_small_numbers_of_a_secured_field_stay_clear_of_its_frame(stage: Stage) -> None:
    stage.scene("just4fun-secured")
    device = stage.device()
    device.open()
    fields = device.page.get_by_role("img", name=re.compile("secured"))
    expect(fields.first).to_be_visible()
    touching = fields.evaluate_all(
        """(fields) => fields.flatMap((field) => {
        const frame = field.querySelector("rect[fill=none]");
        const half = frame.getAttribute("stroke-width") / 2;
        const { x, y, width, height } = frame.getBBox();
        return [...field.querySelectorAll(":scope > text")].filter((text) => {
          const box = text.getBBox();
          return box.x < x + half + 2 || box.x + box.width > x + width - half - 2;
        }).map((text) => text.textContent); })"""
    )
    assert not touching
