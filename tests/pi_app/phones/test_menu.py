"""System, Phone: switched on, a browser let in by a code to read or to scan, forgotten again."""

from collections.abc import Callable
from dataclasses import replace

import pygame
import pytest
import zxingcpp
from PIL import Image

from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.displays.terminal_chart import code_rows
from pi_app.displays.window.code import paint_code
from pi_app.phones.pairing import GUESS_LIMIT
from pi_app.phones.protocol import WebSettings
from pi_app.view.frame import Alert
from tests.pi_app.pilot import Pilot, choices_of

WRITTEN = "http://192.168.178.20:8080/pair#482913"


def phones(*, on: bool = True) -> Pilot:
    """Return a pilot that shows System, Phone."""
    pilot = Pilot()
    pilot.ctx.settings = pilot.ctx.settings.plus(WebSettings(enabled=on))
    pilot.choose("System", "Phone")
    return pilot


def pairing() -> Pilot:
    """Return a pilot that shows address and code."""
    pilot = phones()
    pilot.choose("Let everybody in")
    return pilot


def let_in(pilot: Pilot, name: str) -> None:
    assert isinstance(pilot.pairing.pair("482913", name), str)
    pilot.program.show()


def test_phones_are_switched_on_at_the_table_and_it_is_kept() -> None:
    pilot = phones(on=False)
    kept: list[tuple[str, object]] = []
    pilot.ctx.save = lambda key, value: kept.append((key, value))
    assert choices_of(pilot.frame).items == ("Phones: off", "Let everybody in", "Paired phones: 0")
    frame = pilot.choose("Let everybody in")
    assert frame.body.lines == ("Switch phones on first.",)
    frame = pilot.choose("off")
    assert choices_of(frame).items == ("Phones: on", "Let everybody in", "Paired phones: 0")
    assert kept == [("web.enabled", True)]


def test_the_code_stands_beside_the_address_and_no_page_shows_it() -> None:
    frame = pairing().frame
    assert frame.body.big == "482 913"
    assert frame.body.lines == ("192.168.178.20:8080",)
    assert frame.extras.details == ("beisitzer.local:8080",)
    assert frame.secret


def test_one_code_lets_everybody_in_and_counts_them() -> None:
    pilot = pairing()
    seen = []
    for name in ("Anna", "Ben", "Cleo"):
        let_in(pilot, name)
        seen.append(pilot.frame.body.lines[1])
    assert seen == ["1 is in", "2 are in", "3 are in"]
    assert pilot.frame.body.big == "482 913"
    assert pilot.wait(119).body.big == "482 913"
    assert pilot.wait(1).body.big == ""


def test_no_code_is_on_show_before_a_phone_could_open_the_page() -> None:
    pilot = phones()
    served = False
    pilot.pairing.is_served = lambda: served
    frame = pilot.choose("Let everybody in")
    assert (frame.body.big, frame.board.code, frame.body.lines) == ("", (), ("A moment ...",))
    assert pilot.wait(500).body.big == ""
    assert not pilot.pairing.code
    served = True
    assert pilot.wait(1).body.big == "482 913"
    assert pilot.wait(118).body.big == "482 913", "its two minutes begin when it is shown"


def test_on_an_appliance_the_address_needs_no_port() -> None:
    pilot = phones()
    pilot.ctx.appliance = True
    assert pilot.choose("Let everybody in").body.lines == ("192.168.178.20:80",)


def guess_wrong(pilot: Pilot) -> None:
    for wait_s in range(GUESS_LIMIT):
        pilot.clock.now += wait_s
        pilot.pairing.pair("000000", "Firefox")


@pytest.mark.parametrize("end", [lambda pilot: pilot.wait(120), guess_wrong])
@pytest.mark.parametrize("way", ["held", "menus"])
def test_when_a_code_has_ended_the_game_is_back_by_itself_for_everybody_to_see(
    end: Callable[[Pilot], object], way: str
) -> None:
    pilot = Pilot.game("just4fun")
    pilot.ctx.settings = pilot.ctx.settings.plus(WebSettings(enabled=True))
    game = pilot.frame
    if way == "held":
        pilot.key([Key.MENU_HELD])
    else:
        pilot.key("?")
        pilot.choose("System", "Phone", "Let everybody in")
    assert pilot.frame.secret
    end(pilot)
    assert pilot.wait(1) == game


def test_nothing_secret_stays_on_the_screens_when_everybody_has_left() -> None:
    pilot = pairing()
    let_in(pilot, "Firefox")
    pilot.key("<")
    pilot.choose("Paired phones: 1")
    assert pilot.wait(110).secret
    assert not pilot.wait(20).secret


def test_who_leaves_the_screen_ends_the_code() -> None:
    pilot = pairing()
    pilot.key("<")
    assert pilot.frame.header.title == "Phone"
    assert not pilot.pairing.code


def test_who_was_let_in_is_listed_and_forgotten_after_a_question() -> None:
    pilot = pairing()
    let_in(pilot, "Firefox on Android")
    assert pilot.pairing.code, "others may still scan it"
    pilot.key("<")
    pilot.choose("Paired phones: 1")
    assert choices_of(pilot.frame).items == ("Firefox on Android",)
    pilot.choose("Firefox", "no")
    assert choices_of(pilot.frame).items == ("Firefox on Android",)
    pilot.choose("Firefox", "yes")
    assert choices_of(pilot.frame).items == ("Phones: on", "Let everybody in", "Paired phones: 0")
    assert pilot.choose("Paired phones").body.lines == ("No phone is paired.",)


def test_four_phones_have_names_in_the_list_and_no_page_shows_them() -> None:
    pilot = pairing()
    for _ in range(4):
        let_in(pilot, "Chrome, Linux")
    pilot.pairing.rename(pilot.pairing.browsers[1].mark, "Anna's phone", called=False)
    assert not pilot.key("<").secret
    frame = pilot.choose("Paired phones: 4")
    assert choices_of(frame).items == (
        "Chrome, Linux",
        "Anna's phone",
        "Chrome, Linux 3",
        "Chrome, Linux 4",
    )
    assert frame.secret
    assert pilot.choose("Anna").body.lines[0] == "Anna's phone"
    assert pilot.frame.secret


def test_without_a_network_it_says_so() -> None:
    pilot = phones()
    pilot.ctx.urls = lambda _: ()
    frame = pilot.choose("Let everybody in")
    assert frame.body.lines == ("No network.",)
    assert frame.board.code == ()


def test_a_phone_reads_the_code_from_the_oled() -> None:
    picture = paint(pairing().frame).to_image().convert("L").resize((512, 256))
    assert [found.text for found in zxingcpp.read_barcodes(picture)] == [WRITTEN]


@pytest.mark.parametrize("size", [(320, 240), (480, 480), (1000, 700)])
def test_a_phone_reads_the_code_from_the_window(size: tuple[int, int]) -> None:
    surface = pygame.Surface(size)
    paint_code(surface, pairing().frame.board.code, surface.get_rect())
    picture = Image.frombytes("RGB", size, pygame.image.tobytes(surface, "RGB"))
    assert [found.text for found in zxingcpp.read_barcodes(picture)] == [WRITTEN]


def test_a_phone_reads_the_code_from_the_terminal() -> None:
    rows = code_rows(pairing().frame.board.code)
    picture = Image.new("L", (len(rows[0]), 2 * len(rows)), 255)
    for y, row in enumerate(rows):
        for x, block in enumerate(row):
            for half, dark in enumerate((block in "█▀", block in "█▄")):
                if dark:
                    picture.putpixel((x, 2 * y + half), 0)
    picture = picture.resize((picture.width * 8, picture.height * 8))
    assert [found.text for found in zxingcpp.read_barcodes(picture)] == [WRITTEN]


def test_an_alert_is_read_whole_whatever_code_is_on_show() -> None:
    over = replace(pairing().frame, alert=Alert("The card is full."))
    assert paint(over) == paint(replace(over, board=replace(over.board, code=())))


@pytest.mark.parametrize("script", ["", '@"Just 4 Fun"', "5*11", "?", '@"System"'])
def test_address_and_code_are_one_key_away_wherever_the_table_is(script: str) -> None:
    pilot = Pilot.game("just4fun") if script[:1] in ("5", "?") else Pilot()
    pilot.ctx.settings = pilot.ctx.settings.plus(WebSettings(enabled=True))
    for name in ("one", "two", "three"):
        assert isinstance(pilot.pairing.pair(pilot.pairing.show_code(), name), str)
    pilot.pairing.hide_code()
    before = pilot.key(script)
    frame = pilot.key([Key.MENU_HELD])
    assert frame.body.big == "482 913"
    assert frame.body.lines == ("192.168.178.20:8080",)
    assert frame.board.code
    assert pilot.key([Key.MENU_HELD]) == before, "the same key leads back"
    assert not pilot.pairing.code


def test_while_phones_are_off_the_key_means_what_it_meant() -> None:
    pilot = Pilot.game("just4fun")
    menu = pilot.key("?")
    pilot.key("<")
    assert pilot.key([Key.MENU_HELD]) == menu
