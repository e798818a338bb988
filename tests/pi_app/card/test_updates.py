"""What the table is told of newer programs, and when it starts anew with one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.keys import Key
from pi_app.card.helper import HelperError
from pi_app.card.updates import IDLE_S, Updates, UpdatesMenu, UpdateWatch, system_items
from pi_app.commands import machine as command
from pi_app.screens.base import TICK, Quit
from pi_app.settings.schema import UpdateSettings, value_of
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
        for version in ("0.1.0", "0.2.0"):
            (folder / version).mkdir()
        self.link("current", "0.1.0")

    def link(self, name: str, version: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
        (self.folder / name).symlink_to(version)

    def note(self, fault: str = "") -> None:
        (self.folder / "looked").unlink(missing_ok=True)
        (self.folder / "looked").write_text(json.dumps({"at": AT, "fault": fault}))

    def ask(self, name: str) -> dict[str, object]:
        self.asked.append(name)
        if self.fails:
            raise HelperError("failed", {})
        if name == "update-switch":
            self.link("current", "0.2.0")
            (self.folder / "next").unlink(missing_ok=True)
        return {}

    def pause(self, seconds: float) -> None:
        """Time passes: root's look comes to its end."""
        assert seconds
        if self.finds:
            self.link("next", self.finds)
        self.note()


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Root:
    return Root(tmp_path / "program")


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


# --- starting anew by itself


def test_a_program_that_is_ready_starts_when_nobody_has_touched_a_key_for_half_an_hour(
    pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    root.link("next", "0.2.0")
    pass_time(pilot, IDLE_S - 1)
    watch.poll()
    assert not root.asked
    pilot.key("5")
    pass_time(pilot, IDLE_S - 1)
    watch.poll()
    assert not root.asked
    pass_time(pilot, 1)
    watch.poll()
    assert root.asked == ["update-switch"]
    assert pilot.program.quit == Quit(power="again")


def test_nothing_starts_anew_while_nothing_is_ready(
    pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    pass_time(pilot, 10 * IDLE_S)
    watch.poll()
    (root.folder / "refused").write_text("0.2.0\n")
    watch.poll()
    assert not root.asked
    assert pilot.program.quit is None


def test_who_wants_no_updates_is_not_started_anew(
    pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    root.link("next", "0.2.0")
    pilot.ctx.settings = replace(pilot.ctx.settings, updates=UpdateSettings("off"))
    pass_time(pilot, IDLE_S)
    watch.poll()
    assert not root.asked


def test_games_that_are_in_memory_only_keep_the_program_running(
    pilot: Pilot, root: Root, watch: UpdateWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.link("next", "0.2.0")
    monkeypatch.setattr(type(pilot.ctx.store), "trouble", "full")
    pass_time(pilot, IDLE_S)
    watch.poll()
    assert not root.asked


def test_a_switch_that_fails_is_tried_again_half_an_hour_later(
    pilot: Pilot, root: Root, watch: UpdateWatch
) -> None:
    root.link("next", "0.2.0")
    root.fails = True
    pass_time(pilot, IDLE_S)
    watch.poll()
    watch.poll()
    assert root.asked == ["update-switch"]
    assert pilot.program.quit is None
    root.fails = False
    pass_time(pilot, IDLE_S)
    watch.poll()
    assert pilot.program.quit is not None


def test_who_touches_a_key_during_the_switch_plays_on_until_the_table_rests_again(
    pilot: Pilot, root: Root, watch: UpdateWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.link("next", "0.2.0")
    real = root.ask

    def ask(name: str) -> dict[str, object]:
        watch.note_key()
        return real(name)

    monkeypatch.setattr(watch._updates, "_ask", ask)
    pass_time(pilot, IDLE_S)
    watch.poll()
    assert root.folder.joinpath("current").readlink() == Path("0.2.0")
    assert pilot.program.quit is None
    pass_time(pilot, IDLE_S)
    watch.poll()
    assert root.asked == ["update-switch"], "it is switched already"
    assert pilot.program.quit is not None


# --- under System


def test_system_says_that_a_version_is_ready(pilot: Pilot, root: Root, updates: Updates) -> None:
    assert [text for text, _ in system_items(pilot.ctx, updates)] == ["Updates"]
    root.link("next", "0.2.0")
    ((text, _),) = system_items(pilot.ctx, updates)
    assert text == "0.2.0 ready: restart?"


def test_restarting_is_one_key_away(pilot: Pilot, root: Root, updates: Updates) -> None:
    root.link("next", "0.2.0")
    menu = open_menu(pilot, updates)
    assert menu.items[0] == "Restart with 0.2.0"
    pilot.key("1")
    pilot.program.expire()
    assert root.asked == ["update-switch"]
    assert pilot.program.quit == Quit(power="again", signals=pilot.program.quit.signals)  # type: ignore[union-attr]


def test_a_restart_that_fails_says_a_sentence_and_changes_nothing(
    pilot: Pilot, root: Root, updates: Updates
) -> None:
    root.link("next", "0.2.0")
    root.fails = True
    open_menu(pilot, updates)
    pilot.key("1")
    pilot.program.expire()
    assert pilot.program.quit is None
    assert pilot.frame.body.lines == ("That did not work.",)


def test_looking_now_says_what_it_found(pilot: Pilot, root: Root, updates: Updates) -> None:
    root.finds = "0.2.0"
    menu = open_menu(pilot, updates)
    assert menu.frame().body.lines == ("Beisitzer 0.1.0",)
    pilot.key("1")
    pilot.program.expire()
    assert root.asked == ["update-look"]
    assert pilot.program.screen is menu
    assert menu.items[0] == "Restart with 0.2.0"


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
    assert root.asked == ["update-look"]
    assert pilot.frame.body.lines == ("That did not work.",)


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ("no-source", "address"),
        ("unreachable", "network"),
        ("untrusted", "signed"),
        ("unfit", "newer card"),
        ("space", "space"),
        ("damaged", "failed"),
        ("whatever", "failed"),
    ],
)
def test_every_fault_is_a_sentence(
    pilot: Pilot, root: Root, updates: Updates, fault: str, word: str
) -> None:
    root.note(fault)
    assert word in open_menu(pilot, updates).frame().body.lines[1]


def test_a_refused_version_is_told_and_can_be_tried_again(
    pilot: Pilot, root: Root, updates: Updates
) -> None:
    (root.folder / "refused").write_text("0.2.0\n")
    menu = open_menu(pilot, updates)
    assert menu.frame().body.lines[1] == "0.2.0 did not start."
    assert menu.items[0] == "Try 0.2.0 again"
    pilot.key("1")
    pilot.program.expire()
    assert root.asked == ["update-switch"]


def test_what_is_taken_is_changed_here_and_taken_back_with_one_key(
    pilot: Pilot, updates: Updates
) -> None:
    open_menu(pilot, updates)
    pilot.key("2")
    pilot.key([Key.DOWN, Key.ENTER])
    assert value_of(pilot.ctx.settings, "updates.take") == "testing"
    pilot.key([Key.STAR])
    assert value_of(pilot.ctx.settings, "updates.take") == "stable"


@pytest.mark.parametrize("junk", ["", "{", "[]", '{"at": "x"}', '{"at": 1e99, "fault": ""}'])
def test_junk_in_the_notes_is_no_note(root: Root, updates: Updates, junk: str) -> None:
    (root.folder / "looked").write_text(junk)
    assert updates.looked() is None


# --- only on a card


def test_a_program_that_lies_elsewhere_watches_nothing(pilot: Pilot, root: Root) -> None:
    outputs = pilot.program.outputs
    command.add_updates(pilot.program, root.folder)
    assert pilot.program.outputs is outputs
    assert not pilot.ctx.system_items


def test_a_program_on_a_card_knows_its_version_by_its_folder(
    pilot: Pilot, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = root.folder / "0.1.0/lib/pi_app/commands/machine.py"
    monkeypatch.setattr(command, "__file__", str(place))
    root.link("next", "0.2.0")
    command.add_updates(pilot.program, root.folder)
    ((text, act),) = pilot.ctx.system_items[0]()
    assert text == "0.2.0 ready: restart?"
    assert act().signals == TICK
