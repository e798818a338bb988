"""Whole games from fingers on mock pins, through the loop, to the glass of the simulated OLED."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from engines.game import AnyPosition
from hardware.keys import HELD_KEYS, Key
from pi_app.displays.oled import paint
from pi_app.displays.rig import RigOutput, open_rig_output
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.file import parse
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys
from tests.players.player import Player
from tools.simulation import SimulatedRig

EXAMPLES = Path(__file__).parents[3] / "examples"
SCAN_S = 0.005


class RigTable:
    """A companion whose only keys are fingers on pins and whose only display is the OLED."""

    def __init__(self, tags: dict[str, str] | None, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self.now = 100.0
        self.simulated = SimulatedRig(settings)
        self.queue = KeyQueue()
        rig = open_rig_output(
            settings,
            self.queue.put,
            self.simulated.ports(lambda: self.now),
        )
        assert isinstance(rig, RigOutput)
        self.output = rig
        # the clock of this table is moved by hand, and so are the looks at the pins
        rig.rig._poller.close()
        self.ctx = Context(Texts("en"), settings, Store(":memory:"), lambda: self.now)
        self.program = companion(self.ctx, first_screen(self.ctx, Wish(tags)), self.queue, [rig])
        self.program.show()
        self.queue.open()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / SCAN_S)):
            self.now += SCAN_S
            self.output.rig.poll()
        self.program.step(0)

    def key(self, key: Key) -> None:
        """Press a key for a while, as long as its name says."""
        held = key in HELD_KEYS
        finger = Key(key.value.removesuffix("_HELD"))
        self.simulated.down(finger)
        self.wait(0.7 if held else 0.05)
        self.simulated.up(finger)
        self.wait(0.05)

    def play(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self.key(key)
            assert self.program.frame is not None
            assert self.settled()

    def settled(self) -> bool:
        """Tell whether the glass shows the latest frame."""
        assert self.program.frame is not None
        return self.simulated.oled.visible_picture() == paint(self.program.frame)

    def frame(self) -> Frame:
        assert self.program.frame is not None
        return self.program.frame

    def position(self) -> AnyPosition:
        """Return the position that the store's record leads to."""
        stored = self.ctx.store.load(self.ctx.store.latest_game() or 0)
        return Table.resume(self.ctx.store, stored).position

    def tokens(self) -> tuple[str, ...]:
        game = self.ctx.store.latest_game()
        return () if game is None else self.ctx.store.load(game).tokens


TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_whole_game_of_just_4_fun_by_fingers_on_pins(driver: str) -> None:
    settings = parse({Path("rig.toml"): f"[oled]\ndriver = '{driver}'"}).settings
    table = RigTable(TAGS, settings)
    table.play(read_keys((EXAMPLES / "just4fun.keys").read_text()))
    assert table.tokens() == ("1", "12+7", "9+5", "10+9", "12+8+10", "6+2", "12+12")
    table.output.close()


def test_a_game_is_played_by_fingers_to_its_end() -> None:
    table = RigTable({**TAGS, "Game": "numeri", "BoardData": "0 0 5 0 10 20 30 40"})
    Player(table.play, table.frame, table.position, Random(1)).play()
    assert len(table.tokens()) > 5
    assert table.simulated.oled.on


def test_lamp_and_buzzer_follow_the_game() -> None:
    table = RigTable(TAGS)
    turn = table.simulated.colour()
    assert turn != "000000"
    table.play(read_keys("1#"))
    assert table.simulated.colour() == "00FF00"
    table.wait(2)
    assert table.simulated.colour() not in {turn, "00FF00", "000000"}
    table.play(read_keys("99#"))
    assert table.simulated.colour() == "FF0000"


def test_a_dead_oled_does_not_stop_the_game_and_comes_back_with_the_frame_of_now() -> None:
    table = RigTable(TAGS)
    table.simulated.bus.dead = True
    for key in read_keys("1#12*7#"):
        table.key(key)
    assert table.tokens() == ("1", "12+7")
    table.simulated.bus.dead = False
    table.simulated.oled.power_cycle()
    table.now += 61
    table.wait(0.05)
    assert table.program.frame is not None
    assert table.simulated.oled.visible_picture() == paint(table.program.frame)
