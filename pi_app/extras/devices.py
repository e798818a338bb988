"""Devices beside a display: rig, panel, number pads, loudspeaker, voice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click import Option
from click import Path as PathType

from hardware.keys import Key
from pi_app.run.extras import Extra, Start
from pi_app.run.loop import Companion
from pi_app.settings.schema import Settings


class DeviceExtra(Extra):
    """A device; key scripts import and open none."""

    def wanted(self, settings: Settings, start: Start) -> bool:
        return not start.scripted


class RigDevice(DeviceExtra):
    """The rig on the GPIO header."""

    def attach(self, program: Companion, start: Start) -> None:
        from pi_app.displays.rig import open_rig_output

        rig = open_rig_output(program.ctx.settings, program.keys.put)
        if rig is not None:
            program.follow(rig)
            program.offered["rig"] = rig
            program.display = "useful"


class PanelDevice(DeviceExtra):
    """The panel on a serial port; a named panel replaces any other display."""

    options: Sequence[Option] = (Option(["--panel"], help="Serial PORT of the panel."),)

    def attach(self, program: Companion, start: Start) -> None:
        from pi_app.displays.serial_panel import open_panel, panel_is_there

        config, port = program.ctx.settings.panel, start.options.get("panel")
        for panel in open_panel(config, port, program.keys.put, program.keys.wake):
            program.follow(panel)
        if port is not None:
            program.display = "replaced"
        elif panel_is_there(config):
            program.display = "useful"


class PadsDevice(DeviceExtra):
    """Number pads and keyboards; their keys also wake the rig's display."""

    def attach(self, program: Companion, start: Start) -> None:
        from pi_app.run.pads import PadsInput

        ctx, rig = program.ctx, program.offered.get("rig")

        def hear(key: Key) -> bool:
            if rig is not None:
                rig.note_own_key()
            return program.keys.put(key)

        config, wake = ctx.settings.pads, program.keys.wake
        if config.enabled:
            language = ctx.texts.language
            program.follow(PadsInput(config, hear, wake, language, appliance=ctx.appliance))


class SpeakerDevice(DeviceExtra):
    """The loudspeaker for signals, by default only in a service without a buzzer."""

    def attach(self, program: Companion, start: Start) -> None:
        wanted, rig = program.ctx.settings.sounds.speaker, program.offered.get("rig")
        buzzes = rig is not None and "buzzer" in rig.rig.working
        if wanted is False or (wanted == "auto" and (buzzes or not program.ctx.appliance)):
            return
        from pi_app.displays.sound.loudspeaker import SpeakerOutput

        program.follow(SpeakerOutput(program.ctx.settings.sounds))


class VoiceDevice(Extra):
    """The voice; with a key script only if others join."""

    def wanted(self, settings: Settings, start: Start) -> bool:
        return not start.scripted or bool(start.options.get("web"))

    def attach(self, program: Companion, start: Start) -> None:
        from pi_app.displays.sound.voice import VoiceOutput

        program.follow(VoiceOutput(program.ctx.settings, lambda: program.ctx.texts))


class ShotsDevice(Extra):
    """Saves pictures of each new frame in a folder: the OLED's and perhaps the window's."""

    options: Sequence[Option] = (
        Option(
            ["--shots"],
            type=PathType(path_type=Path),
            metavar="PATH",
            help="Write each new frame to DIR.",
        ),
    )

    def wanted(self, settings: Settings, start: Start) -> bool:
        return bool(start.options.get("shots"))

    def attach(self, program: Companion, start: Start) -> None:
        from pi_app.displays.shots import open_shots

        for shots in open_shots(start.options["shots"]):
            program.follow(shots)


RIG, PANEL, PADS = RigDevice(), PanelDevice(), PadsDevice()
SPEAKER, VOICE, SHOTS = SpeakerDevice(), VoiceDevice(), ShotsDevice()
