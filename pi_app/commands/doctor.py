"""`beisitzer doctor`: which devices of the rig work, why others do not, and what to do."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from hardware.boards import known_boards
from hardware.config import Devices, has_dial, pins_of, says_of
from hardware.errors import DeviceError, device_error
from hardware.framebuffer import Framebuffer
from hardware.inputs.buttons import joystick_keys
from hardware.inputs.keypad import keys_of
from hardware.keys import Key
from hardware.pins import is_wanted
from hardware.probe import find_addresses, i2c_hz, throttling
from hardware.rig import Rig
from hardware.type import HEADLINE, NUMERALS
from pi_app.commands.console import lang_option, load_settings
from pi_app.commands.device_sentences import part_name, port_trouble, reason, remedy
from pi_app.displays.rig import care_of
from pi_app.files.host import has_program
from pi_app.run.opening import has_screen
from pi_app.run.systemd import is_appliance
from pi_app.settings.schema import LinkSettings, Settings, toml_value
from pi_app.texts.language import Texts, language_for
from pi_app.texts.libraries import library_words

if TYPE_CHECKING:
    from hardware.serial_panel import PanelFound
    from hardware.simulation import SimulatedRig

KEY_TEST_S = 60.0
"""How long people may take to press every key."""
LOOK_S = 1.5
"""How long the lamp has each colour."""
_STEP_S = 0.005
"""How far the simulation's clock moves at a time."""


class _ManualClock:
    """A clock that waiting moves forward, so that the simulation takes no time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, rig: Rig, seconds: float) -> None:
        for _ in range(round(seconds / _STEP_S)):
            self.now += _STEP_S
            rig.poll()


@click.command()
@click.option("--test", "tests", is_flag=True, help="Also try picture, lamp, sounds and keys.")
@click.option("--simulate", is_flag=True, help="Try the simulated rig even on a Pi.")
@click.option("--watch", "watching", is_flag=True, help="Show what keys send, until Ctrl-C.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End --watch after SECONDS.")
@lang_option
@click.option("--codes", is_flag=True, hidden=True)  # for `beisitzer report`
def doctor(
    tests: bool,
    simulate: bool,
    seconds: float | None,
    lang: str | None,
    *,
    watching: bool,
    codes: bool,
) -> None:
    """Check every device; --watch shows what keys send.

    Status 0 means that you can play on this rig.
    """
    settings = load_settings()
    tx = Texts(language_for(lang or settings.language))
    if watching:
        from pi_app.commands.watch import watch  # an examination does without

        watch(tx, settings, seconds)
        return
    try:
        examination = _Examination(tx, settings, simulated=simulate or not is_wanted(settings.rig))
    except ImportError as error:  # only the simulation cannot do without the libraries
        missing = device_error("rig", error)
        advice = remedy(tx, missing, settings)
        click.echo(f"{reason(tx, missing)}. {advice}")
        raise SystemExit(1) from None
    if codes:
        click.echo("\n".join(examination.codes()))
        return
    raise SystemExit(0 if examination.run(tests=tests) else 1)


class _Examination:
    """Examines every device of the rig once."""

    def __init__(self, tx: Texts, settings: Settings, *, simulated: bool) -> None:
        self.tx = tx
        self.settings = settings
        self.heard: list[Key] = []
        """The keys that the rig received so far."""
        self.clock = _ManualClock()
        self.simulated = _simulate(settings) if simulated else None
        put = self.heard.append
        care = care_of(settings)
        if self.simulated is None:
            self.rig = Rig(settings, put, care=care)
        else:
            factory, bus = self.simulated.factory, self.simulated.bus
            self.rig = Rig(settings, put, care=care, factory=factory, bus=bus, clock=self.clock)

    def codes(self) -> Iterator[str]:
        """Yield what was found in words of the program alone: no port, name or address."""
        if self.simulated is not None:
            yield "rig simulated"
        yield from (f"{part} ok" for part in self.rig.working)
        yield from (f"{error.part} {error.code}" for error in self.rig.missing)
        self.rig.close()
        if self.settings.panel.enabled:
            from hardware.serial_panel.device import probe

            for answer in probe(self.settings.panel):
                silent = "ok" if answer.hello else "no-answer"
                yield f"panel {answer.problem.value if answer.problem else silent}"
        if self.settings.link.enabled:
            with suppress(ImportError):
                from pi_app.link.mqtt.examination import examine

                for tried in examine(self.settings.link):
                    fault = tried.trouble and tried.trouble.fault.value
                    yield f"link-{tried.step.value} {fault or 'ok'}"
        yield from (f"power {flag}" for flag in throttling() or ())

    def run(self, *, tests: bool) -> bool:
        """Print the whole report; return whether the rig is usable."""
        tx = self.tx
        if self.simulated is not None:
            click.echo(tx("cli", "No rig is used on this machine: this is the simulated one."))
        for line in (*self._part_lines(), *self._board_lines()):
            click.echo(line)
        panel = self._report_panel()
        pads = self._report_pads()
        if "window" in self.settings.display.show and not has_screen():
            click.echo(_window_line(tx))
        click.echo(_voice_line(tx, self.settings))
        for line in _link_lines(tx, self.settings.link):
            click.echo(line)
        for line in _power_lines(tx):
            click.echo(line)
        try:
            passed = self._run_tests() if tests else True
        finally:
            self.rig.close()
        worked = set(self.rig_worked)  # as noted before the rig was closed
        on_dial = has_dial(self.settings) and worked & {"joystick", "encoder"}
        has_keys = pads or "keypad" in worked or on_dial
        # the panel has keys and a display of its own
        usable = passed and bool(panel or (has_keys and "oled" in worked))
        click.echo(
            tx("cli", "The rig can be used.")
            if usable
            else tx("cli", "The rig cannot be used: it needs keys and an OLED, or the panel.")
        )
        return usable

    def _part_lines(self) -> Iterator[str]:
        """Yield a line for each configurable part."""
        tx = self.tx
        self.rig_worked = self.rig.working
        missing = {error.part: error for error in self.rig.missing}
        names = [field.name for field in fields(Devices)]
        for part in names:
            # panel and pads have lines of their own; the others are no devices that the rig opens
            if part in {"rig", "panel", "pads", "power_button"}:
                continue
            name = part_name(tx, part)
            if part in self.rig_worked:
                yield tx(
                    "cli",
                    "ok: {part}: {details}",
                    part=name,
                    details=connection_of(part, getattr(self.settings, part)),
                )
            elif part in missing:
                error = missing[part]
                advice = remedy(tx, error, self.settings, self._answering_addresses(error))
                facts = {"part": name, "reason": reason(tx, error), "advice": advice}
                yield tx("cli", "MISSING: {part}: {reason}. {advice}", **facts)
            else:
                yield tx("cli", "off: {part}: switched off in the settings", part=name)

    def _board_lines(self) -> Iterator[str]:
        """Yield a proposal of boards, unless the settings name one; no board can say what it is.

        If a display answers on I2C, the boards with I2C are proposed. A display on SPI cannot
        answer, so otherwise those with SPI are.
        """
        if self.settings.rig.board != "none":
            return
        tx, bus = self.tx, self.simulated.bus if self.simulated else None
        answers = self.settings.oled.bus == "i2c" and find_addresses(self.settings.oled, bus)
        for board in known_boards():
            if board.bus == ("i2c" if answers else "spi"):
                facts = {"name": board.name, "line": f'[rig] board = "{board.word}"'}
                yield tx("cli", "board: is it the {name}? Then set {line}", **facts)

    def _answering_addresses(self, error: DeviceError) -> tuple[int, ...]:
        if error.part != "oled" or error.code != "no-answer" or self.settings.oled.bus != "i2c":
            return ()
        return find_addresses(self.settings.oled, self.simulated.bus if self.simulated else None)

    def _report_panel(self) -> bool:
        """Print lines on the serial panels found; return whether one answers."""
        tx, config = self.tx, self.settings.panel
        if not config.enabled:
            click.echo(
                tx("cli", "off: {part}: switched off in the settings", part=part_name(tx, "panel"))
            )
            return False
        from hardware.serial_panel.device import probe
        from hardware.serial_panel.port import candidates

        answers = probe(config, find=candidates)
        if not answers:
            click.echo(tx("cli", "none: no panel on any USB port (it is not needed)"))
        for answer in answers:
            click.echo(self._panel_line(answer))
        return any(answer.hello is not None for answer in answers)

    def _panel_line(self, answer: "PanelFound") -> str:
        tx, path = self.tx, answer.port
        if answer.problem is not None:
            return port_trouble(tx, path, answer.problem.value)
        if answer.hello is None:
            return tx("cli", "MISSING: {path}: no panel answers. Flash its firmware.", path=path)
        details = f"{path}, {answer.hello.name} {answer.hello.firmware}"
        return tx("cli", "ok: {part}: {details}", part=part_name(tx, "panel"), details=details)

    def _report_pads(self) -> bool:
        """Print a line on each number pad; return whether one can be read."""
        tx, config = self.tx, self.settings.pads
        part = part_name(tx, "pads")
        if not config.enabled:
            click.echo(tx("cli", "off: {part}: switched off in the settings", part=part))
            return False
        from hardware.pads import find, is_taken, try_open

        keyboards = [device for device in find() if device.is_keyboard]
        appliance = is_appliance()
        taken = [device for device in keyboards if is_taken(device, config, appliance=appliance)]
        if not keyboards:
            click.echo(tx("cli", "none: no number pad or keyboard (it is not needed)"))
        worked = False
        for device in keyboards:
            facts = {"part": part, "name": device.name, "details": device.port or device.path}
            if device not in taken:
                click.echo(tx("cli", "off: {part}: {name} ({details}) is left alone here", **facts))
            elif (error := try_open(device.path)) is None:
                worked = True
                click.echo(tx("cli", "ok: {part}: {name} ({details})", **facts))
            else:
                advice = remedy(tx, error, self.settings)
                facts |= {"reason": reason(tx, error), "advice": advice}
                click.echo(tx("cli", "MISSING: {part}: {name}: {reason}. {advice}", **facts))
        return worked

    # --- trying things out

    def _run_tests(self) -> bool:
        """Try picture, lamp, sound and every key; return whether all of them worked."""
        tx = self.tx
        picture = trial_picture()
        self.rig.show(picture)
        if self.simulated is not None:
            return self._run_simulated_tests(picture)
        self.rig.start()
        click.echo(tx("cli", "The OLED shows a frame, letters and suits."))
        for colour in ("FF0000", "00FF00", "0000FF"):
            self.rig.light(colour)
            time.sleep(LOOK_S)
        self.rig.light("000000")
        click.echo(tx("cli", "The lamp was red, green and blue."))
        self.rig.sound("win")
        return self._test_keys()

    def _run_simulated_tests(self, picture: Framebuffer) -> bool:
        """Do the same with the simulated rig, whose OLED can be read and keys pressed."""
        simulated = self.simulated
        if simulated is None:  # `_run_tests` has checked it
            return False
        passed = "oled" not in self.rig_worked or simulated.glass() == picture
        keys = _keys(self.settings, self.rig_worked)
        press_s = 0.1  # longer than keys bounce, and no held key
        for key in keys:
            simulated.down(key)
            self.clock.wait(self.rig, press_s)
            simulated.up(key)
            self.clock.wait(self.rig, press_s)
        passed = passed and self.heard == keys
        tx = self.tx
        click.echo(
            tx("cli", "ok: the test picture was shown and every key was heard")
            if passed
            else tx("cli", "FAILED: the test picture or a key did not come through")
        )
        return passed

    def _test_keys(self, clock: Callable[[], float] = time.monotonic) -> bool:
        """Wait until every key was pressed or the time is up; return whether all were."""
        tx = self.tx
        wanted_keys = _keys(self.settings, self.rig_worked)
        if not wanted_keys:
            return True
        end = clock() + KEY_TEST_S
        click.echo(tx("cli", "Press every key once ({seconds} seconds):", seconds=int(KEY_TEST_S)))
        printed = 0  # the number of heard keys that were printed
        while set(wanted_keys) - set(self.heard) and clock() < end:
            time.sleep(0.05)
            self.rig.tick()
            for key in self.heard[printed:]:
                click.echo(f"  {key}")
            printed = len(self.heard)
        silent = [key for key in wanted_keys if key not in self.heard]
        failed = tx("cli", "FAILED: not heard: {keys}", keys=" ".join(silent))
        click.echo(failed if silent else tx("cli", "ok: every key was heard"))
        return not silent


def connection_of(part: str, config: Any) -> str:
    """Describe how a working part with these settings is connected."""
    if part == "oled":
        if config.bus == "i2c":
            hz = i2c_hz(config.port)
            speed = f", {hz // 1000} kHz" if hz else ""
            return f"{config.driver.upper()}, I2C {config.port}, 0x{config.address:02X}{speed}"
        return f"{config.driver.upper()}, SPI, 8 MHz"
    if pins := [str(pin) for _, pin in pins_of(part, config)]:
        return f"GPIO {' '.join(pins)}"
    # somebody's own device on a bus: what its settings say
    own = [item for item in fields(config) if item.name != "enabled"]
    values = ((item, getattr(config, item.name)) for item in own)
    return ", ".join(
        f"{item.name} {toml_value(value, says_of(item.type))}" for item, value in values
    )


def _simulate(settings: Settings) -> "SimulatedRig":
    """Return a simulated rig; ImportError without gpiozero."""
    from hardware.simulation import SimulatedRig

    return SimulatedRig(settings)


def _keys(settings: Settings, working: tuple[str, ...]) -> list[Key]:
    """Return the keys that the working parts have, each once."""
    keys = list(keys_of(settings.keypad).values()) if "keypad" in working else []
    if "die_buttons" in working:
        keys += [Key(f"DIE{face}") for face in range(1, 7)]
    if "joystick" in working:
        keys += joystick_keys(settings.joystick).values()
    return list(dict.fromkeys(keys))


def trial_picture() -> Framebuffer:
    """Return a test picture on which a wrong offset, a wrong controller or dead rows show."""
    picture = Framebuffer()
    picture.frame(0, 0, 128, 64)
    picture.text(6, 5, "Beisitzer", HEADLINE)
    picture.text(6, 22, "10♥♠♦♣", NUMERALS)
    picture.tag(4, 48, 120, 11)
    picture.text(6, 49, "ÄÖÜäöüß 0123456789", on=False)
    return picture


def _window_line(tx: Texts) -> str:
    """Say whether the window that the settings name can be drawn without a desktop."""
    name = tx("cli", "window")
    try:
        from pi_app.displays.window import bare_trouble, video_drivers
    except ImportError as error:
        trouble = library_words(tx, error, "pygame", "sudo apt install python3-pygame")
        return tx("cli", "MISSING: window: {trouble}", trouble=trouble)
    if trouble := bare_trouble(tx, video_drivers()):
        return tx("cli", "MISSING: window: {trouble}", trouble=trouble)
    return tx("cli", "ok: {part}: {details}", part=name, details="KMS/DRM")


def _voice_line(tx: Texts, settings: Settings) -> str:
    """Say which program speaks, or which to install; a voice is not needed to play."""
    voice = settings.voice
    name = tx("cli", "voice")
    if not has_program(voice.command):
        if voice.level == "off":
            return tx("cli", "off: voice: to have one, sudo apt install espeak-ng")
        return tx(
            "cli",
            "MISSING: voice: nothing runs as {command}. Do: sudo apt install espeak-ng",
            command=voice.command,
        )
    if voice.level == "off":
        return tx("cli", "off: {part}: switched off in the settings", part=name)
    details = f"{voice.command.split()[0]}, {voice.level}, {voice.volume} %"
    return tx("cli", "ok: {part}: {details}", part=name, details=details)


def _link_lines(tx: Texts, settings: LinkSettings) -> Iterator[str]:
    """Say how far the link gets on its way to the broker, and what to do."""
    name = tx("cli", "link")
    if not settings.enabled:
        yield tx("cli", "off: {part}: switched off in the settings", part=name)
        return
    try:
        from pi_app.link.mqtt.examination import BrokerStep, examine
        from pi_app.link.mqtt.trouble import sentence
    except ImportError as error:
        missing = library_words(tx, error, "paho", "pip install 'beisitzer[link]'")
        yield tx("cli", "MISSING: {part}: {details}", part=name, details=missing)
        return
    words: Mapping[BrokerStep, Callable[[str], str]] = {
        BrokerStep.NAME: lambda found: tx("cli", "the broker is at {address}", address=found),
        BrokerStep.PORT: lambda found: tx("cli", "port {port} is open", port=found),
        BrokerStep.CERTIFICATE: lambda found: (
            tx("cli", "{name} with the certificate that was expected", name=found)
            if found
            else tx("cli", "no TLS: whoever is in the network can read along")
        ),
        BrokerStep.LOGIN: lambda found: tx("cli", "login as {name}, with MQTT 5", name=found),
        BrokerStep.RIGHTS: lambda _: tx("cli", "this table may write and read"),
    }
    for tried in examine(settings):
        if tried.trouble is not None:
            why = sentence(tx, tried.trouble.fault)
            yield tx("cli", "MISSING: {part}: {details}", part=name, details=why)
        else:
            yield tx(
                "cli", "ok: {part}: {details}", part=name, details=words[tried.step](tried.found)
            )


def _power_lines(tx: Texts) -> Iterator[str]:
    """Yield lines on the Pi's power supply and temperature."""
    flags = throttling()
    if flags is None:
        return
    if not flags:
        yield tx("cli", "ok: power supply and temperature")
    if any(flag.startswith("under-voltage") for flag in flags):
        yield tx("cli", "WARNING: under-voltage: use a stronger power supply or a shorter cable")
    if any(not flag.startswith("under-voltage") for flag in flags):
        yield tx("cli", "WARNING: the Pi slowed down: it is or was too hot or short of power")
