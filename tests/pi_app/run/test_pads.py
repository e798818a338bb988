"""Number pads at the table: from the first frame on, letters where somebody types."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest

from hardware.config import PadsConfig
from hardware.keys import Key
from hardware.pads import InputDevice
from hardware.pads.table import CODES, letters_of
from pi_app.extras.devices import PADS
from pi_app.run.extras import Start
from pi_app.run.opening import companion
from pi_app.run.pads import PadsInput
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Header, soft
from pi_app.view.inputs import KeyQueue

PLAIN = Frame(Header("Anna"))
NAME = Frame(Header("Name"), keys=soft(typing=True))


class FakePads:
    """What the input opens: it notes with what, and that it is closed."""

    made: "list[FakePads]"

    def __init__(self, config: PadsConfig, put: Callable[[Key], object], **more: Any) -> None:
        self.config, self.put, self.more = config, put, more
        self.running = False
        self.stuck = (Key.UP,)
        self.made.append(self)

    def start(self) -> None:
        self.running = True

    def close(self) -> None:
        self.running = False


@pytest.fixture(name="made", autouse=True)
def _made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[FakePads]]:
    FakePads.made = []
    monkeypatch.setattr("hardware.pads.Pads", FakePads)
    yield FakePads.made
    assert not any(pads.running for pads in FakePads.made)


def opened(woken: list[str]) -> PadsInput:
    return PadsInput(
        PadsConfig(), lambda _: True, lambda: woken.append("loop"), "de", appliance=True
    )


def test_pads_are_looked_for_from_the_first_frame_on_and_once(made: list[FakePads]) -> None:
    pads = opened([])
    assert not made
    assert pads.stuck_keys() == ()
    pads.show(PLAIN)
    pads.show(NAME)
    (only,) = made
    assert only.running
    assert only.more["appliance"]
    assert only.more["layout"] == "de"
    assert pads.stuck_keys() == (Key.UP,)
    pads.close()


def test_letters_are_written_while_a_name_is_typed_and_only_then() -> None:
    pads = opened([])
    pads.show(PLAIN)
    assert pads.write("b") == ()
    pads.show(NAME)
    assert pads.write("b") == (Key.D2, Key.D2, Key.STAR)
    assert pads.write("ö") == (Key.D6,) * 4 + (Key.STAR,)
    assert pads.write(letters_of("de")[CODES["ESC"]]) == (Key.BACK_HELD,)
    pads.close()


def test_lost_keys_wake_the_loop_and_are_told_once() -> None:
    woken: list[str] = []
    pads = opened(woken)
    assert not pads.lost_keys()
    pads.note_lost()
    assert woken == ["loop"]
    assert pads.lost_keys()
    assert not pads.lost_keys()
    pads.close()


@pytest.mark.parametrize("enabled", [True, False])
def test_pads_that_are_switched_off_are_not_attached(*, enabled: bool) -> None:
    settings = Settings(pads=PadsConfig(enabled=enabled))
    ctx = Context(Texts("en"), settings, Store(":memory:"), monotonic)
    program = companion(ctx, None, KeyQueue())
    PADS.attach(program, Start())
    assert [output.name for output in program.outputs] == ["pads"] * enabled


def test_a_device_is_called_by_part_of_its_name_or_port() -> None:
    device = InputDevice("", "SIGMACHIP USB Keyboard", "usb-0000:01:00.0-1.3/input0", frozenset())
    assert device.is_called("sigmachip")
    assert device.is_called("-1.3/")
    assert not device.is_called("-1.4")
