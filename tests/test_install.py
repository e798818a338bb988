"""The installer: everything in its place, again and again, also after it was cut off."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "apt-get", "dpkg", "dpkg-query", "modprobe", "python3",
    "runuser", "sync", "systemctl", "systemd-sysusers", "systemd-tmpfiles", "udevadm",
)  # fmt: skip
WEB_UNITS = sorted((ROOT / "systemd").glob("beisitzer-web*"))
CONFIG = "# the owner's own\ndtparam=audio=on\n[pi4]\narm_boost=1\n"
BUS = ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000")
BUTTON = "dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,gpio_pull=up"

PYTHON = """
killed() { if [ -e STEP ] && [ "$(cat STEP)" = "$1" ]; then rm STEP; kill -9 $PPID; exit 1; fi; }
case "$1 $2" in
*/tools/installing.py\\ *) shift; exec "$@" ;;
"-V ") echo "Python 3.11.2" ;;
"-m venv")
  mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; killed venv
  printf '#!/bin/sh\\nPYTHONPATH=ROOT exec REAL -m pi_app "$@"\\n' > "$4/bin/beisitzer"
  chmod +x "$4/bin/beisitzer"
  : > "$4/bin/pip" ;;
"-m pip")
  echo "$*" >> CALLS.pip
  [ -e "${0%python}pip" ] || { echo "No module named pip" >&2; exit 1; }
  for last; do :; done
  case "$last" in
  *requirements.txt) killed libraries; cp "$last" CALLS.requirements ;;
  *part.txt) cat "$last" >> CALLS.parts; [ ! -e NOPARTS ] || exit 1 ;;
  *source)
    [ "$TZ" = UTC ] || exit 1
    killed program; (cd "$last" && find . -type f) > CALLS.source ;;
  esac
  echo "$last" >> "${0%bin/python}pip-calls" ;;
"-m pi_app") exit 0 ;;
"-c import lgpio" | "-c import spidev") exit 1 ;;
esac
"""


class Machine:
    """A Pi's root folder, and stand-ins for the commands that would change this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.home = self.root / "opt/beisitzer"
        self.calls = folder / "calls"
        self.config = self.root / "boot/firmware/config.txt"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(CONFIG)
        tools = folder / "bin"
        tools.mkdir()
        for name in COMMANDS:
            script = f'#!/bin/sh\necho "{name} $*" >> {self.calls}\n'
            if name == "python3":
                script += (
                    PYTHON.replace("STEP", str(folder / "step"))
                    .replace("CALLS", str(self.calls))
                    .replace("NOPARTS", str(folder / "no-parts"))
                    .replace("ROOT", str(ROOT))
                    .replace("REAL", sys.executable)
                )
            if name == "systemd-tmpfiles":  # with the modes and owners that the list says
                script += f"mkdir -p {self.root}/var/lib/beisitzer\n"
            if name == "dpkg-query":  # a file for each package that is there
                script += f"for last; do :; done; [ ! -e {folder}/$last ] || echo installed\n"
            if name == "runuser":  # runuser -u beisitzer -- COMMAND
                script += 'shift 3; exec "$@"\n'
            (tools / name).write_text(script)
            (tools / name).chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}"

    def fails(self, name: str, when: str = "") -> None:
        """Let a command fail, always or where its arguments have these words."""
        tool = self.folder / "bin" / name
        tool.write_text(
            tool.read_text() + f'case "$*" in *"{when}"*) echo "{name}: no" >&2; exit 1;; esac\n'
        )

    def make(self, what: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["make", "-C", str(ROOT), what, *(f"{k}={v}" for k, v in variables.items())],
            env={"PATH": self.path, "DESTDIR": str(self.root), "CC": "sh"},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def run(self, what: str, **variables: str) -> str:
        done = self.make(what, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def block(self) -> tuple[str, ...]:
        """Return the installer's lines in config.txt; all others are the owner's."""
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


def test_install_puts_everything_in_its_place(machine: Machine) -> None:
    said = machine.run("install")
    files = machine.files()
    for place, source in (
        ("etc/systemd/system/beisitzer.service", "beisitzer.service"),
        ("etc/systemd/system/beisitzer-stopped.service", "beisitzer-stopped.service"),
        ("etc/udev/rules.d/60-beisitzer.rules", "60-beisitzer.rules"),
        ("etc/udev/rules.d/70-beisitzer-panel.rules", "70-beisitzer-panel.rules"),
        ("etc/modules-load.d/beisitzer.conf", "beisitzer-modules.conf"),
        *((f"etc/systemd/system/{unit.name}", unit.name) for unit in WEB_UNITS),
    ):
        assert files[place] == (ROOT / "systemd" / source).read_bytes()
    assert files["opt/beisitzer/helper.py"] == (ROOT / "systemd/helper.py").read_bytes()
    assert machine.block() == (*BUS, BUTTON)
    assert files["boot/firmware/config.txt.before-beisitzer"].decode() == CONFIG
    assert "config.txt.before-beisitzer" in said
    calls = machine.calls.read_text()
    for call in ("python3-lgpio", "python3-spidev", "--system-site-packages", "systemd-sysusers"):
        assert call in calls
    assert "python3-pygame" not in calls
    assert calls.index("systemctl daemon-reload") < calls.index(
        "systemctl enable beisitzer.service"
    )
    assert calls.rstrip().endswith("systemctl restart beisitzer.service")


def test_the_door_for_phones_is_put_up_and_opened_by_the_table_alone(machine: Machine) -> None:
    machine.run("install")
    calls = machine.calls.read_text()
    assert not re.search("systemctl (enable|restart|start) .*(web|link)", calls)
    assert "systemctl enable beisitzer-helper.socket" in calls
    assert "web.enabled" not in calls
    assert not (machine.root / "var/lib/beisitzer/web.on").exists()
    machine.run("uninstall")
    assert not [name for name in machine.files() if "beisitzer-web" in name]


def test_it_does_not_stand_beside_the_package(machine: Machine) -> None:
    (machine.root / "usr/lib/beisitzer").mkdir(parents=True)
    done = machine.make("install")
    assert done.returncode != 0
    assert "sudo apt-get remove beisitzer" in done.stderr
    assert not machine.home.exists()


def test_the_services_options_are_put_in_place_once_and_stay_the_owners(machine: Machine) -> None:
    machine.run("install")
    default = machine.root / "etc/default/beisitzer"
    assert default.read_bytes() == (ROOT / "systemd/beisitzer.default").read_bytes()
    default.write_text("BEISITZER_OPTIONS=--lang de\n")
    machine.run("install")
    machine.run("uninstall")
    assert default.read_text() == "BEISITZER_OPTIONS=--lang de\n"


def test_installing_twice_changes_nothing_more(machine: Machine) -> None:
    machine.run("install")
    files, calls = machine.files(), machine.calls.read_text()
    said = machine.run("install")
    assert machine.files() == files
    again = machine.calls.read_text()[len(calls) :]
    assert "-m venv" not in again
    assert "up to date" in said
    assert "config.txt" not in said
    assert "wrote" not in said


@pytest.mark.parametrize("step", ["venv", "libraries", "program"])
def test_an_install_killed_half_way_is_healed_by_the_next_one(machine: Machine, step: str) -> None:
    (machine.folder / "step").write_text(step)
    assert machine.make("install").returncode != 0
    assert not (machine.home / "venv").exists()
    machine.run("install")
    assert_whole(machine)


@pytest.mark.parametrize("step", ["venv", "libraries", "program"])
def test_an_upgrade_killed_half_way_leaves_the_old_program(machine: Machine, step: str) -> None:
    machine.run("install")
    before = (machine.home / "venv").readlink()
    (before_file := machine.home / before / "installed").write_text("another version\n")
    (machine.folder / "step").write_text(step)
    assert machine.make("install").returncode != 0
    assert (machine.home / "venv").readlink() == before
    assert before_file.exists()
    machine.run("install")
    assert (machine.home / "venv").readlink() != before
    assert_whole(machine)


def assert_whole(machine: Machine) -> None:
    """Hold the program to be installed from end to end, with nothing left beside it."""
    environment = machine.home / (machine.home / "venv").readlink()
    calls = (environment / "pip-calls").read_text()
    assert [Path(line).name for line in calls.splitlines()] == [
        "requirements.txt", "part.txt", "part.txt", "source", "babel",
    ]  # fmt: skip
    assert (environment / "installed").exists()
    assert not (environment / "source").exists()
    assert {path.name for path in machine.home.iterdir()} == {
        "venv", "build.md", "helper.py", environment.name,
    }  # fmt: skip


def test_an_environment_of_an_older_installer_is_replaced(machine: Machine) -> None:
    (machine.home / "venv" / "bin").mkdir(parents=True)
    machine.run("install")
    assert_whole(machine)


def test_the_program_is_built_from_a_copy_without_what_was_built_before(machine: Machine) -> None:
    machine.run("install")
    built = Path(f"{machine.calls}.source").read_text().split()
    assert "./setup.py" in built
    assert "./pi_app/__main__.py" in built
    assert not [name for name in built if "build/" in name or name.endswith((".pyc", ".mo"))]
    assert str(ROOT) not in (machine.home / "venv" / "pip-calls").read_text()


def test_libraries_come_in_the_tested_versions_with_their_hashes(machine: Machine) -> None:
    machine.run("install")
    taken = Path(f"{machine.calls}.requirements").read_text()
    assert taken == (ROOT / "systemd/requirements.txt").read_text()
    parts = Path(f"{machine.calls}.parts").read_text()
    assert [line.split("==")[0] for line in parts.splitlines() if "==" in line] == [
        "lgpio", "spidev",
    ]  # fmt: skip
    assert not parts.rstrip().endswith("\\")


def test_a_32_bit_machine_takes_what_is_compiled_from_its_distribution(machine: Machine) -> None:
    """Whoever else compiles for it has other hashes, which nobody here has tried."""
    uname = machine.folder / "bin" / "uname"
    uname.write_text("#!/bin/sh\necho armv7l\n")
    uname.chmod(0o755)
    machine.run("install")
    taken = Path(f"{machine.calls}.requirements").read_text()
    whole = (ROOT / "systemd/requirements.txt").read_text()
    blocks = re.split(r"^(?=[a-z])", whole, flags=re.MULTILINE)
    compiled = {"cbor2": "python3-cbor2", "pillow": "python3-pil"}
    assert taken == "".join(each for each in blocks if each.split("==")[0] not in compiled)
    assert all("--hash=" in each for each in blocks[1:])
    calls = machine.calls.read_text()
    assert all(
        f"install -y -q --no-install-recommends {each}" in calls for each in compiled.values()
    )


def test_pip_installs_by_hashes_alone_and_fetches_nothing_to_build_with(machine: Machine) -> None:
    machine.run("install")
    calls = [line.split() for line in Path(f"{machine.calls}.pip").read_text().splitlines()]
    installs = [words for words in calls if "install" in words]
    assert len(installs) == 4
    for words in installs:
        assert {"--no-deps", "--no-build-isolation"} <= set(words)
        assert ("--require-hashes" in words) is not words[-1].endswith("/source")


def test_where_nothing_can_be_compiled_the_compiler_of_play_outs_is_left_out(
    machine: Machine,
) -> None:
    machine.run("install", CC="no-such-compiler")
    taken = Path(f"{machine.calls}.requirements").read_text()
    whole = (ROOT / "systemd/requirements.txt").read_text()
    assert "cython==" not in taken
    left = whole.partition("cython==")[2].partition("\nfsrs")[0]
    assert taken == whole.replace(f"cython=={left}\n", "")
    environment = machine.home / (machine.home / "venv").readlink()
    machine.run("install")  # a compiler came: the program is built anew with it
    assert (machine.home / "venv").readlink() != Path(environment.name)
    assert "cython==" in Path(f"{machine.calls}.requirements").read_text()


def test_packages_that_the_distribution_lacks_are_named_and_left_out(machine: Machine) -> None:
    machine.fails("apt-get", "python3-lgpio")
    (machine.folder / "no-parts").touch()
    said = machine.run("install")
    assert "no package python3-lgpio here" in said
    assert "no lgpio for this machine: keys and lamps on the header cannot be used" in said
    assert "no spidev for this machine" in said
    assert "installed and started" in said


def test_only_for_a_window_what_draws_on_a_bare_screen_is_installed(machine: Machine) -> None:
    machine.run("install")
    assert "libgles2" not in machine.calls.read_text()
    machine.run("install", SCREEN="window")
    for package in ("python3-pygame", "libegl1", "libgles2", "libgl1-mesa-dri"):
        assert f"--no-install-recommends {package}" in machine.calls.read_text()


def test_where_only_a_build_can_bring_the_pins_what_builds_is_installed(machine: Machine) -> None:
    machine.fails("apt-get", "python3-lgpio")
    machine.run("install")
    assert "swig" not in machine.calls.read_text()
    machine.fails("python3", "(3, 13)")
    machine.run("install")
    assert "--no-install-recommends swig" in machine.calls.read_text()


def test_only_packages_that_are_not_there_are_asked_of_apt(machine: Machine) -> None:
    there = (
        "python3-venv",
        "python3-evdev",
        "gcc",
        "python3-dev",
        "python3-spidev",
        "python3-pygame",
    )
    for package in there:
        (machine.folder / package).touch()
    machine.run("install")
    asked = [line for line in machine.calls.read_text().splitlines() if line.startswith("apt-get")]
    assert [line.split()[-1] for line in asked] == ["-q", "python3-lgpio", "avahi-utils"]
    for package in ("python3-lgpio", "avahi-utils"):
        (machine.folder / package).touch()
    machine.calls.unlink()
    machine.run("install")
    assert "apt-get" not in machine.calls.read_text()


def test_without_a_network_what_is_there_goes_on(machine: Machine) -> None:
    machine.fails("apt-get", "update")
    assert "installed and started" in machine.run("install")


def test_a_service_that_does_not_start_is_no_failed_installation(machine: Machine) -> None:
    machine.fails("systemctl", "restart")
    said = machine.run("install")
    assert "everything is in place, but the service does not start yet" in said
    assert "journalctl -u beisitzer" in said
    assert_whole(machine)


def test_where_systemd_and_udev_do_not_run_the_files_are_put_in_place(machine: Machine) -> None:
    for name in ("udevadm", "modprobe"):
        machine.fails(name)
    machine.fails("systemctl", "daemon-reload")
    machine.run("install")
    assert_whole(machine)


# --- settings, buses and screens


def test_an_oled_on_spi_switches_spi_on_and_leaves_i2c_and_pin_7_alone(machine: Machine) -> None:
    machine.run("install")
    machine.settings.write_text(
        '[oled]\nbus = "spi"\n[lamp]\nenabled = false\n[encoder]\npush = "none"\n'
        "[power_button]\nenabled = false\n"
    )
    machine.run("install")
    assert machine.block() == ("dtparam=spi=on",)


def test_settings_can_be_handed_in_and_the_old_ones_are_kept(
    machine: Machine, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[power_button]\npin = 0\n")
    machine.run("install", SETTINGS=str(mine))
    assert machine.settings.read_text() == mine.read_text()
    assert BUTTON.replace("=7", "=0") in machine.block()
    other = tmp_path / "other.toml"
    other.write_text("[power_button]\nenabled = false\n")
    said = machine.run("install", SETTINGS=str(other))
    assert "settings.toml.before" in said
    assert machine.settings.with_name("settings.toml.before").read_text() == mine.read_text()
    assert machine.block() == BUS


def test_a_new_pin_of_the_power_button_is_the_owners_to_name(
    machine: Machine, tmp_path: Path
) -> None:
    """The service's own settings cannot let a wire power the Pi off at each start."""
    machine.run("install")
    mine = "[power_button]\npin = 0\n"
    machine.settings.write_text(mine)
    assert "SETTINGS=" in machine.run("install")
    assert machine.block() == BUS
    (own := tmp_path / "mine.toml").write_text(mine)
    machine.run("install", SETTINGS=str(own))
    assert machine.block() == (*BUS, BUTTON.replace("=7", "=0"))
    machine.run("install")
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
    machine.run("install", SETTINGS=str(mine))
    assert list(elsewhere.iterdir()) == []
    assert machine.settings.read_text() == mine.read_text()
    assert not before.is_symlink()
    assert "enabled = false" in before.read_text()


def test_a_pipe_in_place_of_the_old_settings_does_not_hold_the_installer_up(
    machine: Machine, tmp_path: Path
) -> None:
    machine.settings.parent.mkdir(parents=True)
    os.mkfifo(machine.settings)
    (mine := tmp_path / "mine.toml").write_text("[power_button]\npin = 0\n")
    machine.run("install", SETTINGS=str(mine))
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
        machine.run("install", SETTINGS=str(mine), **wish)
    machine.run("uninstall")
    calls = machine.calls.read_text().splitlines()
    assert [line for line in calls if f"{state}/" in line and not line.startswith("as-user")] == []
    assert f"root mkdir -p {state}" in calls  # the recording holds: it is systemd-tmpfiles
    assert any(line.startswith("as-user mv ") for line in calls)


def test_settings_with_a_mistake_are_not_taken(machine: Machine, tmp_path: Path) -> None:
    (wrong := tmp_path / "wrong.toml").write_text("[oled]\nbus = 3\n")
    done = machine.make("install", SETTINGS=str(wrong))
    assert done.returncode != 0
    assert "oled.bus" in done.stderr
    assert "was not taken" in done.stderr
    assert not machine.settings.exists()


def test_a_mistake_in_the_settings_leaves_the_boot_configuration_alone(machine: Machine) -> None:
    machine.run("install")
    config = machine.config.read_text()
    machine.settings.write_text("[oled]\nbus = 3\n")
    said = machine.run("install")
    assert "the settings have a mistake" in said
    assert machine.config.read_text() == config


def test_lines_that_the_owner_has_already_are_not_doubled(machine: Machine) -> None:
    machine.config.write_text(f"{CONFIG}{BUS[0]}\n{BUTTON}\n")
    machine.run("install")
    config = machine.config.read_text()
    assert config.count(BUS[0] + "\n") == config.count(BUTTON) == 1
    assert BUS[1] in config


def test_a_block_that_lost_its_end_is_not_touched(machine: Machine) -> None:
    machine.run("install")
    broken = machine.config.read_text().replace("# Beisitzer ends\n", "") + "gpu_mem=64\n"
    machine.config.write_text(broken)
    assert "lost its begin or its end" in machine.run("install")
    assert machine.config.read_text() == broken


def test_spi_switched_on_by_somebody_else_is_told(machine: Machine) -> None:
    machine.config.write_text(CONFIG + "dtparam=i2c_arm=on,spi=on\n")
    assert "it takes GPIO 7 and 8" in machine.run("install")


def test_a_window_is_wanted_kept_and_taken_back(machine: Machine) -> None:
    dropin = machine.root / "etc/systemd/system/beisitzer.service.d/window.conf"
    machine.run("install", SCREEN="window")
    assert dropin.read_bytes() == (ROOT / "systemd/beisitzer-window.conf").read_bytes()
    assert 'show = ["oled", "window"]' in machine.settings.read_text()
    assert "dtoverlay=vc4-kms-v3d" in machine.block()
    calls = machine.calls.read_text()
    assert "python3-pygame" in calls
    machine.run("install")
    assert dropin.exists()
    machine.run("install", SCREEN="none")
    assert not dropin.exists()
    assert 'show = "auto"' in machine.settings.read_text()
    assert machine.block() == (*BUS, BUTTON)


def test_graphics_that_are_switched_on_already_are_left_alone(machine: Machine) -> None:
    machine.config.write_text(CONFIG + "dtoverlay=vc4-kms-v3d,cma-128\n")
    machine.run("install", SCREEN="window")
    assert machine.config.read_text().count("vc4-kms-v3d") == 1


def test_another_screen_is_refused_before_anything_is_done(machine: Machine) -> None:
    done = machine.make("install", SCREEN="tv")
    assert "SCREEN is window or none" in done.stderr
    assert not machine.calls.exists()


# --- away with it


def test_uninstall_leaves_the_games_and_what_is_the_owners(machine: Machine) -> None:
    machine.run("install", SCREEN="window")
    games = machine.root / "var/lib/beisitzer/games.db"
    games.write_text("games")
    config = machine.config.read_text()
    said = machine.run("uninstall")
    assert set(machine.files()) == {
        "boot/firmware/config.txt",
        "boot/firmware/config.txt.before-beisitzer",
        "var/lib/beisitzer/games.db",
        "var/lib/beisitzer/settings.toml",
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
