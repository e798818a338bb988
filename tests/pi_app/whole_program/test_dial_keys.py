"""Every key that a screen answers, in every scene, is within reach of a dial."""

from functools import cache

import pytest

from hardware.keys import DIAL_KEYS, Key
from pi_app.run.dial import Stops
from pi_app.screens.base import BAD, Action, Open, Pop, Stay
from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot
from tests.players.dial import encoder_settings, stick_settings
from tests.scenes import Scene, scenes

KEYPAD = [key for key in Key if key not in DIAL_KEYS]
SCENES = {scene.name: scene for scene in scenes()}
GROUPS = sorted({name.split("-")[0] for name in SCENES})

KNOWN = {
    "chair-cards-keyed": {Key.STAR},  # begins a card more than a hand has, only to refuse it
    "just4fun-hand": {Key.STAR},
    "sequence-taken": {Key.D2},  # says that the square is taken, as "next" does
    "system-brightness": {Key.UP, Key.DOWN},  # the number is keyed digit by digit
    # a number that this track is too short for, only to say so
    "history-board-barrier": {Key.D5, Key.D6, Key.D7, Key.D8, Key.D9},
    "history-evening-chart": {Key.ENTER},  # plays again, and does so in the table, one push away
}
"""What a dial does not reach, and nobody misses."""


def at_scene(scene: Scene) -> Pilot:
    """Return a pilot at the end of a scene."""
    pilot = Pilot.scene(scene, "en")
    pilot.key(scene.keys)
    return pilot


def stops_of(pilot: Pilot) -> Stops:
    screen = pilot.program.screen
    return pilot.program.dial.stops(screen, screen.frame())


def reached_keys(pilot: Pilot) -> set[Key]:
    """Return the keys of a keypad that the dial can send here."""
    dial, screen, stops = pilot.program.dial, pilot.program.screen, stops_of(pilot)
    keys = {key for stop in stops.stops for key in stop.keys}
    if stops.wheel is not None:
        keys |= {Key.ENTER, stops.wheel.then or Key.ENTER}
        keys |= {Key.BACK} if stops.wheel.live and stops.wheel.keyed else set()
    if stops.listed:
        keys |= {Key.UP, Key.DOWN, *map(Key, "0123456789")}
    if dial.has_stick:
        for key in (Key.STICK_LEFT_HELD, Key.STICK_RIGHT_HELD, Key.STICK_UP, Key.STICK_DOWN):
            keys.update(dial.press(key, screen, screen.frame()))
            dial.at = None
    return keys


@cache
def effect(name: str, key: Key) -> tuple[type[Action], object, Frame]:
    """Return what a key does in a scene: the action, the opened screen, the frame after it."""
    screen = at_scene(SCENES[name]).program.screen
    action = screen.press(key)
    opened = getattr(action, "screen", None)
    return type(action), type(opened), screen.frame()


def lost_keys(scene: Scene, pilot: Pilot) -> list[str]:
    """Return the keys that have an effect of their own and that the dial cannot send."""
    screen, before = pilot.program.screen, pilot.program.screen.frame()
    reached, stops = reached_keys(pilot), stops_of(pilot)
    letters = stops.wheel is not None and "A" in stops.wheel.values
    lost = []
    for key in KEYPAD:
        number = key.die if key.digit is None else key.digit
        if key in reached or (number is not None and Key(str(number)) in reached):
            continue
        if key is Key.BACK_HELD and Key.BACK in reached:
            continue  # clears at once what the other deletes
        if key in KNOWN.get(scene.name, ()) or (letters and key.step):
            continue
        kind, opened, after = effect(scene.name, key)
        left = issubclass(kind, Pop | Open)  # held left, or back, leads there too
        if left or (kind is Stay and same(after, before)) or screen.press(key) == Stay(BAD):
            continue
        others = (effect(scene.name, other) for other in sorted(reached))
        if not any(same(after, o) and (kind, opened) == (k, s) for k, s, o in others):
            lost.append(f"{key.name} {kind.__name__}")
    return lost


def same(frame: Frame, other: Frame) -> bool:
    """Whether two frames say the same; functions in them differ always."""
    parts = [
        (
            each.header,
            body.big,
            body.lines,
            body.top,
            body.entry,
            rows and (rows.items, rows.selected),
        )
        for each in (frame, other)
        for body, rows in [(each.body, each.body.choices)]
    ]
    return parts[0] == parts[1] and frame.alert == other.alert


@pytest.mark.parametrize("whole", [pytest.param(True, marks=pytest.mark.nightly), False])
@pytest.mark.parametrize("group", GROUPS)
def test_both_dials_reach_every_key_that_a_screen_answers(group: str, *, whole: bool) -> None:
    """Each kind of screen is tried once, or once with each set of keys that it answers."""
    seen: set[object] = set()
    lost = []
    for scene in (each for name, each in SCENES.items() if name.startswith(f"{group}-")):
        pilot = None
        for dial in (stick_settings(), encoder_settings()):
            pilot = pilot or at_scene(scene)
            pilot.ctx.settings = dial
            pilot.program.show()
            screen, stick = pilot.program.screen, pilot.program.dial.has_stick
            wheel, stops = screen.wheel(), stops_of(pilot)
            keys = (wheel and (wheel.keyed, wheel.more), screen.frame().keys) if whole else ()
            kind = (type(screen), stick, wheel is None, stops.listed, keys)
            if kind not in seen:
                lost += [(scene.name, stick, key) for key in lost_keys(scene, pilot)]
                pilot = None  # keys were pressed on its screen
            seen.add(kind)
    assert not lost
