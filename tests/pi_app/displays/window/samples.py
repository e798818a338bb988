"""Frames of every kind for the window's tests: one scene of each; and how colours contrast."""

from functools import cache

from pi_app.displays.window.theme import RGB, lightness
from pi_app.view.frame import Frame
from tests.pi_app.pilot import frame_of
from tests.scenes import scenes

KINDS = {
    "free": "just4fun-free",
    "blocked": "just4fun-blocked",
    "notice": "just4fun-after-move",
    "won": "just4fun-row",
    "home": "home-continue",
    "hand": "just4fun-hand",
    "track": "numeri-chosen",
    "cards": "sequence-two-free",
    "products": "einmaleins-no-common-factor",
    "alert": "einmaleins-square-laid",
}
"""The scene of each kind."""


@cache
def frames() -> dict[str, Frame]:
    """Return a frame of each kind by name."""
    every = {scene.name: scene for scene in scenes()}
    found = {kind: every[name] for kind, name in KINDS.items()}
    return {kind: frame_of(scene, "en") for kind, scene in found.items()}


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast ratio of two colours, 1 (equal) to 21 (black on white): WCAG 2."""
    light, dark = sorted((lightness(one), lightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
