"""The screens without a scene, walked by keys: System, Wi-Fi, club, stick, updates, first start."""

from collections.abc import Callable
from pathlib import Path

import pytest

from beisitzer.testing.pilot import keys_to
from pi_app.card.first_start import MachineMenu
from pi_app.card.stick_menu import StickMenu
from pi_app.card.updates import Updates, UpdatesMenu
from pi_app.extras.link import ClubPart
from pi_app.link.joining import AddressEntry, CodeEntry, CompareScreen
from pi_app.link.menu import LinkMenu
from pi_app.link.protocol import JoinOutcome
from pi_app.link.table import LinkAtTable
from pi_app.network.pages import CodeScreen, OwnWifiMenu
from pi_app.phones.output import Phones
from pi_app.run.loop import home
from pi_app.screens.base import Screen
from pi_app.screens.players_and_settings.system import SystemMenu
from pi_app.view.frame import Frame
from tests.pi_app.card.sticks import FolderStick
from tests.pi_app.card.test_first_start import FirstTable
from tests.pi_app.card.test_updates import Root
from tests.pi_app.network.test_pages import NAME, SECRET, Service
from tests.pi_app.pilot import Pilot

DEEP = 6
"""How many lists follow one another."""
MOST = 40
"""How many choices of a list are tried: time zones are as many as there are."""


def system(pilot: Pilot, _folder: Path) -> list[Screen]:
    return [SystemMenu(pilot.ctx)]


def club(pilot: Pilot, folder: Path) -> list[Screen]:
    phones = Phones(pilot.program, None, folder / "phones.sock")
    outbox, offers = ClubPart(pilot.ctx).parts()
    link = LinkAtTable(pilot.program, outbox, offers, lambda: phones)
    outcome = JoinOutcome(number=1, mark="1234 5678 9012 3456 7890")
    place = ("10.0.0.7", 8000)
    return [
        LinkMenu(pilot.ctx, link),
        AddressEntry(pilot.ctx, link),
        CompareScreen(pilot.ctx, link, place, outcome),
        CodeEntry(pilot.ctx, link, place),
    ]


def wifi(pilot: Pilot, _folder: Path) -> list[Screen]:
    return [OwnWifiMenu(pilot.ctx, Service()), CodeScreen(pilot.ctx, NAME, SECRET)]


def stick(pilot: Pilot, folder: Path) -> list[Screen]:
    settings, store = folder / "settings.toml", folder / "games"
    return [StickMenu(pilot.ctx, FolderStick(folder / "stick"), settings, store)]


def updates(pilot: Pilot, folder: Path) -> list[Screen]:
    root = Root(folder / "update")
    root.put("ready-0.2.0")
    return [UpdatesMenu(pilot.ctx, Updates(root.folder, "0.1.0", root.ask, root.pause))]


def machine(pilot: Pilot, _folder: Path) -> list[Screen]:
    assert isinstance(pilot, FirstTable)
    return [pilot.first.begin(), MachineMenu(pilot.first)]


AREAS: dict[str, Callable[[Pilot, Path], list[Screen]]] = {
    "system": system, "club": club, "wifi": wifi, "stick": stick, "updates": updates,
    "machine": machine,
}  # fmt: skip


def pilot_of(area: str, language: str, folder: Path) -> Pilot:
    folder.mkdir()
    if area == "machine":
        return FirstTable(folder, language=language)
    pilot = Pilot(None, language)
    pilot.ctx.save = lambda _key, _value: None
    return pilot


Frames = dict[tuple[int, ...], Frame]
"""Frames by the places that were chosen in the lists before them."""


def walked(area: str, language: str, folder: Path) -> Frames:
    """Return all frames of an area, without what this machine has: addresses, keyboards."""
    frames: Frames = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pi_app.card.first_start.addresses", tuple)
        patch.setattr("pi_app.card.first_start.find", list)
        pilot = pilot_of(area, language, folder)
        for number, screen in enumerate(AREAS[area](pilot, folder)):
            pilot.program.stack = [home(pilot.ctx), screen]
            _visit(pilot, (number,), frames)
    return frames


def _visit(pilot: Pilot, path: tuple[int, ...], frames: Frames) -> None:
    """Note what is shown, and what each choice of it leads to."""
    program, texts = pilot.program, pilot.ctx.texts
    program.show()
    frame = pilot.frame
    if frame in frames.values() or len(program.stack) == 1:  # home is a scene
        return
    frames[path] = frame
    if frame.body.choices is None or len(path) > DEEP:
        return
    stack = list(program.stack)
    for place in range(min(len(frame.body.choices.items), MOST)):
        program.stack = list(stack)
        program.show()
        choices = pilot.frame.body.choices
        if choices is None:
            return
        pilot.key(keys_to(choices, place))
        program.quit = None
        if pilot.ctx.texts.language == texts.language:
            _visit(pilot, (*path, place), frames)
        else:
            pilot.ctx.texts = texts
