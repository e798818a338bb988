"""Everybody can play: nothing serious for the checker, fingers hit, contrasts hold."""

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.pi_app.phones.web.browsers import TELEVISION, Device
from tests.pi_app.phones.web.canned import ANSWERS, TAKEN
from tests.pi_app.phones.web.layout import look_at_moments, resize
from tests.pi_app.phones.web.reach import out_of_reach, serious
from tests.pi_app.phones.web.stage import Stage

IN_EACH_RUN = [
    ("/", "sequence-twelve-players"),
    ("/", "just4fun-row"),
    ("/keys", "just4fun-blocked"),
    ("/keys", "home-name"),
    ("/play", "just4fun-free"),
    ("/history#game=7", "just4fun-free"),
    ("/history#moments=Anna", "just4fun-free"),
    ("/more", "just4fun-free"),
    ("/pair", "just4fun-free"),
    ("/network", "just4fun-free"),
]
AT_NIGHT = [
    ("/", "just4fun-blocked"),
    ("/", "numeri-choose"),
    ("/", "einmaleins-announced"),
    ("/", "history-points"),
    ("/keys", "just4fun-free"),
    ("/keys", "numeri-first-turn"),
    ("/keys", "home-first"),
    ("/keys", "sequence-in-sequence"),
    ("/play", "sequence-first-turn"),
    ("/history", "just4fun-free"),
    ("/history#statistics", "just4fun-free"),
]
CONTRAST = ("color-contrast",)
"""The one rule of the checker that depends on the theme."""


def opened(stage: Stage, path: str, scene: str) -> Device:
    stage.companion.answers |= ANSWERS
    stage.scene(scene)
    device = stage.device()
    if "#moments" in path:
        stage.companion.answers |= dict(look_at_moments("en"))[path.removeprefix("/history")]
    if path == "/play":
        stage.companion.answers["seats"] = {**ANSWERS["seats"], "seats": TAKEN}
    device.open(path)
    expect(device.page.locator("main h1").first).to_be_visible()
    if path == "/play" and scene.startswith("just4fun"):
        for card in ("5", "11", "13", "8"):
            device.page.locator(f'[data-add="{card}"]').click()
        expect(device.page.locator('[data-tap="29"]')).to_have_attribute(
            "aria-label", "29, can be played"
        )
    return device


@pytest.mark.parametrize(
    ("path", "scene", "light_rules"),
    [
        *((*place, CONTRAST) for place in IN_EACH_RUN),
        *(
            pytest.param(*place, (), marks=pytest.mark.nightly)
            for place in (*IN_EACH_RUN, *AT_NIGHT)
        ),
    ],
)
def test_a_finger_hits_everything_no_word_is_cut_and_the_checker_finds_nothing_serious(
    stage: Stage, path: str, scene: str, light_rules: tuple[str, ...]
) -> None:
    """In the dark theme all rules hold; in the light one these, or all where there are none."""
    device = opened(stage, path, scene)
    for language in ("de", "en"):
        stage.scene(scene, language)
        expect(device.page.locator("html")).to_have_attribute("lang", language)
        device.live()
        expect(device.page.locator("main h1").first).to_be_visible()
        assert not out_of_reach(device.page)
    if path == "/":
        resize(device.page, TELEVISION)
    themes: tuple[tuple[Literal["dark", "light"], tuple[str, ...]], ...]
    themes = ("dark", ()), ("light", light_rules)
    for theme, rules in themes:
        stage.companion.theme = theme
        device.page.emulate_media(color_scheme=theme)
        stage.scene(scene)
        expect(device.page.locator("html")).to_have_attribute("data-theme", theme)
        assert not serious(device.page, *rules)
