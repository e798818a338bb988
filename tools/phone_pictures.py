"""`python -m tools.phone_pictures`: pictures of phones and tablets for the documentation.

A table plays a scene, the real server serves the pages, and the system's Chromium takes the
pictures: at each size, in both themes and both languages.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PIL import Image

from beisitzer.testing.pilot import press
from pi_app.phones.output import Phones
from pi_app.phones.protocol import WebSettings
from pi_app.phones.web.app import application
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import HelpLevel, HelpSettings, Settings
from pi_app.store import Store
from pi_app.texts.catalogues import compile_catalogues
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.inputs import KeyQueue

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[1] / "docs" / "phone"
PHONE, TABLET, TELEVISION = (360, 800), (800, 1280), (1920, 1080)
"""The sizes of pages in pixels: width, height."""
WAIT_S = 30.0
"""How long threads may take to begin and to end."""

TWO = "Anna yellow, Ben red"
JUST4FUN = {"Game": "just4fun", "Players": TWO}
SEQUENCE = {"Game": "sequence", "Players": "Anna blue, Ben green, Cleo blue, Dora green"}
# keys of Just 4 Fun: of some turns, of a whole game, and of three games
MOVES = "9* 7# 8* 3# 14# 5* 6# 10* 9* 11# 12* 4# 2* 19# 5*11*13# 8* 9#"
WON = "1# 7# 14# 6# 10*9*11# 8# 12*12#"
THREE = (
    "1# 12*7# 9*5# 10*9# 12*8*10# 6*2# 12*12# # 1 1# 9# 9*5# 11# 12*8*10# 9# 12*12# "
    "# 1# 12*7# 9*5# 12*8# 12*8*10# 6*2# 12*12#"
)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: a page at a size, of a game after some keys; `hand` are the cards to tap."""

    name: str
    path: str
    size: tuple[int, int]
    tags: dict[str, str]
    keys: str
    hand: tuple[str, ...] = ()
    paired: bool = True


SHOTS = (
    Shot("hand", "/play", PHONE, JUST4FUN, f"{MOVES} 1#", ("5", "11", "13", "8")),
    Shot("pair", "/pair", PHONE, JUST4FUN, "", paired=False),
    Shot("history", "/history#game=1", PHONE, JUST4FUN, WON),
    Shot("statistics", "/history#statistics", PHONE, JUST4FUN, THREE),
    Shot("tablet", "/", TABLET, SEQUENCE, "12*2"),
    Shot("television", "/", TELEVISION, JUST4FUN, f"{MOVES} 5*11*13"),
)


@contextmanager
def at_table(shot: Shot, language: str, *, light: bool) -> Iterator[tuple[str, str]]:
    """Serve a table after the keys of a shot; yield its address and a browser's token."""
    settings = Settings(help=HelpSettings(level=HelpLevel.LEGAL)).plus(WebSettings(enabled=True))
    display = replace(settings.display, theme="light" if light else "dark")
    # a short name: the path of a socket has little room
    with tempfile.TemporaryDirectory(prefix="b") as folder:
        store = Store(Path(folder) / "games")
        ctx = Context(Texts(language), replace(settings, display=display), store, time.monotonic)
        queue = KeyQueue()
        program = companion(ctx, first_screen(ctx, Wish(shot.tags)), queue, [])
        phones = Phones(program, path=Path(folder) / "r.sock")
        program.follow(phones)
        program.show()
        press(program, shot.keys)
        thread = Thread(target=program.run, daemon=True)
        thread.start()
        if phones.server is None or not phones.server.listening.wait(WAIT_S):
            raise RuntimeError("the table lets no phones in")
        token = phones.pairing.pair(phones.pairing.show_code(), "Chrome, Android")
        with serve(phones.path) as address:
            yield address, str(token)
        queue.stop()
        thread.join(WAIT_S)
        phones.close()
        store.close()


@contextmanager
def serve(path: Path) -> Iterator[str]:
    """Serve the pages of the companion at this socket in a thread.

    Yields their address once the companion is connected.
    """
    listening = opened(0)
    relay = Relay(path)
    server = WebServer(application(relay), relay.close)
    thread = Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    give_up = time.monotonic() + WAIT_S
    while relay.language is None and time.monotonic() < give_up:
        time.sleep(0.01)  # the companion counts as away until its first line
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(WAIT_S)


def take_picture(browser: Browser, shot: Shot, language: str, *, light: bool) -> bytes:
    """Return a picture of the page as WebP."""
    with at_table(shot, language, light=light) as (address, token):
        context = browser.new_context(
            viewport={"width": shot.size[0], "height": shot.size[1]},
            color_scheme="light" if light else "dark",
        )
        if shot.paired:
            context.add_cookies([{"name": "beisitzer", "value": token, "url": address}])
        page = context.new_page()
        page.goto(address + shot.path)
        page.locator("main h1").first.wait_for()
        if shot.hand:
            page.locator("[data-claim]").first.click()
            for card in shot.hand:
                page.locator(f'[data-add="{card}"]').click()
            page.locator(".board [data-tap]").first.wait_for()
        if "game=" in shot.path:
            page.locator("article .chart").first.wait_for()
        if "statistics" in shot.path:
            page.locator("article section").first.wait_for()
        picture = page.screenshot()
        context.close()
    file = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").save(file, "WEBP", quality=82, method=6)
    return file.getvalue()


def main() -> None:
    """Take all pictures, or those whose names are given."""
    from playwright.sync_api import sync_playwright

    compile_catalogues()
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:]
    with sync_playwright() as driver:
        # without its sandbox, which fails for root and in most containers
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"),
            args=["--no-sandbox"],
        )
        for shot in SHOTS:
            if wanted and shot.name not in wanted:
                continue
            for language in LANGUAGES:
                for light in (False, True):
                    name = f"{shot.name}-{'light' if light else 'dark'}-{language}.webp"
                    (FOLDER / name).write_bytes(take_picture(browser, shot, language, light=light))
                    sys.stdout.write(f"taken: {FOLDER / name}\n")
        browser.close()


if __name__ == "__main__":
    main()
