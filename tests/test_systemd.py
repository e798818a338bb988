"""The units, the installer and the README's commands hold together."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNITS = sorted((ROOT / "systemd").glob("*.service"))
MOST_EXPOSURE = 2.0


def settings(unit: Path) -> dict[str, list[str]]:
    """Return a unit's settings in the order of the file."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_mistake_in_a_unit(unit: Path, tmp_path: Path) -> None:
    for each in UNITS:  # the program is not installed here, all else is checked as it stands
        text = each.read_text("utf-8").replace("/opt/beisitzer/venv/bin/beisitzer", "/bin/true")
        (tmp_path / each.name).write_text(text, "utf-8")
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit.name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_verify_would_find_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.service"
    wrong.write_text("[Service]\nExecStart=/bin/true\nWatchdogSek=1\n")
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(wrong)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "WatchdogSek" in run.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_sandbox_is_strict(unit: Path) -> None:
    run = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", run.stdout)
    assert found is not None, run.stdout
    assert float(found[1]) <= MOST_EXPOSURE, run.stdout


def test_the_service_is_what_the_program_expects() -> None:
    from pi_app.run.systemd import POWER_STATUS

    unit = settings(ROOT / "systemd" / "beisitzer.service")
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["on-failure"]
    assert unit["User"] == ["beisitzer"]
    assert unit["StateDirectory"] == ["beisitzer"]
    assert unit["OnFailure"] == ["beisitzer-stopped.service"]
    assert int(unit["WatchdogSec"][0]) >= 10
    statuses = " ".join(str(status) for status in POWER_STATUS.values())
    assert unit["SuccessExitStatus"] == unit["RestartPreventExitStatus"] == [statuses]
    for power, action in (("off", "poweroff"), ("restart", "reboot")):
        assert (
            f"{POWER_STATUS[power]}) exec systemctl --no-block {action}" in unit["ExecStopPost"][0]
        )
    assert "BEISITZER_APPLIANCE=1" in unit["Environment"]


def test_a_failed_start_is_tried_in_safe_mode_before_the_service_gives_up() -> None:
    from pi_app.files.starts import SAFE_AFTER

    unit = settings(ROOT / "systemd" / "beisitzer.service")
    burst, interval_s = int(unit["StartLimitBurst"][0]), int(unit["StartLimitIntervalSec"][0])
    assert burst > SAFE_AFTER + 1
    slowest_s = int(unit["TimeoutStartSec"][0]) + int(unit["TimeoutStopSec"][0])
    assert burst * (slowest_s + int(unit["RestartSec"][0])) < interval_s


def test_both_units_have_the_same_sandbox() -> None:
    def box(unit: Path) -> str:
        text = unit.read_text("utf-8")
        return text[text.index("User=") :].partition("[Install]")[0].strip()

    one, two = (
        box(ROOT / "systemd" / f"{name}.service") for name in ("beisitzer", "beisitzer-stopped")
    )
    assert one.replace("Environment=BEISITZER_APPLIANCE=1\n", "") == two


COMMANDS = (
    "apt-get", "useradd", "usermod", "groupadd", "getent", "udevadm", "systemctl", "modprobe",
    "python3", "sync",
)  # fmt: skip
CONFIG = "# the owner's own\ndtparam=audio=on\n[pi4]\narm_boost=1\n"


class Machine:
    """A Pi's root folder, and stand-ins for the commands that would change this machine."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.calls = folder / "calls"
        self.config = self.root / "boot/firmware/config.txt"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(CONFIG)
        tools = folder / "bin"
        tools.mkdir()
        for name in COMMANDS:
            script = f'#!/bin/sh\necho "{name} $*" >> {self.calls}\n'
            if name == "python3":  # python3 -m venv --system-site-packages FOLDER
                script += '[ "$2" = venv ] || exit 0; mkdir -p "$4/bin"; cp "$0" "$4/bin/python"\n'
            if name == "getent":  # the user is there once it was made
                script += f'grep -q "^useradd" {self.calls}\n'
            (tools / name).write_text(script)
            (tools / name).chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}"

    def run(self, what: str) -> str:
        done = subprocess.run(
            ["make", "-C", str(ROOT), what],
            env={"PATH": self.path, "DESTDIR": str(self.root)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_install_puts_everything_in_its_place(machine: Machine) -> None:
    said = machine.run("install")
    files = machine.files()
    for place, source in (
        ("etc/systemd/system/beisitzer.service", "beisitzer.service"),
        ("etc/systemd/system/beisitzer-stopped.service", "beisitzer-stopped.service"),
        ("etc/udev/rules.d/60-beisitzer.rules", "60-beisitzer.rules"),
        ("etc/udev/rules.d/70-beisitzer-panel.rules", "70-beisitzer-panel.rules"),
        ("etc/modules-load.d/beisitzer.conf", "beisitzer-modules.conf"),
    ):
        assert files[place] == (ROOT / "systemd" / source).read_bytes()
    config = machine.config.read_text()
    assert config.startswith(CONFIG)
    assert "\n[all]\n" in config
    assert "dtparam=i2c_arm=on\n" in config
    assert "dtparam=i2c_arm_baudrate=400000\n" in config
    assert files["boot/firmware/config.txt.before-beisitzer"].decode() == CONFIG
    assert "config.txt.before-beisitzer" in said
    calls = machine.calls.read_text()
    for call in ("python3-lgpio", "python3-pygame", "--system-site-packages", "useradd --system"):
        assert call in calls
    assert "usermod --append --groups dialout,gpio,i2c,spi beisitzer" in calls
    assert calls.index("systemctl daemon-reload") < calls.index(
        "systemctl enable beisitzer.service"
    )


def test_installing_twice_changes_nothing_more(machine: Machine) -> None:
    machine.run("install")
    files, calls = machine.files(), machine.calls.read_text()
    said = machine.run("install")
    assert machine.files() == files
    again = machine.calls.read_text()[len(calls) :]
    assert "useradd" not in again
    assert "-m venv" not in again
    assert "added to" not in said
    assert "wrote" not in said


def test_uninstall_leaves_the_games_and_what_is_the_owners(machine: Machine) -> None:
    machine.run("install")
    games = machine.root / "var/lib/beisitzer/games.db"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    config = machine.config.read_text()
    said = machine.run("uninstall")
    assert set(machine.files()) == {
        "boot/firmware/config.txt",
        "boot/firmware/config.txt.before-beisitzer",
        "var/lib/beisitzer/games.db",
    }
    assert machine.config.read_text() == config
    assert "var/lib/beisitzer" in said
    machine.run("uninstall")


def test_without_root_the_installer_refuses_in_one_sentence() -> None:
    script = f"id() {{ echo 1000; }}; set -- install; . {ROOT}/systemd/install.sh"
    run = subprocess.run(
        ["sh", "-c", script, str(ROOT / "systemd/install.sh")],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"]},
    )
    assert run.returncode == 1
    assert run.stderr == "beisitzer: this needs root: sudo make install\n"


def chapter() -> str:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.split(r"^## ", text.partition("## On a Raspberry Pi\n")[2], flags=re.MULTILINE)[0]


def test_the_readmes_commands_for_the_pi_exist() -> None:
    from pi_app.commands.cli import COMMANDS as PROGRAM

    text = chapter()
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    lines = [line.partition("#")[0].strip() for line in blocks]
    spans = re.findall(r"`([^`]+)`", text)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    units = {unit.stem for unit in UNITS}
    checked = 0
    for command in lines + spans:
        words = command.removeprefix("sudo ").split()
        if words[0] == "make":
            assert words[1] in targets, command
        elif words[0].endswith("beisitzer") and len(words) > 1:
            assert words[1] in PROGRAM, command
        elif words[0] in ("systemctl", "journalctl"):
            assert words[-1].removesuffix(".service") in units, command
        else:
            continue
        checked += 1
    assert checked >= 6


def test_every_place_the_readme_names_for_the_pi_is_the_units_or_the_installers() -> None:
    known = "".join(path.read_text("utf-8") for path in [*UNITS, ROOT / "systemd" / "install.sh"])
    places = re.findall(r"`(/(?:opt|etc|var|boot)[^` ]*)`", chapter())
    assert places
    for place in places:
        assert place.rstrip("/") in known, place
