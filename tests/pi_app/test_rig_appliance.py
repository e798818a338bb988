"""The rig follows the system menu, keeps the last frame, and speaks when the service stopped."""

from dataclasses import replace
from threading import Event

from hardware.keys import Key
from hardware.rig import Rig
from hardware.simulation import SimulatedRig
from pi_app.commands.stopped import listener, message, wait_for_menu
from pi_app.displays.oled import paint
from pi_app.displays.rig import RigOutput, care_of
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Signal


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
            factory=self.simulated.factory,
            bus=self.simulated.bus,
            clock=lambda: self.now,
        )

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.005)):
            self.now += 0.005
            self.rig.poll()


def test_brightness_and_sounds_follow_the_settings_at_once() -> None:
    bench = Bench()
    output = RigOutput(bench.rig, lambda: bench.now)
    output.show(Frame("one"))
    assert bench.simulated.panel.contrast == round(2.55 * 80)
    display = replace(bench.settings.display, brightness=10)
    sounds = replace(bench.settings.sounds, ok=False)
    output.configure(replace(bench.settings, display=display, sounds=sounds))
    output.show(Frame("two"))
    assert bench.simulated.panel.contrast == round(2.55 * 10)
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
    output.show(Frame("one", colour="red"))
    last = Frame("Beisitzer", lines=("You may unplug now.",))
    output.leave(last)
    assert bench.simulated.panel.on
    assert bench.simulated.panel.shown() == paint(last)


def test_closing_alone_switches_the_oled_off() -> None:
    bench = Bench()
    output = RigOutput(bench.rig, lambda: bench.now)
    output.show(Frame("one"))
    output.close()
    assert not bench.simulated.panel.on


def test_the_stopped_service_says_so_until_menu_is_held() -> None:
    bench = Bench()
    tx = Texts("en")

    class Finger(Event):
        """Each wait is a longer press of MENU; the first is no long one."""

        presses = 0

        def wait(self, timeout: float | None = None) -> bool:
            del timeout
            assert bench.simulated.panel.shown() == paint(message(tx))
            Finger.presses += 1
            bench.simulated.down(Key.MENU)
            bench.wait(0.3 if Finger.presses == 1 else 0.8)
            bench.simulated.up(Key.MENU)
            bench.wait(0.1)
            if bench.told.is_set():
                self.set()
            return self.is_set()

    wait_for_menu(bench.rig, tx, Finger())
    assert Finger.presses == 2
    assert "Hold D" in message(tx).lines[1]
    bench.rig.close()
