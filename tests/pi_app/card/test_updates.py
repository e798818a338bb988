"""What the table is told of newer programs, and when it starts anew with one."""

import os
from pathlib import Path
from typing import Literal

import pytest

from hardware.keys import Key
from pi_app.card.helper import HelperError
from pi_app.card.settings import UpdateSettings
from pi_app.card.updates import (
    FIRST_LOOK_S,
    IDLE_S,
    LOOK_EVERY_S,
    Updates,
    UpdatesMenu,
    UpdateWatch,
    system_items,
)
from pi_app.extras import machine as extra
from pi_app.run.extras import Start
from pi_app.settings.schema import value_of
from pi_app.store import Store
from tests.pi_app.pilot import Pilot, at_once

AT = 1_790_000_000


class Root:
    """Root's updater and its notes, as the program sees them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.fails = False
        self.finds = ""
        folder.mkdir()

    def put(self, *names: str) -> None:
        for path in self.folder.glob("*.deb"):
            path.unlink()
        for name in names:
            (self.folder / f"{name}.deb").touch()

    def note(self, fault: str = "") -> None:
        (self.folder / "looked").unlink(missing_ok=True)
        (self.folder / "looked").write_text(fault)
        os.utime(self.folder / "looked", (AT, AT))

    def ask(self, name: str, **values: str) -> dict[str, object]:
        self.asked.append(" ".join((name, *values.values())))
        if self.fails:
            raise HelperError("failed")
        return {}

    def pause(self, seconds: float) -> None:
        """Time passes: root's look comes to its end."""
        assert seconds
        if self.finds:
            self.put(f"ready-{self.finds}")
        self.note()


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Root:
    return Root(tmp_path / "update")


@pytest.fixture(name="updates")
def _updates(root: Root) -> Updates:
    return Updates(root.folder, "0.1.0", root.ask, root.pause)


@pytest.fixture(name="pilot")
def _pilot(tmp_path: Path) -> Pilot:
    tags = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
    pilot = Pilot(tags, store=tmp_path / "games")
    pilot.ctx.worker.attach(at_once, lambda work: work())
    return pilot


@pytest.fixture(name="watch")
def _watch(pilot: Pilot, updates: Updates) -> UpdateWatch:
    watch = UpdateWatch(pilot.program, updates)
    pilot.program.follow(watch)
    return watch


def pass_time(pilot: Pilot, seconds: float) -> None:
    pilot.clock.now += seconds


def open_menu(pilot: Pilot, updates: Updates) -> UpdatesMenu:
    menu = UpdatesMenu(pilot.ctx, updates)
    pilot.program.stack.append(menu)
    pilot.program.show()
    return menu


# --- by itself


def test_a_version_that_is_ready_is_installed_when_nobody_has_touched_a_key_for_half_an_hour(
    pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    watch._look_at = float("inf")
    root.put("ready-0.2.0")
    for _ in range(2):
        pilot.key("5")
        pass_time(pilot, IDLE_S - 1)
        watch.poll()
        assert not root.asked
    pass_time(pilot, 1)
    watch.poll()
    watch.poll()
    assert root.asked == ["update-install"]
    pass_time(pilot, IDLE_S)  # it failed
    watch.poll()
    assert root.asked == ["update-install"] * 2


@pytest.mark.parametrize("take", ["stable", "testing"])
def test_it_is_looked_for_a_newer_version_now_and_then(
    take: Literal["stable", "testing"], pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    pilot.ctx.settings = pilot.ctx.settings.plus(UpdateSettings(take))
    root.fails = True  # and for all that goes on
    found = []
    for minute in range(int(LOOK_EVERY_S + FIRST_LOOK_S) // 60 + 1):
        watch.poll()
        if root.asked:
            found.append((minute, root.asked.pop()))
        pass_time(pilot, 60)
    assert found == [(20, f"update-look {take}"), (380, f"update-look {take}")]


@pytest.mark.parametrize("why", ["nothing ready", "refused", "running", "off", "in memory only"])
def test_nothing_is_installed_without_a_good_reason(
    why: str, pilot: Pilot, root: Root, watch: UpdateWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch._look_at = float("inf")
    root.put(*{"nothing ready": (), "refused": ("refused-0.2.0", "before"),
               "running": ("ready-0.1.0",)}.get(why, ("ready-0.2.0",)))  # fmt: skip
    if why == "off":
        watch._look_at = 0
        pilot.ctx.settings = pilot.ctx.settings.plus(UpdateSettings("off"))
    elif why == "in memory only":
        monkeypatch.setattr(Store, "trouble", "full")
    pass_time(pilot, 10 * IDLE_S)
    watch.poll()
    assert not root.asked


# --- under System


def test_system_says_that_a_version_is_ready(pilot: Pilot, root: Root, updates: Updates) -> None:
    assert [text for text, _ in system_items(pilot.ctx, updates)] == ["Updates"]
    root.put("ready-0.2.0")
    ((text, _),) = system_items(pilot.ctx, updates)
    assert text == "0.2.0 ready: install?"


@pytest.mark.parametrize(
    ("name", "item"), [("ready", "Install 0.2.0"), ("refused", "Try 0.2.0 again")]
)
def test_installing_is_one_key_away(
    name: str, item: str, pilot: Pilot, root: Root, updates: Updates
) -> None:
    root.put(f"{name}-0.2.0")
    menu = open_menu(pilot, updates)
    assert menu.items[0] == item
    assert ("0.2.0 did not start." in menu.frame().body.lines) == (name == "refused")
    pilot.key("1")
    pilot.program.expire()
    assert root.asked == ["update-install"]


def test_an_installation_that_fails_says_a_sentence(
    pilot: Pilot, root: Root, updates: Updates
) -> None:
    root.put("ready-0.2.0")
    root.fails = True
    open_menu(pilot, updates)
    pilot.key("1")
    pilot.program.expire()
    assert pilot.frame.body.lines == ("That did not work.",)


def test_looking_now_says_what_it_found(pilot: Pilot, root: Root, updates: Updates) -> None:
    root.finds = "0.2.0"
    menu = open_menu(pilot, updates)
    assert menu.frame().body.lines == ("Beisitzer 0.1.0",)
    pilot.key("1")
    pilot.program.expire()
    assert root.asked == ["update-look stable"]
    assert pilot.program.screen is menu
    assert menu.items[0] == "Install 0.2.0"


def test_looking_in_vain_says_when(pilot: Pilot, updates: Updates) -> None:
    menu = open_menu(pilot, updates)
    pilot.key("1")
    pilot.program.expire()
    assert menu.frame().body.lines[1].startswith("Nothing newer, 2026-09-2")


def test_a_look_that_never_ends_is_told(
    pilot: Pilot, root: Root, updates: Updates, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(updates, "_pause", waited.append)
    open_menu(pilot, updates)
    pilot.key("1")
    pilot.program.expire()
    assert sum(waited) >= 600
    assert root.asked == ["update-look stable"]
    assert pilot.frame.body.lines == ("That did not work.",)


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ("no-source", "address"),
        ("unreachable", "network"),
        ("untrusted", "signed"),
        ("unfit", "newer system"),
        ("space", "space"),
        ("whatever", "failed"),
    ],
)
def test_every_fault_is_a_sentence(
    pilot: Pilot, root: Root, updates: Updates, fault: str, word: str
) -> None:
    root.note(fault)
    assert word in open_menu(pilot, updates).frame().body.lines[1]


def test_what_is_taken_is_changed_here_and_taken_back_with_one_key(
    pilot: Pilot, updates: Updates
) -> None:
    open_menu(pilot, updates)
    pilot.key("2")
    pilot.key([Key.DOWN, Key.ENTER])
    assert value_of(pilot.ctx.settings, "updates.take") == "testing"
    pilot.key([Key.STAR])
    assert value_of(pilot.ctx.settings, "updates.take") == "stable"


# --- only where root's updater is


@pytest.mark.parametrize("missing", ["", "folder", "helper"])
def test_versions_are_watched_where_root_has_an_updater_and_a_helper(
    missing: str, pilot: Pilot, root: Root, tmp_path: Path
) -> None:
    (helper := tmp_path / "helper.sock").touch()
    if missing:
        (root.folder.rmdir if missing == "folder" else helper.unlink)()
    extra.UpdatesExtra(root.folder, helper).attach(pilot.program, Start())
    assert bool(pilot.ctx.system_items) == (not missing)
