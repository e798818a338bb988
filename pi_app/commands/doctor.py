"""`beisitzer doctor`: which devices of the rig work, why others do not, and what to do."""

import socket
from collections.abc import Iterator, Mapping
from dataclasses import fields
from math import inf
from typing import TYPE_CHECKING, Any

import click

from hardware.boards import known_boards
from hardware.config import Devices, has_dial, pins_of, says_of
from hardware.errors import DeviceError, device_error
from hardware.keys import Key
from hardware.pins import is_wanted
from hardware.probe import find_addresses, i2c_hz, throttling
from hardware.rig import Rig
from pi_app.commands.console import lang_option, load_settings
from pi_app.commands.device_sentences import part_name, port_trouble, reason, remedy
from pi_app.displays.rig import care_of
from pi_app.run.opening import has_screen
from pi_app.run.systemd import is_appliance
from pi_app.settings.schema import Settings, toml_value
from pi_app.system.host import has_program
from pi_app.texts.language import Texts, language_for
from pi_app.texts.libraries import library_words

if TYPE_CHECKING:
    from hardware.serial_panel import PanelFound
    from hardware.simulation import SimulatedRig

CONNECT_S = 5.0
"""How long a hub or a broker may take to answer at all."""


@click.command()
@click.option("--simulate", is_flag=True, help="Try the simulated rig even on a Pi.")
@click.option(
    "--watch", "watching", is_flag=True, help="Try picture, lamp and sound; show what keys send."
)
@click.option("--seconds", type=click.FloatRange(min=0), help="End --watch after SECONDS.")
@lang_option
@click.option("--codes", is_flag=True, hidden=True)  # for `beisitzer report`
def doctor(
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

        watch(tx, settings, inf if seconds is None else seconds)
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
    raise SystemExit(0 if examination.run() else 1)


class _Examination:
    """Examines every device of the rig once."""

    def __init__(self, tx: Texts, settings: Settings, *, simulated: bool) -> None:
        self.tx = tx
        self.settings = settings
        self.simulated = _simulate(settings) if simulated else None
        care = care_of(settings)
        if self.simulated is None:
            self.rig = Rig(settings, _forget, care=care)
        else:
            factory, bus = self.simulated.factory, self.simulated.bus
            self.rig = Rig(settings, _forget, care=care, factory=factory, bus=bus)

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
        for end, (host, port) in _ends(self.settings).items():
            yield f"{end} {_unreachable(host, port) or 'ok'}"
        yield from (f"power {flag}" for flag in throttling() or ())

    def run(self) -> bool:
        """Print the whole report; return whether the rig is usable."""
        tx = self.tx
        if self.simulated is not None:
            click.echo(tx("cli", "No rig is used on this machine: this is the simulated one."))
        worked = set(self.rig.working)
        panel, pads = self._panel_lines(), self._pad_lines()
        more = _more_lines(tx, self.settings)
        for line in (*self._part_lines(), *self._board_lines(), *panel, *pads, *more):
            click.echo(line)
        self.rig.close()
        on_dial = has_dial(self.settings) and worked & {"joystick", "encoder"}
        ok = tx("cli", "ok")
        panel_works, pads_work = (any(line.startswith(ok) for line in own) for own in (panel, pads))
        has_keys = pads_work or "keypad" in worked or on_dial
        # the panel has keys and a display of its own
        usable = bool(panel_works or (has_keys and "oled" in worked))
        click.echo(
            tx("cli", "The rig can be used.")
            if usable
            else tx("cli", "The rig cannot be used: it needs keys and an OLED, or the panel.")
        )
        return usable

    def _part_lines(self) -> Iterator[str]:
        """Yield a line for each configurable part."""
        tx = self.tx
        missing = {error.part: error for error in self.rig.missing}
        for part in (field.name for field in fields(Devices)):
            # panel and pads have lines of their own; the others are no devices that the rig opens
            if part in {"rig", "panel", "pads", "power_button"}:
                continue
            name = part_name(tx, part)
            if part in self.rig.working:
                yield ok_line(tx, name, connection_of(part, getattr(self.settings, part)))
            elif part in missing:
                error = missing[part]
                advice = remedy(tx, error, self.settings, self._answering_addresses(error))
                yield missing_line(tx, name, f"{reason(tx, error)}. {advice}")
            else:
                yield off_line(tx, name)

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

    def _panel_lines(self) -> list[str]:
        """Return a line on each serial panel that was found."""
        tx, config = self.tx, self.settings.panel
        if not config.enabled:
            return [off_line(tx, part_name(tx, "panel"))]
        from hardware.serial_panel.device import probe
        from hardware.serial_panel.port import candidates

        lines = [self._panel_line(answer) for answer in probe(config, find=candidates)]
        return lines or [tx("cli", "none: no panel on any USB port (it is not needed)")]

    def _panel_line(self, answer: "PanelFound") -> str:
        tx, path = self.tx, answer.port
        if answer.problem is not None:
            return missing_line(tx, path, port_trouble(tx, answer.problem.value))
        if answer.hello is None:
            return missing_line(tx, path, tx("cli", "no panel answers. Flash its firmware."))
        details = f"{path}, {answer.hello.name} {answer.hello.firmware}"
        return ok_line(tx, part_name(tx, "panel"), details)

    def _pad_lines(self) -> list[str]:
        """Return a line on each number pad."""
        tx, config = self.tx, self.settings.pads
        part = part_name(tx, "pads")
        if not config.enabled:
            return [off_line(tx, part)]
        from hardware.pads import find, is_taken, try_open

        lines = []
        for device in (device for device in find() if device.is_keyboard):
            name = f"{device.name} ({device.port or device.path})"
            if not is_taken(device, config, appliance=is_appliance()):
                lines.append(off_line(tx, part, tx("cli", "{name} is left alone here", name=name)))
            elif (error := try_open(device.path)) is None:
                lines.append(ok_line(tx, part, name))
            else:
                why = f"{device.name}: {reason(tx, error)}. {remedy(tx, error, self.settings)}"
                lines.append(missing_line(tx, part, why))
        return lines or [tx("cli", "none: no number pad or keyboard (it is not needed)")]


def _forget(_key: Key) -> None:
    """Take a key, which nobody waits for."""


def ok_line(tx: Texts, part: str, details: str) -> str:
    """Say that a part works, and how it is connected."""
    ok = tx("cli", "ok")
    return f"{ok}: {part}: {details}"


def missing_line(tx: Texts, part: str, details: str) -> str:
    """Say that a part does not work, why, and what to do."""
    missing = tx("cli", "MISSING")
    return f"{missing}: {part}: {details}"


def off_line(tx: Texts, part: str, details: str = "") -> str:
    """Say that a part is not wanted."""
    off, details = tx("cli", "off"), details or tx("cli", "switched off in the settings")
    return f"{off}: {part}: {details}"


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


def _more_lines(tx: Texts, settings: Settings) -> Iterator[str]:
    """Yield lines on what is no part of the rig."""
    if "window" in settings.display.show and not has_screen():
        yield _window_line(tx)
    yield _voice_line(tx, settings)
    yield from _link_lines(tx, settings)
    yield from _power_lines(tx)


def _window_line(tx: Texts) -> str:
    """Say whether the window that the settings name can be drawn without a desktop."""
    name = tx("cli", "window")
    try:
        from pi_app.displays.window import bare_trouble, video_drivers
    except ImportError as error:
        trouble = library_words(tx, error, "pygame", "sudo apt install python3-pygame")
    else:
        trouble = bare_trouble(tx, video_drivers())
    return missing_line(tx, name, trouble) if trouble else ok_line(tx, name, "KMS/DRM")


def _voice_line(tx: Texts, settings: Settings) -> str:
    """Say which program speaks, or which to install; a voice is not needed to play."""
    voice = settings.voice
    name = tx("cli", "voice")
    if voice.level != "off" and has_program(voice.command):
        details = f"{voice.command.split()[0]}, {voice.level}, {voice.volume} %"
        return ok_line(tx, name, details)
    if has_program(voice.command):
        return off_line(tx, name)
    nothing = tx("cli", "nothing runs as {command}.", command=voice.command)
    advice = tx("cli", "Do: sudo apt install {packages}", packages="espeak-ng")
    line = off_line if voice.level == "off" else missing_line
    return line(tx, name, f"{nothing} {advice}")


def _ends(settings: Settings) -> Mapping[str, tuple[str, int]]:
    """Return where the link connects to: the club's hub, the house's broker."""
    club, home = settings.club, settings.home
    ends = {"club": (club.host, club.port)} if club.enabled else {}
    return {**ends, "home": (home.host, home.port)} if home.enabled else ends


def _unreachable(host: str, port: int) -> str:
    """Return `name` if nobody knows the host, `away` if nothing listens there, else ""."""
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (socket.gaierror, UnicodeError):  # a name that is none cannot be encoded
        return "name"
    except OSError:
        return "away"
    return ""


def _link_lines(tx: Texts, settings: Settings) -> Iterator[str]:
    """Say whether hub and broker are there; the table says what they answer."""
    ends = _ends(settings)
    if not ends:
        yield off_line(tx, tx("cli", "club"))
    for end, (host, port) in ends.items():
        from pi_app.link.words import why_words  # a table without a club does without

        name = tx("cli", "club") if end == "club" else tx("cli", "smart home")
        why, place = _unreachable(host, port), f"{host}:{port}"
        if why:
            yield missing_line(tx, name, f"{place}: {why_words(tx, end, why)}")
        else:
            yield ok_line(tx, name, place)


def _power_lines(tx: Texts) -> Iterator[str]:
    """Yield lines on the Pi's power supply and temperature."""
    flags = throttling()
    if flags is None:
        return
    if not flags:
        yield ok_line(tx, "Pi", tx("cli", "power supply and temperature"))
    if any(flag.startswith("under-voltage") for flag in flags):
        yield tx("cli", "WARNING: under-voltage: use a stronger power supply or a shorter cable")
    if any(not flag.startswith("under-voltage") for flag in flags):
        yield tx("cli", "WARNING: the Pi slowed down: it is or was too hot or short of power")
