"""System, Phone: switched on, a browser let in by a code to read or to scan, forgotten again."""

from dataclasses import replace

import pygame
import pytest
import zxingcpp
from PIL import Image

from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.displays.terminal_chart import code_rows
from pi_app.displays.window.code import paint_code
from pi_app.run.alerts import Bulletin
from pi_app.settings.schema import WebSettings
from pi_app.view.frame import Choices, Frame
from tests.pi_app.desk import Desk

WRITTEN = "http://192.168.178.20:8080/pair#482913"


def phones(*, on: bool = True) -> Desk:
    """Return a desk that shows System, Phone."""
    desk = Desk()
    desk.ctx.settings = replace(desk.ctx.settings, web=WebSettings(enabled=on))
    desk.choose("System", "Phone")
    return desk


def pairing() -> Desk:
    """Return a desk that shows address and code."""
    desk = phones()
    desk.choose("Let one in")
    return desk


def items(frame: Frame) -> tuple[str, ...]:
    choices = frame.body.choices
    assert isinstance(choices, Choices)
    return choices.items


def let_in(desk: Desk, name: str) -> None:
    assert isinstance(desk.pairing.pair("482913", name), str)
    desk.program.expire()


def test_phones_are_switched_on_at_the_table_and_it_is_kept() -> None:
    desk = phones(on=False)
    kept: list[tuple[str, object]] = []
    desk.ctx.save = lambda key, value: kept.append((key, value))
    assert items(desk.frame) == ("Phones: off", "Let one in")
    frame = desk.choose("Let one in")
    assert frame.body.lines == ("Switch phones on first.",)
    frame = desk.choose("off")
    assert items(frame) == ("Phones: on", "Let one in")
    assert kept == [("web.enabled", True)]


def test_the_code_stands_beside_the_address_and_no_page_shows_it() -> None:
    frame = pairing().frame
    assert frame.body.big == "482 913"
    assert frame.body.lines == ("192.168.178.20:8080",)
    assert frame.extras.details == ("beisitzer.local:8080",)
    assert frame.secret


def test_on_an_appliance_the_address_needs_no_port() -> None:
    desk = phones()
    desk.ctx.appliance = True
    assert desk.choose("Let one in").body.lines == ("192.168.178.20:80",)


def test_a_code_ends_after_a_minute_and_enter_shows_another() -> None:
    desk = pairing()
    frame = desk.wait(60)
    assert frame.body.big == ""
    assert frame.board.code == ()
    assert frame.body.lines == ("The code has ended. # shows another one.",)
    assert desk.key([Key.ENTER]).body.big == "482 913"


def test_who_leaves_the_screen_ends_the_code() -> None:
    desk = pairing()
    desk.key("<")
    assert desk.frame.header.title == "Phone"
    assert not desk.pairing.code


def test_who_was_let_in_is_listed_and_forgotten_after_a_question() -> None:
    desk = pairing()
    let_in(desk, "Firefox on Android")
    assert desk.pairing.code, "others may still scan it"
    assert items(desk.frame)[2:] == ("Firefox on Android",)
    desk.choose("Firefox", "no")
    assert items(desk.frame)[2:] == ("Firefox on Android",)
    desk.choose("Firefox", "yes")
    assert items(desk.frame) == ("Phones: on", "Let one in")


def test_without_a_network_it_says_so() -> None:
    desk = phones()
    desk.ctx.urls = lambda _: ()
    frame = desk.choose("Let one in")
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
    desk = pairing()
    bulletin = Bulletin(desk.clock)
    bulletin.tell("The card is full.")
    over = bulletin.over(desk.frame)
    assert paint(over) == paint(replace(over, board=replace(over.board, code=())))
