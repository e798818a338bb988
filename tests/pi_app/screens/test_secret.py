"""Who may see which screen: nobody but the table, unless the one list says otherwise."""

from __future__ import annotations

import importlib
import inspect
import io
import json
import logging
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pi_app
from hardware.keys import Key
from pi_app.card.machine_pages import NetworksScreen
from pi_app.displays.plain import PlainDisplay
from pi_app.link.menu import LinkMenu
from pi_app.network.pages import OwnWifiWelcome
from pi_app.phones.frames import frame_data
from pi_app.phones.menu import PairScreen, PhoneList, PhoneMenu, WelcomeScreen
from pi_app.run.loop import Companion, home
from pi_app.screens.base import Screen, Stay
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.screens.secret import VIEWERS as LISTED
from pi_app.screens.secret import SecretScreen
from pi_app.screens.text_entry import EXACT_DIAL, PasswordEntry
from pi_app.screens.tips import OpenTipScreen
from pi_app.view.frame import Frame, Header, Viewers
from pi_app.view.keying import keys_of_character
from pi_app.view.reading import read_out
from tests.pi_app.card.test_first_start import FakeSystem
from tests.pi_app.displays import menus
from tests.pi_app.pilot import Pilot
from tests.players.dial import Fingers, encoder_settings
from tests.scenes import scenes

SECRET = {
    "link.joining.CodeEntry",
    "network.pages.CodeScreen",
    "network.pages.OwnWifiWelcome",
    "phones.menu.ForgetScreen",
    "phones.menu.PairScreen",
    "phones.menu.PhoneList",
    "screens.hand.HandScreen",
    "phones.menu.WelcomeScreen",
    "screens.empty_chair.cards.BotCardsScreen",
    "screens.players_and_settings.times_tables.TablesScreen",
    "screens.text_entry.PasswordEntry",
    "screens.tips.TipScreen",
}
"""Each new screen is written here, in the list, or says so itself: somebody has to decide."""


EXTRAS = ("card", "link", "network", "phones")
"""The rooms whose screens say themselves who may see them."""


def name_of(kind: type[Any]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def kinds(base: type[Any]) -> Iterator[type[Any]]:
    """Yield every kind of this that is ours and can be shown."""
    for kind in base.__subclasses__():
        yield from kinds(kind)
        if not inspect.isabstract(kind) and kind.__module__.startswith("pi_app."):
            yield kind


@pytest.fixture(name="ours", scope="module")
def _ours() -> dict[str, type[Any]]:
    for module in pkgutil.walk_packages(pi_app.__path__, "pi_app."):
        importlib.import_module(module.name)
    shown = {name_of(kind): kind for base in (Screen, GameTurn) for kind in kinds(base)}
    # a wrapper is viewed as what it shows
    return {name: kind for name, kind in shown.items() if "viewed_as" not in vars(kind)}


@pytest.fixture(name="viewers", scope="module")
def _viewers(ours: dict[str, type[Any]]) -> dict[str, Viewers]:
    """Return who may see each screen that is not secret."""
    said = {name: vars(kind)["viewers"] for name, kind in ours.items() if "viewers" in vars(kind)}
    assert not said.keys() & LISTED.keys()
    assert {name.split(".")[1] for name in said} <= set(EXTRAS), "the core's are on the list"
    return {**LISTED, **said}


def test_every_screen_says_who_may_see_it_or_is_known_to_be_secret(
    ours: dict[str, type[Any]], viewers: dict[str, Viewers]
) -> None:
    secret = {f"pi_app.{name}" for name in SECRET}
    assert not secret & set(viewers)
    assert secret | set(viewers) == set(ours)
    assert not [name for name in LISTED if name.split(".")[1] in EXTRAS]


def test_no_kind_of_hand_or_password_is_shown(
    ours: dict[str, type[Any]], viewers: dict[str, Viewers]
) -> None:
    hidden = {name for name, kind in ours.items() if issubclass(kind, SecretScreen | PasswordEntry)}
    assert hidden & set(viewers) == {name_of(OpenTipScreen)}, "a die lies open on the table"


Shown = dict[str, list[Frame]]


def phones(pilot: Pilot, _folder: Path) -> list[Screen]:
    assert isinstance(pilot.pairing.pair(pilot.pairing.show_code(), "A phone"), str)
    return [
        PhoneMenu(pilot.ctx, pilot.pairing, lambda: PairScreen(pilot.ctx, pilot.pairing)),
        PhoneList(pilot.ctx, pilot.pairing),
        WelcomeScreen(pilot.ctx, pilot.pairing, lambda _: None),
        OwnWifiWelcome(pilot.ctx, pilot.pairing, lambda _: None, "beisitzer", "a password"),
    ]


def networks(pilot: Pilot, _folder: Path) -> list[Screen]:
    system = FakeSystem()
    return [NetworksScreen(pilot.ctx, system, system.networks(), Stay)]


@pytest.fixture(name="shown", scope="module")
def _shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Return the frames of every screen that scenes and the walk through all menus reach."""
    shown: Shown = {}
    with pytest.MonkeyPatch.context() as patch:
        show = Companion.show

        def note(program: Companion) -> None:
            show(program)
            assert program.frame is not None
            shown.setdefault(name_of(program.screen.viewed_as), []).append(program.frame)

        patch.setattr(Companion, "show", note)
        for scene in scenes():
            Pilot.scene(scene, "en").key(scene.keys)
        patch.setattr(menus, "AREAS", {**menus.AREAS, "phones": phones, "networks": networks})
        folder = tmp_path_factory.mktemp("walk")
        for area in menus.AREAS:
            menus.walked(area, "en", folder / area)
    return shown


def test_every_frame_is_for_whom_its_screen_says_and_no_page_gets_a_secret_one(
    shown: Shown, viewers: dict[str, Viewers]
) -> None:
    assert {f"pi_app.{name}" for name in SECRET} <= set(shown), "a secret screen is not reached"
    assert len(shown) > 80
    empty = frame_data(Frame(Header("")), None)
    for name, frames in shown.items():
        for frame in frames:
            assert frame.viewers is viewers.get(name, Viewers.TABLE), name
            assert frame.secret == (name.removeprefix("pi_app.") in SECRET)
            if frame.secret:
                assert frame_data(frame, None) == empty, name
            assert frame_data(frame, None)["paired"] == (frame.viewers is Viewers.HOUSE)


# --- passwords

KEYED = "xQ7.zy-w"
LETTERS = len(KEYED)


def in_the_club(pilot: Pilot, folder: Path) -> None:
    menu = menus.club(pilot, folder)[0]
    assert isinstance(menu, LinkMenu)
    pilot.program.stack = [home(pilot.ctx), menu]
    pilot.program.show()
    pilot.choose("Password")


def of_a_wifi(pilot: Pilot, folder: Path) -> None:
    pilot.program.stack = [home(pilot.ctx), *networks(pilot, folder)]
    pilot.program.show()
    pilot.choose("Home")


def by_keypad(pilot: Pilot) -> None:
    for character in KEYED:
        pilot.key([*keys_of_character(character), Key.STAR])


def by_dial(pilot: Pilot) -> None:
    pilot.ctx.settings = encoder_settings()
    fingers = Fingers(pilot.program, stick=False)
    for character in KEYED:
        fingers.turn_to(EXACT_DIAL.index(character))
        fingers.press(Key.PUSH)


@pytest.mark.parametrize("key", [by_keypad, by_dial])
@pytest.mark.parametrize("ask", [in_the_club, of_a_wifi])
def test_a_password_reaches_the_table_s_own_displays_only_and_no_letter_but_the_last(
    ask: Callable[[Pilot, Path], None],
    key: Callable[[Pilot], None],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    pilot = menus.pilot_of("club", "en", tmp_path / "pilot")
    ask(pilot, tmp_path)
    stream = io.StringIO()
    plain, recorder = PlainDisplay(stream), pilot.recorder
    pilot.program.outputs = [plain, recorder]
    recorder.frames.clear()
    key(pilot)
    screen, frames = pilot.program.screen, recorder.frames
    assert isinstance(screen, PasswordEntry)
    assert screen.text == KEYED
    assert len(frames) >= LETTERS
    shown, spoken = set(), set()
    for frame in frames:
        assert frame.secret
        assert frame_data(frame, None) == frame_data(Frame(Header("")), None)
        entry = frame.body.entry
        if entry is not None and entry.aloud:  # else the dial is on a key of the screen
            text = entry.text.rstrip("_")
            assert set(text[:-1]) <= {"*"}
            shown.add(text[-1:])
            spoken.add(read_out(frame)[1].text)
    assert set(KEYED) <= shown, "the table sees each letter"
    assert spoken - {"..."} == {f"letter {n}" for n in range(1, LETTERS + 1)}
    said = {json.loads(line)["entry"]["text"] for line in stream.getvalue().splitlines()}
    assert said >= spoken
    assert not [text for text in said if text in KEYED]
    assert KEYED not in caplog.text
