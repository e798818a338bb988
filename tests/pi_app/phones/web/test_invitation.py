"""How one more phone comes in, small in a corner of the board page until two are paired."""

import io
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from pi_app.phones.web.app import invitation
from tests.pi_app.phones.web.browsers import PHONE, TABLET, TELEVISION
from tests.pi_app.phones.web.site import Site
from tests.pi_app.phones.web.stage import Stage

SIZES = (PHONE, (320, 568), (1024, 768), TABLET, TELEVISION)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", ["just4fun-free", "numeri-first-turn", "home-first"])
def test_the_board_page_shows_address_and_code_in_a_corner_until_two_phones_are_paired(
    stage: Stage, scene: str, size: tuple[int, int]
) -> None:
    stage.companion.invites = True
    stage.scene(scene)
    device = stage.device(size, paired=False)
    device.open()
    shown = device.page.get_by_role("img", name="How a phone comes in")
    shown.scroll_into_view_if_needed()
    device.page.wait_for_function("() => document.querySelector('.invitation').complete")
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("L")
    read = zxingcpp.read_barcodes(picture.resize((picture.width * 3, picture.height * 3)))
    assert [found.text for found in read] == [f"http://192.168.178.20:{stage.site.port}"]
    box = shown.bounding_box()
    assert box is not None
    assert box["width"] * box["height"] < size[0] * size[1] / 10
    stage.companion.invites = False
    stage.site.call(lambda: stage.companion.say(stage.companion.hello()))
    expect(shown).to_have_count(0)


@pytest.mark.parametrize("path", ["/keys", "/play", "/history"])
def test_pages_of_one_s_own_show_no_invitation(stage: Stage, path: str) -> None:
    stage.companion.invites = True
    stage.scene("just4fun-free")
    device = stage.device()
    device.open(path)
    expect(device.page.locator("img")).to_have_count(0)


def test_the_invitation_tells_the_address_and_no_code_that_lets_anybody_in(site: Site) -> None:
    reply = site.ask("GET", "/invitation.svg", cookie=None)
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "image/svg+xml"
    shown = re.sub("<.*?>", "", reply.data.decode())
    assert shown == f"192.168.178.20:{site.port}"
    assert not any(asked["kind"] != "who" for asked in site.companion.heard)


def test_without_a_network_the_invitation_is_empty() -> None:
    assert b"path" not in invitation("")
