"""The units, the rules beside them and the manual's chapter about the Pi hold together."""

import re
import shutil
from pathlib import Path

import pytest

from systemd.helper import SERVICES
from tests.ran import ran
from tests.units import WINDOW, settings, units
from tools.package import MACHINE, UNITS

ROOT = Path(__file__).parents[1]
SERVICES_HERE = units(".service")
DOORS = units(".path", ".socket")
EXPOSURE_LIMIT = {
    "beisitzer.service": 1.0,
    "beisitzer-stopped.service": 1.0,
    "beisitzer-helper@.service": 0.9,
    "beisitzer-web.service": 0.3,
    "beisitzer-web-name.service": 1.2,
    "beisitzer-wifi.service": 0.8,
    "beisitzer-link.service": 1.1,
    # apt, which fetches as a user of its own
    "beisitzer-look@.service": 2.5,
    # apt and dpkg, which install: they may do everything, like apt's own units
    "update-beisitzer.service": 9.6,
    "back-beisitzer.service": 9.6,
}
EXPOSURE_LIMIT_WITH_WINDOW = 1.1
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze not installed"
)


def put(folder: Path, *, window: bool) -> None:
    """Put the units where systemd's own tools read them; the program is not installed here."""
    shutil.copytree(UNITS, folder, dirs_exist_ok=True)
    for each in folder.glob("*.service"):
        each.write_text(each.read_text("utf-8").replace("/usr/bin/beisitzer", "/bin/true"), "utf-8")
    if window:
        shutil.copy(WINDOW, folder / "beisitzer.service.d" / "window.conf")


def exposure(unit: Path) -> float:
    run = ran(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)], check=True
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", run.stdout)
    assert found is not None, run.stdout
    return float(found[1])


@needs_systemd
@pytest.mark.parametrize("window", [False, True], ids=["rig", "window"])
def test_systemd_finds_no_mistake_in_a_unit(window: bool, tmp_path: Path) -> None:
    put(tmp_path, window=window)
    units = [tmp_path / unit.name for unit in [*SERVICES_HERE, *DOORS]]
    run = ran(["systemd-analyze", "verify", "--man=no", *units])
    # which Debian 12's does not know
    found = [line for line in run.stderr.splitlines() if "key 'RestartMode'" not in line]
    assert (run.returncode, found) == (0, [])


@needs_systemd
def test_verify_would_find_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.service"
    wrong.write_text("[Service]\nExecStart=/bin/true\nWatchdogSek=1\n")
    run = ran(["systemd-analyze", "verify", "--man=no", str(wrong)])
    assert "WatchdogSek" in run.stderr


@needs_systemd
@pytest.mark.parametrize("unit", SERVICES_HERE, ids=lambda unit: unit.name)
def test_the_sandbox_is_strict(unit: Path, tmp_path: Path) -> None:
    put(tmp_path, window=False)
    assert exposure(tmp_path / unit.name) <= EXPOSURE_LIMIT[unit.name]


@needs_systemd
def test_a_window_opens_the_sandbox_by_a_tenth(tmp_path: Path) -> None:
    put(tmp_path, window=True)
    assert exposure(tmp_path / "beisitzer.service") <= EXPOSURE_LIMIT_WITH_WINDOW


def test_a_screen_is_allowed_only_where_a_window_is_wanted() -> None:
    plain = settings(UNITS / "beisitzer.service")
    window = settings(WINDOW)
    assert not any("char-drm" in allowed for allowed in plain["DeviceAllow"])
    assert any("char-drm" in allowed for allowed in window["DeviceAllow"])
    assert not {"video", "render"} & set(plain["SupplementaryGroups"][0].split())
    assert {"video", "render"} <= set(window["SupplementaryGroups"][0].split())


def test_input_devices_are_read_and_no_key_can_be_made_up() -> None:
    """Writing to an input device would press keys; uinput, another driver, would make devices."""
    plain = settings(UNITS / "beisitzer.service")
    assert [value for value in plain["DeviceAllow"] if "input" in value] == ["char-input r"]
    assert "input" in plain["SupplementaryGroups"][0].split()


DRIVERS = {
    "char-ttyACM": "cdc_acm",
    "char-ttyUSB": "usbserial",
    "char-i2c": "i2c_dev",
    "char-spi": "spidev",
    "char-drm": "drm",
    "char-alsa": "snd",
}
"""Which driver brings a group of devices; pins and input devices are in the kernel itself."""


@pytest.mark.parametrize(
    "unit",
    [unit for unit in [*SERVICES_HERE, WINDOW] if "DeviceAllow" in settings(unit)],
    ids=lambda unit: unit.name,
)
def test_the_driver_of_every_allowed_device_is_loaded_before_the_unit_starts(unit: Path) -> None:
    found = settings(unit)
    allowed = [value.split()[0] for value in found["DeviceAllow"]]
    before = {name for value in found["After"] for name in value.split()}
    wanted = {name for value in found["Wants"] for name in value.split()}
    checked = 0
    for device in allowed:
        if device in DRIVERS:
            assert f"modprobe@{DRIVERS[device]}.service" in before & wanted, device
            checked += 1
        else:
            assert device in ("char-gpiochip", "char-input")
    assert checked


def test_the_voice_may_use_the_machines_sound() -> None:
    unit = settings(UNITS / "beisitzer.service")
    assert "char-alsa rw" in unit["DeviceAllow"]
    assert "audio" in unit["SupplementaryGroups"][0].split()


@pytest.mark.parametrize("unit", [*SERVICES_HERE, WINDOW], ids=lambda unit: unit.name)
def test_no_unit_waits_for_the_network(unit: Path) -> None:
    found = settings(unit)
    for name in ("After", "Wants", "Requires", "BindsTo"):
        assert not [value for value in found.get(name, ()) if "network" in value]


def test_nothing_before_the_program_can_keep_the_service_off() -> None:
    for unit in SERVICES_HERE:
        before = settings(unit).get("ExecStartPre", ())
        assert all(value.startswith("-") for value in before)  # its failure is ignored


def test_the_service_is_what_the_program_expects() -> None:
    from pi_app.run.systemd import POWER_STATUS

    unit = settings(UNITS / "beisitzer.service")
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["on-failure"]
    assert unit["User"] == ["beisitzer"]
    assert unit["StateDirectory"] == ["beisitzer"]
    assert unit["OnFailure"] == ["beisitzer-stopped.service back-beisitzer.service"]
    limits = {"WatchdogSec": 20, "StartLimitBurst": 5, "StartLimitIntervalSec": 15 * 60}
    assert {name: int(unit[name][0]) for name in limits} == limits, "docs/reliability.md says so"
    off, restart, again = (str(POWER_STATUS[power]) for power in ("off", "restart", "again"))
    assert unit["SuccessExitStatus"] == [f"{off} {restart} {again}"]
    assert unit["RestartPreventExitStatus"] == [f"{off} {restart}"]
    assert unit["RestartForceExitStatus"] == [again]
    for status, action in ((off, "poweroff"), (restart, "reboot")):
        assert f"{status}) exec systemctl --no-block {action}" in unit["ExecStopPost"][0]
    assert "BEISITZER_APPLIANCE=1" in unit["Environment"]


def test_a_failed_start_is_tried_in_safe_mode_before_the_service_gives_up() -> None:
    from pi_app.system.starts import SAFE_AFTER

    unit = settings(UNITS / "beisitzer.service")
    assert unit["RestartMode"] == ["direct"], "else OnFailure= follows each failure"
    burst, interval_s = int(unit["StartLimitBurst"][0]), int(unit["StartLimitIntervalSec"][0])
    assert burst > SAFE_AFTER + 1
    slowest_s = int(unit["TimeoutStartSec"][0]) + int(unit["TimeoutStopSec"][0])
    assert burst * (slowest_s + int(unit["RestartSec"][0])) < interval_s


def test_what_serves_phones_sees_no_game_and_no_network() -> None:
    """It gets its connections from systemd, and nothing else."""
    unit = settings(UNITS / "beisitzer-web.service")
    assert unit["DynamicUser"] == ["yes"]
    assert unit["SupplementaryGroups"] == ["beisitzer"]
    assert unit["InaccessiblePaths"] == ["-/var/lib/beisitzer"]
    assert unit["PrivateNetwork"] == ["yes"]
    assert unit["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert "WantedBy" not in unit
    assert "BEISITZER_REMOTE=/run/beisitzer/remote.sock" in unit["Environment"]
    assert any(line.startswith("HOME=/") for line in unit["Environment"])
    companion = settings(UNITS / "beisitzer.service")
    assert companion["RuntimeDirectory"] == ["beisitzer"]
    assert companion["RestrictAddressFamilies"] == ["AF_UNIX"]


def test_only_who_never_speaks_on_the_bus_has_a_user_that_is_made_for_a_while() -> None:
    """Without libnss-systemd the bus cannot look such a user up, and refuses it."""
    made = [unit.name for unit in SERVICES_HERE if "DynamicUser" in settings(unit)]
    assert made == ["beisitzer-web.service"]


@pytest.mark.parametrize("name", ["web", "link"])
def test_phones_and_the_link_are_served_only_while_the_table_says_so(name: str) -> None:
    """Nothing starts them but root's helper, which the companion asks."""
    start, stop = SERVICES[name]
    for unit in stop:
        found = settings(UNITS / unit)
        assert not {"WantedBy", "RequiredBy", "Also", "UpheldBy"} & set(found)
    asked = {each for unit in [*SERVICES_HERE, *DOORS] for name in ("Wants", "Requires", "Upholds")
             for value in settings(unit).get(name, ()) for each in value.split()}  # fmt: skip
    assert start not in asked - {"beisitzer-web.socket"}
    assert settings(UNITS / "beisitzer-web.socket")["ListenStream"] == ["80"]


def test_the_link_sees_no_game_and_writes_only_its_own_folder() -> None:
    """It has the network: so of the table it has the socket alone."""
    unit = settings(UNITS / "beisitzer-link.service")
    assert unit["User"] == ["beisitzer-link"]
    assert unit["SupplementaryGroups"] == ["beisitzer"]
    assert unit["InaccessiblePaths"] == ["-/var/lib/beisitzer"]
    assert unit["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]
    assert unit["ProtectSystem"] == ["strict"]
    assert not {"ReadWritePaths", "DynamicUser", "LoadCredential"} & set(unit)
    assert (unit["StateDirectory"], unit["StateDirectoryMode"]) == (["beisitzer-link"], ["0700"])
    assert not [each for each in unit["Environment"] if "CONFIG" in each]
    assert "BEISITZER_REMOTE=/run/beisitzer/remote.sock" in unit["Environment"]


def chapter() -> str:
    return re.split(r"(?m)^## ", (ROOT / "docs/pi.md").read_text("utf-8"))[1]


def test_the_manuals_commands_for_the_pi_exist() -> None:
    from pi_app.commands.cli import COMMANDS, HIDDEN

    text = chapter()
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    lines = [line.partition("#")[0].strip() for line in blocks]
    spans = re.findall(r"`([^`]+)`", text)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    units = {unit.stem for unit in SERVICES_HERE}
    checked = 0
    for command in lines + spans:
        words = command.removeprefix("sudo ").split()
        if words[0] == "make":
            assert words[1] in targets, command
        elif words[0].endswith("beisitzer") and len(words) > 1:
            assert words[1] in {*COMMANDS, *HIDDEN}, command
        elif words[0] in ("systemctl", "journalctl"):
            assert words[-1].removesuffix(".service") in units, command
        else:
            continue
        checked += 1
    assert checked >= 6


def test_every_place_the_manual_names_for_the_pi_is_the_units_or_the_installers() -> None:
    scripts = [MACHINE / "usr/share/beisitzer/setup.sh"]
    known = "".join(path.read_text("utf-8") for path in [*SERVICES_HERE, *scripts])
    places = re.findall(r"`(/(?:opt|etc|var|boot)[^` ]*)`", chapter())
    assert places
    for place in places:
        assert place.rstrip("/") in known, place


def test_the_wifis_user_is_allowed_five_things_of_networkmanagers_and_nothing_else() -> None:
    rule = (MACHINE / "usr/share/polkit-1/rules.d/50-beisitzer-wifi.rules").read_text()
    unit = settings(UNITS / "beisitzer-wifi.service")
    assert re.findall(r'subject\.user == "([^"]+)"', rule) == unit["User"]
    assert set(re.findall(r'"(org\.[^"]+)"', rule)) == {
        f"org.freedesktop.NetworkManager.{action}"
        for action in (
            "enable-disable-wifi", "network-control", "settings.modify.system", "wifi.scan",
            "wifi.share.protected",
        )
    }  # fmt: skip
    assert rule.count("polkit.Result.YES") == rule.count("polkit.Result") == 1
    assert unit["InaccessiblePaths"] == ["-/var/lib/beisitzer"]
    assert unit["CapabilityBoundingSet"] == [""]
