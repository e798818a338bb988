"""The dial: what its keys stand for, and what it shows."""

from dataclasses import replace
from random import Random

import pytest

from hardware.keys import DIAL_KEYS, Key
from pi_app.phones.protocol import WebSettings
from pi_app.settings.schema import HelpLevel, HelpSettings
from pi_app.view.frame import Frame
from pi_app.view.output import Output
from tests.pi_app.pilot import Pilot, entry_of
from tests.players.dial import encoder_settings, stick_settings


def pilot_of(game: str, *, stick: bool = True, **tags: str) -> Pilot:
    players = "Anna blue, Ben green" if game == "sequence" else "Anna yellow, Ben red"
    pilot = Pilot.game(game, players, **tags)
    pilot.ctx.settings = stick_settings() if stick else encoder_settings()
    pilot.program.show()
    return pilot


def press(pilot: Pilot, *keys: Key) -> Frame:
    return pilot.key(keys)


def entry(frame: Frame) -> str:
    return "" if frame.body.entry is None else frame.body.entry.text


def test_turning_keys_the_number_and_shows_the_verdict_at_once() -> None:
    frame = press(pilot_of("just4fun"), Key.STICK_RIGHT)
    assert (entry_of(frame).text, entry_of(frame).verdict) == ("12", "12 free")


def test_a_push_takes_a_card_and_a_held_one_plays() -> None:
    pilot = pilot_of("just4fun")
    assert entry(press(pilot, Key.STICK_UP, Key.PUSH)) == "8+"
    press(pilot, Key.STICK_DOWN, Key.PUSH_HELD)
    assert pilot.tokens() == ("8+6",)


def test_held_left_takes_back_the_number_then_the_card_then_the_move() -> None:
    pilot = pilot_of("just4fun")
    press(pilot, Key.PUSH, Key.STICK_UP, Key.PUSH_HELD)
    assert entry(press(pilot, Key.PUSH, Key.STICK_UP)) == "7+8"
    assert entry(press(pilot, Key.STICK_LEFT_HELD)) == "7+"
    assert entry(press(pilot, Key.STICK_LEFT_HELD)) == "7"
    press(pilot, Key.STICK_LEFT_HELD)
    assert pilot.tokens() == ("7+8",)
    press(pilot, Key.STICK_LEFT_HELD)
    assert pilot.tokens() == ()


def test_held_right_is_the_menu_and_held_left_leads_back() -> None:
    pilot = pilot_of("numeri")
    assert press(pilot, Key.STICK_RIGHT_HELD).body.choices is not None
    assert press(pilot, Key.STICK_LEFT_HELD).body.choices is None


def test_left_and_right_stop_at_the_ends_first() -> None:
    pilot = pilot_of("numeri")
    assert entry(press(pilot, Key.STICK_RIGHT)) == "6"
    assert entry(press(pilot, Key.STICK_LEFT)) == "1"
    assert entry(press(pilot, Key.STICK_LEFT)) == "6"


def test_what_other_keys_do_lies_before_the_first_number() -> None:
    pilot = pilot_of("einmaleins", Open="24")
    assert press(pilot, Key.PUSH).alert is None
    assert entry(press(pilot, Key.STICK_DOWN)) == "draw"
    press(pilot, Key.PUSH)
    assert pilot.tokens() == ("d",)


@pytest.mark.parametrize("level", [HelpLevel.NONE, HelpLevel.SUMS])
def test_where_it_begins_tells_nothing_that_the_help_level_hides(level: HelpLevel) -> None:
    starts = []
    for card in ("7", "50", "81"):
        pilot = pilot_of("einmaleins", Open=card)
        pilot.ctx.settings = replace(pilot.ctx.settings, help=HelpSettings(level))
        pilot.restart()
        wheel = pilot.program.screen.wheel()
        assert wheel is not None
        starts.append(wheel)
    assert starts[0] == starts[1] == starts[2]


def test_with_help_it_begins_at_a_card_that_fits() -> None:
    pilot = pilot_of("einmaleins", Open="49")
    pilot.ctx.settings = replace(pilot.ctx.settings, help=HelpSettings(HelpLevel.LEGAL))
    pilot.restart()
    wheel = pilot.program.screen.wheel()
    assert wheel is not None
    assert wheel.values[wheel.place] == "7"


def test_a_hand_without_help_is_judged_by_no_turn_of_the_dial() -> None:
    pilot = pilot_of("just4fun")
    pilot.ctx.settings = replace(pilot.ctx.settings, help=HelpSettings(HelpLevel.NONE))
    pilot.restart()
    frame = press(pilot, Key.STICK_UP)
    assert entry_of(frame).verdict == ""


def test_prompts_name_no_key_that_the_rig_lacks() -> None:
    for game, card in (("just4fun", ""), ("sequence", ""), ("einmaleins", "24")):
        pilot = pilot_of(game, Open=card) if card else pilot_of(game)
        press(pilot, Key.STICK_UP)
        lines = " ".join((*pilot.frame.body.lines, entry(pilot.frame)))
        assert not {"#", "*"} & set(lines)


def test_a_rig_with_digits_shows_no_dial_until_its_key_is_pressed() -> None:
    pilot = Pilot.game("just4fun")
    before = pilot.frame
    assert not {soft.key for soft in before.keys.soft} & DIAL_KEYS
    assert Key.PUSH in {soft.key for soft in press(pilot, Key.STICK_UP).keys.soft}
    press(pilot, Key.BACK)
    assert pilot.frame == before


class Phone(Output):
    """An output with digits of its own."""

    name = "phone"
    dials = False

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)


def test_a_phone_sees_the_keys_of_a_keypad() -> None:
    pilot, phone = pilot_of("just4fun"), Phone()
    pilot.program.follow(phone)
    press(pilot, Key.STICK_UP)
    assert entry(phone.frames[-1]) == "8"
    assert not {soft.key for soft in phone.frames[-1].keys.soft} & DIAL_KEYS


@pytest.mark.parametrize("stick", [True, False], ids=["five keys", "encoder"])
@pytest.mark.parametrize("game", ["just4fun", "numeri", "sequence"])
def test_no_order_of_its_keys_makes_a_screen_fail(
    game: str, stick: bool, caplog: pytest.LogCaptureFixture
) -> None:
    pilot, dice = pilot_of(game, stick=stick), Random(5)
    other = "TURN" if stick else "STICK"
    keys = sorted(key for key in DIAL_KEYS if not key.value.startswith(other))
    for _ in range(400):
        pilot.program.press(dice.choice([*keys, Key.PUSH]))
        if pilot.program.quit is not None:
            break
    ours = [record for record in caplog.records if record.name.startswith("pi_app")]
    assert not [record for record in ours if record.levelname == "ERROR"]


@pytest.mark.parametrize(("stick", "menu"), [(True, "→…"), (False, "< menu")])
def test_a_sentence_names_the_way_to_the_menu_that_the_rig_has(stick: bool, menu: str) -> None:
    pilot = pilot_of("numeri", stick=stick)
    assert pilot.frame.body.lines[1].endswith(f"Key your own: {menu}, New game, Boards.")


@pytest.mark.parametrize("stick", [True, False], ids=["five keys", "encoder"])
def test_the_held_menu_key_is_a_stop_where_phones_may_come_in(stick: bool) -> None:
    pilot = pilot_of("just4fun", stick=stick)
    dial, screen = pilot.program.dial, pilot.program.screen
    held = (Key.MENU_HELD,)
    assert held not in [stop.keys for stop in dial.stops(screen, screen.frame()).stops]
    settings = pilot.ctx.settings
    pilot.ctx.settings = settings.plus(WebSettings(enabled=True))
    assert dial.stops(screen, screen.frame()).stops[pilot_stop(pilot, held)].text == "Phone"


def pilot_stop(pilot: Pilot, keys: tuple[Key, ...]) -> int:
    """Return where the dial sends these keys."""
    screen = pilot.program.screen
    stops = pilot.program.dial.stops(screen, screen.frame()).stops
    return [stop.keys for stop in stops].index(keys)


def test_a_hand_is_read_aloud_from_the_dial() -> None:
    pilot = pilot_of("just4fun")
    settings = pilot.ctx.settings
    pilot.ctx.settings = replace(settings, voice=replace(settings.voice, level="everything"))
    pilot.key([Key.UP])
    before = pilot.frame
    pilot.program.dial.at = pilot_stop(pilot, (Key.MENU_HELD,))
    assert press(pilot, Key.PUSH).header.corner == "aloud" != before.header.corner
