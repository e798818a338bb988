"""What root opens, what can keep root busy, and the one list of users that all installations share.

Properties of all units, rules and scripts: a new file is held to them without a word here.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.link.table import SERVICE_USER
from systemd.helper import SERVICES
from tests.ran import ran
from tests.units import CARD_UNITS, KINDS, lines, units
from tools.image import system
from tools.package import DEBIAN, MACHINE, SYSTEMD, UNITS

ROOT = Path(__file__).parents[1]
ALL = (*units(), *(path for path in CARD_UNITS.rglob("*") if path.suffix in (*KINDS, ".conf")))
MAINTAINER = [DEBIAN / name for name in ("postinst", "prerm", "postrm")]
SCRIPTS = [
    *sorted(
        path
        for path in SYSTEMD.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and UNITS not in path.parents
    ),
    *MAINTAINER,
    DEBIAN / "bin" / "beisitzer",
]
"""All else that root reads or runs: scripts, rules, tables, the package's and the card's files."""
FOLDERS = {
    "StateDirectory": "/var/lib",
    "RuntimeDirectory": "/run",
    "CacheDirectory": "/var/cache",
    "LogsDirectory": "/var/log",
}
USERS = MACHINE / "usr/lib/sysusers.d/beisitzer.conf"
FOLDERS_LIST = MACHINE / "usr/lib/tmpfiles.d/beisitzer.conf"
LONG_S = 5
"""A service that nothing limits is started again after so many seconds at the earliest."""


def values(unit: Path, name: str) -> list[str]:
    return [value for each, value in lines(unit) if each == name]


def user_of(unit: Path) -> str:
    """Return whose process a unit's is: "root", a user's name, or "" for one made for a while."""
    main = next((each for each in ALL if f"{each.name}.d" == unit.parent.name), unit)
    if "yes" in values(main, "DynamicUser"):
        return ""
    return (values(main, "User") or ["root"])[0]


def folders_of(unit: Path) -> Iterator[str]:
    """Yield the folders that a unit's process may write."""
    for name, value in lines(unit):
        if name in FOLDERS and value:
            yield from (f"{FOLDERS[name]}/{each}" for each in value.split())
        elif name == "ReadWritePaths":
            yield from (each.lstrip("-+") for each in value.split())


def data_folders() -> list[tuple[str, int, str]]:
    """Return path, mode and owner of the folders on a card's data partition."""
    text = (system.CARD / "usr/lib/tmpfiles.d/card.conf").read_text()
    found = re.findall(r"(?m)^d (\S+) (\d+) (\S+) \3$", text)
    return [(path, int(mode, 8), user) for path, mode, user in found]


def numbers() -> dict[str, int]:
    """Return the number of each of our users, and of its group."""
    return {
        name: int(number) for name, number in re.findall(r"(?m)^u (\S+) (\d+) ", USERS.read_text())
    }


def writable() -> set[str]:
    """Return the folders that somebody other than root may write."""
    found = {folder for unit in ALL if user_of(unit) != "root" for folder in folders_of(unit)}
    found |= {folder for folder, _, user in data_folders() if user != "root"}
    return found | {"/tmp", "/var/tmp", "/dev/shm", "/home", "/run/user"}  # noqa: S108


AS_USER = re.compile(r"""(?:runuser -u \S+ --|as_user|setpriv) [^;)\n]*""")
"""A command that is not root's any more."""
PATH = re.compile(r"(?<![\w$}.-])/?((?:data|dev|etc|home|run|tmp|var)/[\w@%./{}$-]*\w)")


def opened_by_root(text: str) -> list[str]:
    """Return the paths within folders of others that are named where root could open them."""
    named = [f"/{found}" for found in PATH.findall(AS_USER.sub("", text))]
    return [path for path in named for folder in writable() if path.startswith(f"{folder}/")]


def roots_part(unit: Path, name: str, value: str) -> str:
    """Return the part of a setting that systemd, or a command with root's rights, opens."""
    if user_of(unit) == "root":
        return value
    if name == "Environment":
        return ""
    if name.startswith("Exec"):
        marks = re.match(r"[-:@+!]*", value)
        assert marks is not None
        return value if set(marks[0]) & set("+!") else value.split(maxsplit=1)[0]
    return value


def expanded(unit: Path, value: str) -> str:
    """Put the folders in the place of what systemd calls them."""
    state = (values(unit, "StateDirectory") or ["none"])[0]
    for short, folder in (
        ("$$STATE_DIRECTORY", f"/var/lib/{state}"),
        ("$STATE_DIRECTORY", f"/var/lib/{state}"),
        ("%S", "/var/lib"),
        ("%t", "/run"),
        ("%C", "/var/cache"),
        ("%L", "/var/log"),
        ("%T", "/tmp"),  # noqa: S108
        ("%V", "/var/tmp"),  # noqa: S108
    ):
        value = value.replace(short, folder)
    return value


@pytest.mark.parametrize("unit", ALL, ids=lambda unit: f"{unit.parent.name}/{unit.name}")
def test_systemd_opens_nothing_in_a_folder_that_a_service_may_write(unit: Path) -> None:
    """There may be a link to any file, and systemd would read that for whoever made the link."""
    for name, value in lines(unit):
        assert not opened_by_root(expanded(unit, roots_part(unit, name, value))), f"{name}={value}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_script_or_rule_of_roots_names_a_file_in_such_a_folder(script: Path) -> None:
    text = script.read_text("utf-8", "replace")
    for variable, folder in re.findall(r"^(\w+)=(?:\$root)?(/[\w/]+)$", text, re.MULTILINE):
        text = re.sub(rf"\${variable}\b", folder, text)
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    assert not opened_by_root(code.replace("$root", ""))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("LoadCredential=a:/var/lib/beisitzer/a", 1),
        ("cat '/run/beisitzer/remote.sock'", 1),
        ('read("var/lib/beisitzer/settings.toml")', 1),
        ("/data/machine/link/ca.pem", 1),
        ("chmod 750 /var/lib/beisitzer", 0),
        ("/var/lib/dpkg/status", 0),
        ("runuser -u beisitzer -- cat /var/lib/beisitzer/a", 0),
        ("runuser -u beisitzer -- true; cat /var/lib/beisitzer/a", 1),
    ],
)
def test_the_search_for_such_files_finds_them(text: str, found: int) -> None:
    assert len(opened_by_root(text)) == found


OPENED = """\
import sys
from pathlib import Path
opened = []
sys.addaudithook(lambda event, args: opened.append(f"{event} {args}")
    if event.partition(".")[0] in ("open", "os", "shutil", "sqlite3", "pathlib") else None)
from systemd import update
updater = update.Updater(Path(sys.argv[1]))
for words in (["look", "stable"], ["install"], ["back"]):
    update.main(words, updater)
inside = [each for each in opened if "/var/lib/beisitzer/" in each]
print("\\n".join(inside), end="")
assert any("/var/lib/beisitzer-update/looked" in each for each in opened)
"""


def test_the_updater_itself_opens_nothing_of_the_table(tmp_path: Path) -> None:
    (state := tmp_path / "var/lib/beisitzer").mkdir(parents=True)
    (state / "settings.toml").write_text('[updates]\ntake = "testing"\n')
    (tmp_path / "var/lib/beisitzer-update").mkdir()
    done = ran([sys.executable, "-c", OPENED, str(tmp_path)], cwd=ROOT, check=True)
    assert done.stdout == ""


# --- what can keep root busy


def seconds(value: str) -> float:
    found = re.fullmatch(r"(\d+)\s*(ms|s|min|h|)", value)
    assert found is not None, value
    return int(found[1]) * {"ms": 0.001, "s": 1, "": 1, "min": 60, "h": 3600}[found[2]]


@pytest.mark.parametrize("unit", ALL, ids=lambda unit: f"{unit.parent.name}/{unit.name}")
def test_nobody_can_let_a_unit_start_again_and_again(unit: Path) -> None:
    """The limits of systemd stand: on starts, and on what a file or a connection sets off."""
    for name in ("TriggerLimitIntervalSec", "TriggerLimitBurst"):
        assert all(float(re.sub(r"\D", "", each) or 0) for each in values(unit, name)), name
    if unit.suffix == ".path":
        assert {"TriggerLimitIntervalSec", "TriggerLimitBurst"} <= dict(lines(unit)).keys()
    unlimited = values(unit, "StartLimitIntervalSec")[-1:] == ["0"]
    if unlimited:  # then nothing but its own pause lets it start
        assert seconds((values(unit, "RestartSec") or ["0"])[0]) >= LONG_S
        assert not [each for each in ALL if unit.stem == each.stem and each != unit]
    if "yes" in values(unit, "Accept"):  # a process for each connection: no limit on starts counts
        burst, interval = (values(unit, f"TriggerLimit{each}") for each in ("Burst", "IntervalSec"))
        assert int(burst[0]) / seconds(interval[0]) <= LONG_S


# --- users, groups, folders and units


def users_list() -> dict[str, set[str]]:
    """Return the names on the list of users: "u" users, "g" groups, "m" the companion's groups."""
    found: dict[str, set[str]] = {"u": set(), "g": set(), "m": set()}
    for line in USERS.read_text().splitlines():
        if line and not line.startswith("#"):
            words = line.split()
            found[words[0]].add(words[2] if words[0] == "m" else words[1])
    found["g"] |= found["u"]  # each user has a group of that name
    return found


def names_in(pattern: str) -> set[str]:
    """Return what all units and rules, of every installation, name in this way."""
    files = [*ALL, *SCRIPTS]
    texts = [path.read_text("utf-8", "replace") for path in files if path.suffix != ".py"]
    found = [re.findall(pattern, text, re.MULTILINE) for text in texts]
    return {name for names in found for each in names for name in each.split()}


def test_the_list_of_users_has_every_user_and_group_that_a_unit_or_a_rule_names() -> None:
    listed = users_list()
    users = names_in(r"^(?:User|SocketUser)=(.+)$") | names_in(r'subject\.user == "([^"]+)"')
    groups = names_in(r"^(?:Group|SocketGroup|SupplementaryGroups)=(.+)$")
    groups |= names_in(r'GROUP="([^"]+)"')
    assert users == listed["u"]
    assert SERVICE_USER in users
    assert groups <= listed["g"]
    (companion,) = values(UNITS / "beisitzer.service", "SupplementaryGroups")
    assert listed["m"] == set(companion.split())


def test_package_and_card_make_the_users_and_the_folder_of_this_list() -> None:
    setup = (MACHINE / "usr/share/beisitzer/setup.sh").read_text()
    assert re.search(r"^systemd-sysusers .*beisitzer\.conf$", setup, re.MULTILINE)
    assert re.search(r"^systemd-tmpfiles .*--create beisitzer\.conf$", setup, re.MULTILINE)
    assert "dpkg --install" in inspect.getsource(system.settle), "the card has the package's"
    for path in [*SCRIPTS, *ALL, *(ROOT / "tools").rglob("*.py")]:
        assert not re.search(r"\b(useradd|adduser|groupadd|addgroup)\b", path.read_text("utf-8"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make users")
def test_systemd_makes_the_users_and_the_folder_of_the_list(tmp_path: Path) -> None:
    for kind, source in (("sysusers", USERS), ("tmpfiles", FOLDERS_LIST)):
        (tmp_path / f"etc/{kind}.d").mkdir(parents=True)
        shutil.copy(source, tmp_path / f"etc/{kind}.d")
    root = f"--root={tmp_path}/"
    subprocess.run(["systemd-sysusers", root, "beisitzer.conf"], check=True, capture_output=True)
    create = ["systemd-tmpfiles", root, "--create", "beisitzer.conf"]
    subprocess.run(create, check=True, capture_output=True)
    made = (tmp_path / "etc/passwd").read_text().splitlines()
    assert {line.split(":")[0] for line in made} == users_list()["u"]
    assert (tmp_path / "var/lib/beisitzer").stat().st_uid == numbers()["beisitzer"]


def test_a_user_who_owns_a_folder_on_a_card_has_the_lists_number() -> None:
    """Files on /data outlive the card's system."""
    assert {user for _, _, user in data_folders()} - {"root"} == set(numbers())


def test_what_the_helper_and_the_packages_scripts_start_or_stop_is_there() -> None:
    listed = {path.name for path in (*units(), *CARD_UNITS.iterdir())}
    named = {unit for start, stop in SERVICES.values() for unit in (start, *stop)}
    for path in (
        *MAINTAINER,
        SYSTEMD / "helper.py",
    ):
        text = path.read_text("utf-8")
        named |= set(
            re.findall(
                r"\b((?:(?:update|back)-)?(?:beisitzer|card)[\w@-]*\.(?:service|socket|path|timer))",
                text,
            )
        )
    assert {re.sub(r"@\w+\.", "@.", unit) for unit in named} <= listed
