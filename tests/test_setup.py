"""The set-up of an installed companion: settings, buses and screen, again and again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ran import ran

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "systemd/machine/usr/share/beisitzer"
COMMANDS = (
    "modprobe", "runuser", "sync", "systemctl", "systemd-sysusers", "systemd-tmpfiles", "udevadm",
)  # fmt: skip
CONFIG = "# the owner's own\ndtparam=audio=on\n[pi4]\narm_boost=1\n"
BUS = ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000")
BUTTON = "dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,gpio_pull=up"


class Machine:
    """A Pi's root folder, and stand-ins for the commands that would change this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.calls = folder / "calls"
        self.config = self.root / "boot/firmware/config.txt"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(CONFIG)
        tools = folder / "bin"
        tools.mkdir()
        for name in COMMANDS:
            script = f'#!/bin/sh\necho "{name} $*" >> {self.calls}\n'
            if name == "systemd-tmpfiles":  # with the modes and owners that the list says
                script += f"mkdir -p {self.root}/var/lib/beisitzer\n"
            if name == "runuser":  # runuser -u beisitzer -- COMMAND
                script += 'shift 3; exec "$@"\n'
            (tools / name).write_text(script)
            (tools / name).chmod(0o755)
        self.program = tools / "beisitzer"
        self.program.write_text(
            f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m pi_app "$@"\n'
        )
        self.program.chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}"

    def fails(self, name: str) -> None:
        """Let a command always fail."""
        tool = self.folder / "bin" / name
        tool.write_text(f'{tool.read_text()}echo "{name}: no" >&2; exit 1\n')

    def set_up(self, **wishes: str) -> "subprocess.CompletedProcess[str]":
        return ran(
            [
                "sh",
                str(SHARED / "setup.sh"),
                *(f"{name}={value}" for name, value in wishes.items()),
            ],
            env={"PATH": self.path, "DESTDIR": str(self.root), "PROGRAM": str(self.program)},
            timeout=120,
        )

    def run(self, **wishes: str) -> str:
        done = self.set_up(**wishes)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def block(self) -> tuple[str, ...]:
        """Return our lines in config.txt; all others are the owner's."""
        config = self.config.read_text()
        assert config.startswith(CONFIG)
        lines = config.removeprefix(CONFIG).splitlines()
        if not lines:
            return ()
        assert lines[0].startswith("# Beisitzer begins")
        assert lines[1] == "[all]"
        assert lines[-1] == "# Beisitzer ends"
        return tuple(lines[2:-1])

    @property
    def settings(self) -> Path:
        return self.root / "var/lib/beisitzer/settings.toml"


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_set_up_makes_users_and_switches_the_bus_on_with_a_copy_from_before(
    machine: Machine,
) -> None:
    said = machine.run()
    assert machine.block() == (*BUS, BUTTON)
    files = machine.files()
    assert files["boot/firmware/config.txt.before-beisitzer"].decode() == CONFIG
    assert "config.txt.before-beisitzer" in said
    calls = machine.calls.read_text()
    assert calls.index("systemd-sysusers") < calls.index("systemctl daemon-reload")
    assert calls.splitlines()[-1] == "systemctl reset-failed beisitzer.service", (
        "else it may not be started"
    )


def test_setting_up_twice_changes_nothing_more(machine: Machine) -> None:
    machine.run()
    files = machine.files()
    said = machine.run()
    assert machine.files() == files
    assert "config.txt" not in said


@pytest.mark.parametrize("command", ["systemctl", "udevadm", "modprobe"])
def test_where_systemd_and_udev_do_not_run_the_set_up_is_whole(
    machine: Machine, command: str
) -> None:
    machine.fails(command)
    machine.run()
    assert machine.block() == (*BUS, BUTTON)


def test_an_oled_on_spi_switches_spi_on_and_leaves_i2c_and_pin_7_alone(machine: Machine) -> None:
    machine.run()
    machine.settings.write_text(
        '[oled]\nbus = "spi"\n[lamp]\nenabled = false\n[encoder]\npush = "none"\n'
        "[power_button]\nenabled = false\n"
    )
    machine.run()
    assert machine.block() == ("dtparam=spi=on",)


def test_settings_can_be_handed_in_and_the_old_ones_are_kept(
    machine: Machine, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[power_button]\npin = 0\n")
    machine.run(SETTINGS=str(mine))
    assert machine.settings.read_text() == mine.read_text()
    assert BUTTON.replace("=7", "=0") in machine.block()
    other = tmp_path / "other.toml"
    other.write_text("[power_button]\nenabled = false\n")
    said = machine.run(SETTINGS=str(other))
    assert "settings.toml.before" in said
    assert machine.settings.with_name("settings.toml.before").read_text() == mine.read_text()
    assert machine.block() == BUS


def test_a_new_pin_of_the_power_button_is_the_owners_to_name(
    machine: Machine, tmp_path: Path
) -> None:
    """The service's own settings cannot let a wire power the Pi off at each start."""
    machine.run()
    mine = "[power_button]\npin = 0\n"
    machine.settings.write_text(mine)
    assert "SETTINGS=" in machine.run()
    assert machine.block() == BUS
    (own := tmp_path / "mine.toml").write_text(mine)
    machine.run(SETTINGS=str(own))
    assert machine.block() == (*BUS, BUTTON.replace("=7", "=0"))
    machine.run()
    assert machine.block() == (*BUS, BUTTON.replace("=7", "=0")), "the owner has named it"


def test_a_link_in_the_services_folder_leads_no_file_elsewhere(
    machine: Machine, tmp_path: Path
) -> None:
    machine.settings.parent.mkdir(parents=True)
    machine.settings.write_text("[power_button]\nenabled = false\n")
    (elsewhere := tmp_path / "elsewhere").mkdir()
    before = machine.settings.with_name("settings.toml.before")
    before.symlink_to(elsewhere)
    (mine := tmp_path / "mine.toml").write_text("[power_button]\npin = 0\n")
    machine.run(SETTINGS=str(mine))
    assert list(elsewhere.iterdir()) == []
    assert machine.settings.read_text() == mine.read_text()
    assert not before.is_symlink()
    assert "enabled = false" in before.read_text()


def test_a_pipe_in_place_of_the_old_settings_does_not_hold_the_set_up(
    machine: Machine, tmp_path: Path
) -> None:
    machine.settings.parent.mkdir(parents=True)
    os.mkfifo(machine.settings)
    (mine := tmp_path / "mine.toml").write_text("[power_button]\npin = 0\n")
    machine.run(SETTINGS=str(mine))
    assert machine.settings.read_text() == mine.read_text()


@pytest.mark.parametrize("wish", [{}, {"SCREEN": "window"}, {"SCREEN": "none"}])
def test_root_changes_nothing_within_the_services_folder(
    machine: Machine, tmp_path: Path, wish: dict[str, str]
) -> None:
    """The folder's owner can put a link in every place within it; `as-user` is that owner."""
    state = machine.settings.parent
    for name in ("cat", "chgrp", "chmod", "cp", "install", "ln", "mkdir", "mktemp", "mv", "rm",
                 "rmdir", "sed", "tee", "touch", "truncate"):  # fmt: skip
        tool = machine.folder / "bin" / name
        real = shutil.which(name)
        tool.write_text(f'#!/bin/sh\necho "${{WHO:-root}} {name} $*" >> {machine.calls}\n')
        tool.write_text(f'{tool.read_text()}exec {real} "$@"\n')
        tool.chmod(0o755)
    runuser = machine.folder / "bin" / "runuser"
    runuser.write_text('#!/bin/sh\nshift 3; export WHO=as-user; exec "$@"\n')
    (mine := tmp_path / "mine.toml").write_text("[power_button]\npin = 0\n")
    for number in range(2):
        mine.write_text(f"[power_button]\npin = {number}\n")
        machine.run(SETTINGS=str(mine), **wish)
    calls = machine.calls.read_text().splitlines()
    assert [line for line in calls if f"{state}/" in line and not line.startswith("as-user")] == []
    assert f"root mkdir -p {state}" in calls  # the recording holds: it is systemd-tmpfiles
    assert any(line.startswith("as-user mv ") for line in calls)


def test_settings_with_a_mistake_are_not_taken(machine: Machine, tmp_path: Path) -> None:
    (wrong := tmp_path / "wrong.toml").write_text("[oled]\nbus = 3\n")
    done = machine.set_up(SETTINGS=str(wrong))
    assert done.returncode != 0
    assert "oled.bus" in done.stderr
    assert "was not taken" in done.stderr
    assert not machine.settings.exists()


def test_a_mistake_in_the_settings_leaves_the_boot_configuration_alone(machine: Machine) -> None:
    machine.run()
    config = machine.config.read_text()
    machine.settings.write_text("[oled]\nbus = 3\n")
    said = machine.run()
    assert "the settings have a mistake" in said
    assert machine.config.read_text() == config


def test_lines_that_the_owner_has_already_are_not_doubled(machine: Machine) -> None:
    machine.config.write_text(f"{CONFIG}{BUS[0]}\n{BUTTON}\n")
    machine.run()
    config = machine.config.read_text()
    assert config.count(BUS[0] + "\n") == config.count(BUTTON) == 1
    assert BUS[1] in config


def test_a_block_that_lost_its_end_is_not_touched(machine: Machine) -> None:
    machine.run()
    broken = machine.config.read_text().replace("# Beisitzer ends\n", "") + "gpu_mem=64\n"
    machine.config.write_text(broken)
    assert "lost its begin or its end" in machine.run()
    assert machine.config.read_text() == broken


def test_spi_switched_on_by_somebody_else_is_told(machine: Machine) -> None:
    machine.config.write_text(CONFIG + "dtparam=i2c_arm=on,spi=on\n")
    assert "it takes GPIO 7 and 8" in machine.run()


def test_a_window_is_wanted_kept_and_taken_back(machine: Machine) -> None:
    dropin = machine.root / "etc/systemd/system/beisitzer.service.d/window.conf"
    assert "sudo apt-get install python3-pygame" in machine.run(SCREEN="window")
    assert dropin.read_bytes() == (SHARED / "window.conf").read_bytes()
    assert 'show = ["oled", "window"]' in machine.settings.read_text()
    assert "dtoverlay=vc4-kms-v3d" in machine.block()
    machine.run()
    assert dropin.exists()
    machine.run(SCREEN="none")
    assert not dropin.exists()
    assert 'show = "auto"' in machine.settings.read_text()
    assert machine.block() == (*BUS, BUTTON)


def test_graphics_that_are_switched_on_already_are_left_alone(machine: Machine) -> None:
    machine.config.write_text(CONFIG + "dtoverlay=vc4-kms-v3d,cma-128\n")
    machine.run(SCREEN="window")
    assert machine.config.read_text().count("vc4-kms-v3d") == 1


def test_another_screen_is_refused_before_anything_is_done(machine: Machine) -> None:
    done = machine.set_up(SCREEN="tv")
    assert "SCREEN is window or none" in done.stderr
    assert not machine.calls.exists()


def test_without_root_one_sentence_refuses() -> None:
    script = f"id() {{ echo 1000; }}; set --; . {SHARED}/setup.sh"
    run = ran(["sh", "-c", script, str(SHARED / "setup.sh")], env={"PATH": os.environ["PATH"]})
    assert run.returncode == 1
    assert run.stderr == "beisitzer: this needs root: sudo beisitzer-setup\n"
