"""`beisitzer doctor`: which devices of the rig work, why others do not, and what to do."""

import socket
from collections.abc import Iterator
from dataclasses import fields
from math import inf
from typing import Any

import click

from hardware.boards import known_boards
from hardware.config import Devices, has_dial, pins_of, says_of
from hardware.pins import is_wanted
from hardware.probe import find_addresses, i2c_hz, throttling
from hardware.rig import Rig
from pi_app.commands.console import lang_option, load_settings
from pi_app.commands.device_sentences import port_trouble, reason, remedy
from pi_app.displays.rig import care_of
from pi_app.extras.displays import has_screen
from pi_app.link.settings import ClubSettings, HomeSettings
from pi_app.run.systemd import is_appliance
from pi_app.screens.players_and_settings.setting_words import table_words
from pi_app.settings.schema import Settings, toml_value
from pi_app.system.host import has_program
from pi_app.texts.common import join_choices
from pi_app.texts.language import Text, Texts, language_for
from pi_app.texts.libraries import library_words

CONNECT_S = 5.0
"""How long a hub or a broker may take to accept a connection."""


@click.command()
@click.option(
    "--watch", "watching", is_flag=True, help="Try picture, lamp and sound; show each key."
)
@click.option("--seconds", type=click.FloatRange(min=0), help="End --watch after SECONDS.")
@lang_option
@click.option("--codes", is_flag=True, hidden=True)  # for `beisitzer report`
def doctor(
    seconds: float | None,
    lang: str | None,
    *,
    watching: bool,
    codes: bool,
) -> None:
    """Check every device; --watch shows each key you press.

    Status 0 means that you can play on this rig.
    """
    settings = load_settings()
    tx = Texts(language_for(lang or settings.language))
    if watching:
        from pi_app.commands.watch import watch  # not needed without --watch

        watch(tx, settings, inf if seconds is None else seconds)
        return
    examination = _Examination(tx, settings)
    if codes:
        click.echo("\n".join(examination.codes()))
        return
    raise SystemExit(0 if examination.run() else 1)


_MARKS = {
    "ok": Text("cli", "ok"),
    "missing": Text("cli", "MISSING"),
    "off": Text("cli", "off"),
}


class _Examination:
    """Examines every device of the rig once, and the devices beside it."""

    def __init__(self, tx: Texts, settings: Settings) -> None:
        self.tx = tx
        self.settings = settings
        self.rig: Rig | None = None
        if is_wanted(settings.rig):
            # its keys are ignored
            self.rig = Rig(settings, lambda _key: None, care=care_of(settings))
        ends: dict[str, ClubSettings | HomeSettings] = {
            "club": settings.of(ClubSettings),
            "home": settings.of(HomeSettings),
        }
        self.ends = {name: (end.host, end.port) for name, end in ends.items() if end.enabled}
        """Where the link connects to: the club's hub, the house's broker."""

    def codes(self) -> Iterator[str]:
        """Yield the findings in the program's own words, without any port, name or address."""
        if self.rig is None:
            yield "rig none"
        else:
            yield from (f"{part} ok" for part in self.rig.working)
            yield from (f"{error.part} {error.code}" for error in self.rig.missing)
            self.rig.close()
        if self.settings.panel.enabled:
            from hardware.serial_panel.device import probe

            for answer in probe(self.settings.panel):
                silent = "ok" if answer.hello else "no-answer"
                yield f"panel {answer.problem.value if answer.problem else silent}"
        yield from (f"{end} {_unreachable(*place) or 'ok'}" for end, place in self.ends.items())
        yield from (f"power {flag}" for flag in throttling() or ())

    def run(self) -> bool:
        """Print the whole report; return whether the rig is usable, or no rig is needed."""
        tx, settings, rig = self.tx, self.settings, self.rig
        if rig is None:
            click.echo(tx("cli", "No rig is used on this machine."))
        else:
            self._say_parts(rig)
            if settings.rig.board == "none":
                self._ask_for_board()
        panel_works, pads_work = self._say_panels(), self._say_pads()
        if "window" in settings.display.show and not has_screen():
            self._say_window()
        self._say_voice()
        self._say_link()
        self._say_power()
        if rig is None:
            return True
        worked = set(rig.working)
        rig.close()
        on_dial = has_dial(settings) and worked & {"joystick", "encoder"}
        has_keys = pads_work or "keypad" in worked or on_dial
        # a panel has keys and a display, so the rig is not needed
        usable = bool(panel_works or (has_keys and "oled" in worked))
        click.echo(
            tx("cli", "The rig can be used.")
            if usable
            else tx("cli", "The rig cannot be used: it needs keys and an OLED, or the panel.")
        )
        return usable

    def _say(self, mark: str, part: str, details: str = "") -> None:
        """Print whether a part works, and how it is connected or what to do."""
        details = details or self.tx("cli", "switched off in the settings")
        click.echo(f"{self.tx.say(_MARKS, mark)}: {part}: {details}")

    def _say_parts(self, rig: Rig) -> None:
        """Print a line for each configurable part."""
        tx, settings = self.tx, self.settings
        missing = {error.part: error for error in rig.missing}
        for part in (field.name for field in fields(Devices)):
            # panel and pads have their own lines; the rig opens no others
            if part in {"rig", "panel", "pads", "power_button"}:
                continue
            name = table_words(tx, part)
            if part in rig.working:
                self._say("ok", name, connection_of(part, getattr(settings, part)))
            elif part in missing:
                error, silent = missing[part], ("oled", "no-answer")
                asks = (error.part, error.code) == silent and settings.oled.bus == "i2c"
                answers = find_addresses(settings.oled) if asks else ()
                advice = remedy(tx, error, settings, answers)
                self._say("missing", name, f"{reason(tx, error)}. {advice}")
            else:
                self._say("off", name)

    def _ask_for_board(self) -> None:
        """Ask which board it is, if the settings name none, as no board can identify itself.

        If a display answers on I2C, the boards with I2C are named. A display on SPI cannot answer,
        so otherwise those with SPI are.
        """
        oled = self.settings.oled
        bus = "i2c" if oled.bus == "i2c" and find_addresses(oled) else "spi"
        boards = [f'"{board.word}" ({board.name})' for board in known_boards() if board.bus == bus]
        words = {"boards": join_choices(self.tx, boards)}
        click.echo(self.tx("cli", "board: if it is one of these, set rig.board: {boards}", **words))

    def _say_panels(self) -> bool:
        """Print a line on each serial panel that was found; return whether one works."""
        tx, config, works = self.tx, self.settings.panel, False
        part = table_words(tx, "panel")
        if not config.enabled:
            self._say("off", part)
            return False
        from hardware.serial_panel.device import probe
        from hardware.serial_panel.port import candidates

        answers = probe(config, find=candidates)
        for answer in answers:
            if answer.problem is not None:
                self._say("missing", answer.port, port_trouble(tx, answer.problem.value))
            elif answer.hello is None:
                advice = tx("cli", "no panel answers. Flash its firmware.")
                self._say("missing", answer.port, advice)
            else:
                works = True
                self._say("ok", part, f"{answer.port}, {answer.hello.name} {answer.hello.firmware}")
        if not answers:
            click.echo(tx("cli", "none: no panel on any USB port (it is not needed)"))
        return works

    def _say_pads(self) -> bool:
        """Print a line on each number pad; return whether one works."""
        tx, config, works = self.tx, self.settings.pads, False
        part = table_words(tx, "pads")
        if not config.enabled:
            self._say("off", part)
            return False
        from hardware.pads import find, is_taken, try_open

        devices = [device for device in find() if device.is_keyboard]
        for device in devices:
            name = f"{device.name} ({device.port or device.path})"
            if not is_taken(device, config, appliance=is_appliance()):
                self._say("off", part, tx("cli", "{name} is left alone here", name=name))
            elif (error := try_open(device.path)) is None:
                works = True
                self._say("ok", part, name)
            else:
                advice = remedy(tx, error, self.settings)
                self._say("missing", part, f"{device.name}: {reason(tx, error)}. {advice}")
        if not devices:
            click.echo(tx("cli", "none: no number pad or keyboard (it is not needed)"))
        return works

    def _say_window(self) -> None:
        """Say whether the window that the settings name can be drawn without a desktop."""
        try:
            from pi_app.displays.window import bare_trouble, video_drivers
        except ImportError as error:
            trouble = library_words(self.tx, error, "pygame", "sudo apt install python3-pygame")
        else:
            trouble = bare_trouble(self.tx, video_drivers())
        self._say("missing" if trouble else "ok", self.tx("cli", "window"), trouble or "KMS/DRM")

    def _say_voice(self) -> None:
        """Say which program speaks, or which to install; a voice is not needed to play."""
        tx, voice = self.tx, self.settings.voice
        is_off, details = voice.level == "off", ""
        mark = "off" if is_off else "ok"
        if not has_program(voice.command):
            mark = "off" if is_off else "missing"
            nothing = tx("cli", "nothing runs as {command}.", command=voice.command)
            advice = tx("cli", "Do: sudo apt install {packages}", packages="espeak-ng")
            details = f"{nothing} {advice}"
        elif not is_off:
            details = f"{voice.command.split()[0]}, {voice.level}, {voice.volume} %"
        self._say(mark, table_words(tx, "voice"), details)

    def _say_link(self) -> None:
        """Say whether hub and broker are reachable; the table shows their answers."""
        tx = self.tx
        if not self.ends:
            self._say("off", table_words(tx, "club"))
        for end, (host, port) in self.ends.items():
            from pi_app.link.words import why_words  # only needed with a club

            name = table_words(tx, end)
            why, place = _unreachable(host, port), f"{host}:{port}"
            if why:
                self._say("missing", name, f"{place}: {why_words(tx, end, why)}")
            else:
                self._say("ok", name, place)

    def _say_power(self) -> None:
        """Say how the Pi's power supply and temperature are."""
        tx, flags = self.tx, throttling()
        if flags is None:
            return
        low = [flag.startswith("under-voltage") for flag in flags]
        if not flags:
            self._say("ok", "Pi", tx("cli", "power supply and temperature"))
        if any(low):
            click.echo(
                tx("cli", "WARNING: under-voltage: use a stronger power supply or a shorter cable")
            )
        if not all(low):
            click.echo(
                tx("cli", "WARNING: the Pi slowed down: it is or was too hot or short of power")
            )


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
    # an own device on a bus: described by its settings
    own = [item for item in fields(config) if item.name != "enabled"]
    values = ((item, getattr(config, item.name)) for item in own)
    return ", ".join(
        f"{item.name} {toml_value(value, says_of(item.type))}" for item, value in values
    )


def _unreachable(host: str, port: int) -> str:
    """Return `name` for an unknown host, `away` if nothing listens there, else ""."""
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (socket.gaierror, UnicodeError):  # a malformed name cannot be encoded
        return "name"
    except OSError:
        return "away"
    return ""
