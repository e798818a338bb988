"""How more phones come in: the table page shows the address, a paired phone the code as well."""

import io
import re
from itertools import product

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Locator, expect

from pi_app.phones.web.app import qr_code
from tests.pi_app.phones.client import Table, table
from tests.pi_app.phones.web.browsers import PHONE, TABLET, TELEVISION, Device
from tests.pi_app.phones.web.process import serving
from tests.pi_app.phones.web.site import Site
from tests.pi_app.phones.web.stage import Stage

SIZES = (PHONE, (320, 568), (1024, 768), TABLET, TELEVISION)
SHOWN = [
    ("just4fun-free", PHONE),
    ("numeri-first-turn", (320, 568)),
    ("just4fun-free", (1024, 768)),
    ("numeri-first-turn", TABLET),
    ("just4fun-free", TELEVISION),
]
"""By day each size once, each kind of page at sizes that differ most."""
AT_NIGHT = set(product(("just4fun-free", "numeri-first-turn"), SIZES)) - set(SHOWN)
"""Every other scene and size."""


def scanned(shown: Locator) -> list[str]:
    """Return what a camera reads of a QR code on a page."""
    shown.scroll_into_view_if_needed()
    shown.page.wait_for_function("() => document.querySelector('.invitation').complete")
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("L")
    found = zxingcpp.read_barcodes(picture.resize((picture.width * 3, picture.height * 3)))
    return [each.text for each in found]


def picture_of_address(stage: Stage, device: Device) -> tuple[Locator, FloatRect]:
    """Return the picture on the table page, which has the address, and where it is."""
    device.open()
    shown = device.page.get_by_role("img", name="How a phone comes in")
    assert scanned(shown) == [f"http://192.168.178.20:{stage.site.port}"]
    box = shown.bounding_box()
    assert box is not None
    return shown, box


@pytest.mark.parametrize(
    ("scene", "size"),
    [*SHOWN, *(pytest.param(*each, marks=pytest.mark.nightly) for each in sorted(AT_NIGHT))],
)
def test_the_table_page_shows_the_address_in_a_corner_until_two_phones_are_paired(
    stage: Stage, scene: str, size: tuple[int, int]
) -> None:
    stage.companion.invites = True
    stage.scene(scene)
    shown, box = picture_of_address(stage, stage.device(size, paired=False))
    assert box["width"] * box["height"] < size[0] * size[1] / 10
    stage.companion.invites = False
    stage.site.call(lambda: stage.companion.say(stage.companion.hello()))
    expect(shown).to_have_count(0)


@pytest.mark.parametrize(
    ("scene", "size", "least"),
    [
        ("home-first", TELEVISION, 350),
        ("system-phone-code", TELEVISION, 350),
        *(
            pytest.param("home-first", size, 140, marks=pytest.mark.nightly)
            for size in SIZES
            if size != TELEVISION
        ),
    ],
)
def test_where_nothing_is_played_a_page_shows_names_and_a_large_code(
    stage: Stage, scene: str, size: tuple[int, int], least: int
) -> None:
    """The second scene has secrets: the code for phones, which is nowhere on the page."""
    stage.scene(scene)
    device = stage.device(size, paired=False)
    _, box = picture_of_address(stage, device)
    assert min(box["width"], box["height"]) > least
    told = device.page.locator(".address")
    expect(told).to_contain_text(f"192.168.178.20:{stage.site.port}")
    expect(told).to_contain_text(f"beisitzer.local:{stage.site.port}")
    expect(device.page.locator("body")).not_to_contain_text("482 913")


@pytest.mark.parametrize("path", ["/keys", "/play", "/history"])
def test_pages_of_one_s_own_show_no_invitation(stage: Stage, path: str) -> None:
    stage.companion.invites = True
    stage.scene("just4fun-free")
    device = stage.device()
    device.open(path)
    expect(device.page.locator("img")).to_have_count(0)


def test_the_picture_has_the_code_that_is_asked_for_and_never_asks_the_table(site: Site) -> None:
    for query, wanted in (("", ""), ("?482913", "/pair#482913"), ("?<b>", ""), ("?4829131", "")):
        reply = site.ask("GET", f"/invitation.svg{query}", cookie=None)
        assert reply.status == 200
        assert reply.headers["Content-Type"] == "image/svg+xml"
        assert reply.data == qr_code(f"http://192.168.178.20:{site.port}{wanted}")
    assert not any(asked["kind"] != "who" for asked in site.companion.heard)


def count(opened: Table, phone: Device, words: str) -> None:
    """Wait until the table and a phone say how many phones are in."""
    opened.see(lambda frame: words in frame.body.lines)
    expect(phone.page.locator("main [role=status]")).to_have_text(f"{words}.")


def test_a_paired_phone_lets_everybody_in_with_the_code_that_the_table_shows_too(
    browser: Browser,
) -> None:
    with table(new_game=True) as opened, serving(opened.path) as (_, url):
        token = opened.pairing.pair(opened.pairing.show_code(), "Chrome")
        opened.pairing.hide_code()
        first = Device(browser, url, PHONE, cookie=f"beisitzer={token}")
        first.open("/more")
        first.page.get_by_role("link", name="Let everybody in").click()
        digits = first.page.locator(".big")
        expect(digits).to_have_text(re.compile(r"\d{3} \d{3}"))
        code = opened.pairing.code
        expect(digits).to_have_text(f"{code[:3]} {code[3:]}")
        opened.press("MENU_HELD")
        opened.see(lambda frame: frame.body.big.replace(" ", "") == code)
        for words in ("1 is in", "2 are in"):
            other = Device(browser, url)
            other.page.goto(f"{url}/pair#{code}")
            other.page.wait_for_url("**/play")
            count(opened, first, words)
            other.close()
        opened.do(opened.pairing.hide_code)
        opened.do(opened.pairing.changed)
        expect(first.page.locator("main [role=status]")).to_have_text("The code is over.")
        first.page.get_by_role("button", name="A new code").click()
        expect(digits).to_be_visible()
        assert opened.pairing.code not in ("", code)
        first.close()
