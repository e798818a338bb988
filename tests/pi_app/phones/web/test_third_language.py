"""The phones' pages in a third language: nothing left in English, nothing cut where German is not.

At night at every size.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS, PLACE, WIFI
from tests.pi_app.phones.web.layout import (
    HOLDING,
    RECORDS,
    State,
    drawn,
    faults,
    hand_states,
    look_back,
    resize,
    show,
    table_states,
)
from tests.pi_app.phones.web.layout import SIZES as EVERY_SIZE
from tests.pi_app.phones.web.stage import Stage
from tests.pi_app.phones.web.wordy import SIZES, Size, english, shortened, words_in

States = Callable[[str], Iterable[State]]


class Reading:
    """Reads one page in both languages, state by state, and notes what is wrong."""

    def __init__(self, sizes: tuple[Size, ...], others: frozenset[str] = frozenset()) -> None:
        self.sizes = sizes
        self.others = others
        self.wrong: list[str] = []
        self._short: dict[tuple[str, Size], list[str]] = {}

    def third(self, device: Device, name: str) -> None:
        """Look at the page as it is in the third language."""
        found = faults(device, self.sizes)
        self.wrong += [f"{name}: {fault} at {at}" for fault, at in found.items()]
        self.wrong += [f"{name}: {each}" for each in english(device.page, self.others)]
        for size in self.sizes:
            resize(device.page, size)
            if texts := shortened(device.page):
                self._short[name, size] = texts

    def german(self, device: Device, name: str) -> None:
        """Look at it in German, where something was cut in the third language."""
        for size in self.sizes:
            if texts := self._short.pop((name, size), None):
                resize(device.page, size)
                if len(texts) > len(shortened(device.page)):
                    self.wrong.append(f"{name}: cut at {size}, but not in German: {texts}")

    @property
    def names(self) -> set[str]:
        """The states in which something was cut."""
        return {name for name, _ in self._short}

    def done(self) -> None:
        assert not self._short, "German was not looked at"
        assert not self.wrong, "\n".join(self.wrong)


@pytest.fixture(
    name="sizes",
    params=[SIZES, pytest.param(EVERY_SIZE, marks=pytest.mark.nightly)],
    ids=["some", "every"],
)
def _sizes(request: pytest.FixtureRequest) -> tuple[Size, ...]:
    return tuple(request.param)


@pytest.mark.parametrize(
    ("path", "states"), [("/", table_states), ("/keys", table_states), ("/hand", hand_states)]
)
def test_a_page_of_the_table_is_whole_in_a_third_language(
    stage: Stage, third_language: str, path: str, states: States, sizes: tuple[Size, ...]
) -> None:
    device = stage.device()
    device.page.emulate_media(reduced_motion="reduce")
    device.context.add_init_script(HOLDING)
    # what the stand-in for a companion answers is always English
    others = words_in(ANSWERS) | words_in(PLACE) | {"Test"}
    reading = Reading(sizes, others if path == "/hand" else frozenset())
    wanted: set[str] | None = None
    for language, look in ((third_language, reading.third), ("de", reading.german)):
        for number, state in enumerate(states(language)):
            name = f"{path} {number} {state.name.replace(f' {language}', '')}"
            if wanted is not None and name not in wanted:
                continue
            n = show(stage, state)
            if device.page.url == "about:blank":
                device.open(path)
            drawn(device, n)
            expect(device.page.locator("html")).to_have_attribute("lang", language)
            look(device, name)
        wanted = reading.names
    reading.done()


def test_looking_back_is_whole_in_a_third_language(
    stage: Stage, third_language: str, place: Path, sizes: tuple[Size, ...]
) -> None:
    device = stage.device()
    # a record is for programs
    reading = Reading(sizes, words_in(RECORDS) | {"Date", "Test"})
    for language, look in ((third_language, reading.third), ("de", reading.german)):
        for at, answers in look_back(place, language):
            stage.companion.answers |= answers
            stage.scene("home-first", language)
            device.page.goto("about:blank")
            device.open(f"/history{at}")
            device.page.locator("main h1").wait_for()
            look(device, at or "games")
    reading.done()


@pytest.mark.parametrize("path", ["/pair", "/network"])
@pytest.mark.parametrize("paired", [False, True])
def test_a_page_of_this_phone_is_whole_in_a_third_language(
    stage: Stage, third_language: str, path: str, sizes: tuple[Size, ...], *, paired: bool
) -> None:
    reading = Reading(sizes, words_in(WIFI) | words_in("Test"))
    answers: dict[str, dict[str, Any]] = {"networks": WIFI}
    stage.companion.answers |= ANSWERS | answers
    device = stage.device(paired=paired)
    for language, look in ((third_language, reading.third), ("de", reading.german)):
        stage.scene("just4fun-free", language)
        device.page.goto("about:blank")
        device.open(path)
        device.page.locator("main :is(h1, p)").first.wait_for()
        look(device, path)
        if path == "/network" and paired:
            device.page.locator(".network").first.click()
            device.page.locator("#secret").wait_for()
            look(device, f"{path} password")
    reading.done()


def test_a_page_without_scripts_says_so_in_the_table_s_language(
    stage: Stage, third_language: str
) -> None:
    stage.scene("home-first", third_language)
    device = stage.device()
    device.open("/keys")
    expect(device.page.locator("html")).to_have_attribute("lang", third_language)
    for path in ("/", "/keys", "/hand", "/history", "/pair", "/network"):
        said = stage.site.ask("GET", path).data.decode()
        assert "JäväScrïptööö" in said, path
