"""The rig follows the system menu, keeps the last frame, and speaks when the service stopped."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event

from hardware.keys import Key
from hardware.rig import Rig
from pi_app.commands.stopped import listener, message, wait_for_menu
from pi_app.displays.oled import paint
from pi_app.displays.rig import DARK, RigOutput, care_of
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Frame, Header, Signal
from tests.firmware.rig import ROOT, Firmware
from tools.simulation import SimulatedRig


class Bench:
    """A simulated rig whose time is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.settings = Settings()
        self.simulated = SimulatedRig(self.settings)
        self.told = Event()
        self.rig = Rig(
            self.settings,
            listener(self.told),
            care=care_of(self.settings),
            ports=self.simulated.ports(lambda: self.now),
        )

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.005)):
            self.now += 0.005
            self.rig.poll()


def test_brightness_and_sounds_follow_the_settings_at_once() -> None:
    bench = Bench()
    output = RigOutput(bench.rig, lambda: bench.now)
    output.show(Frame(Header("one")))
    assert bench.simulated.oled.contrast == round(2.55 * 80)
    display = replace(bench.settings.display, brightness=10)
    sounds = replace(bench.settings.sounds, ok=False)
    output.configure(replace(bench.settings, display=display, sounds=sounds))
    output.show(Frame(Header("two")))
    assert bench.simulated.oled.contrast == round(2.55 * 10)
    output.signal(Signal.OK)
    bench.wait(0.02)
    assert bench.simulated.tone() is None
    output.signal(Signal.BAD)
    bench.wait(0.02)
    assert bench.simulated.tone() is not None
    output.close()


def test_the_last_frame_stays_on_the_oled_and_everything_else_goes_dark() -> None:
    bench = Bench()
    output = RigOutput(bench.rig, lambda: bench.now)
    output.show(Frame(Header("one", colour="red")))
    last = Frame(Header("Beisitzer"), Body(lines=("You may unplug now.",)))
    output.leave(last)
    assert bench.simulated.oled.on
    assert bench.simulated.oled.visible_picture() == paint(last)


def test_the_stopped_service_says_so_until_menu_is_held() -> None:
    bench = Bench()
    tx = Texts("en")
    frame = message(tx, dials=False)

    class Finger(Event):
        """Each wait is a longer press of MENU; the first is no long one."""

        presses = 0

        def wait(self, timeout: float | None = None) -> bool:
            del timeout
            assert bench.simulated.oled.visible_picture() == paint(frame)
            Finger.presses += 1
            bench.simulated.down(Key.MENU)
            bench.wait(0.3 if Finger.presses == 1 else 0.8)
            bench.simulated.up(Key.MENU)
            bench.wait(0.1)
            if bench.told.is_set():
                self.set()
            return self.is_set()

    wait_for_menu([RigOutput(bench.rig, lambda: bench.now)], frame, Finger())
    assert Finger.presses == 2
    assert "Hold D" in frame.body.lines[1]
    assert "push" in message(tx, dials=True).body.lines[1]
    bench.rig.close()


@contextmanager
def stopped(settings: Path, text: str) -> Iterator["subprocess.Popen[str]"]:
    settings.write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "pi_app", "stopped"],
        cwd=ROOT,
        env={**os.environ, "BEISITZER_CONFIG": str(settings), "LANG": "C.UTF-8"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=60)


def test_with_only_a_panel_the_stopped_service_says_so_there(tmp_path: Path) -> None:
    with Firmware(tmp_path) as firmware:
        settings = f'[rig]\nenabled = false\n[panel]\nport = "{firmware.port}"\n'
        with stopped(tmp_path / "settings.toml", settings) as process:
            assert firmware.wait_for(lambda lines: any("companion has" in line for line in lines))
            firmware.press("MENU")
            for _ in range(10):  # a machine that stalls may make a long press two short ones
                firmware.press("~300 MENU:900")
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                    break
            assert process.returncode == 0


def test_where_nothing_can_say_it_the_stopped_service_fails_in_one_sentence(tmp_path: Path) -> None:
    settings = "[rig]\nenabled = false\n[panel]\nenabled = false\n"
    with stopped(tmp_path / "settings.toml", settings) as process:
        _, error = process.communicate(timeout=60)
        assert process.returncode == 1
        assert error == "beisitzer: nothing is there to say on that the companion stopped\n"


def rhythm(signals: tuple[Signal, ...]) -> list[bool]:
    """Return whether the lamp shines, every 10 ms: what is seen by who sees no colours."""
    bench = Bench()
    output = RigOutput(bench.rig, lambda: bench.now)
    output.show(Frame(Header("Anna", colour="yellow")))
    for signal in signals:
        output.signal(signal)
    seen = []
    for _ in range(350):
        output.poll()
        seen.append(bench.simulated.colour() != DARK)
        bench.wait(0.01)
    output.close()
    return seen


def test_each_signal_has_a_rhythm_of_its_own_for_who_sees_no_colours() -> None:
    signals = [Signal.OK, Signal.AGAIN, Signal.ROW, Signal.BAD, Signal.WIN, Signal.TURN]
    seen = [rhythm((signal,)) for signal in signals]
    assert len({tuple(each) for each in seen}) == len(signals)
    assert all(each[-1] for each in seen), "the turn's colour is there again"


def test_that_it_is_somebodys_turn_follows_what_was_counted() -> None:
    counted, turn = rhythm((Signal.OK,)), rhythm((Signal.OK, Signal.TURN))
    assert counted[:60] == turn[:60]
    assert counted[60:] != turn[60:]
    assert turn[-1]
