"""A life of the installed machine, from install to purge, in booted containers of each Debian.

Each step stands on the one before, as at a table.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.apt import Repository, needs_apt
from tests.machine.conftest import VERSION, Debian
from tests.machine.container import HERE, THERE, Container
from tests.machine.image import APT, NAMING
from tests.machine.parcel import renamed
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves
from tests.machine.updates import (
    FOLDER,
    INSTALL,
    INSTALLED,
    LOOK,
    MUTE,
    NEWER,
    WHOLE,
    newer_version,
    package_of,
    trust,
)
from tests.players.panel import Hand
from tests.players.phone import Phone

pytestmark = needs_apt
MOVES = random_moves(7)
MUTE_ONE = f"{VERSION}.2"
CUT_S = 600
"""Every step of an update is reached within so many seconds."""
LIBRARY, COMMAND = "/usr/lib/beisitzer", "/usr/bin/beisitzer"
LAY_OUT = f"""\
cd / && runuser -u beisitzer -- env HOME=/var/lib/beisitzer XDG_DATA_HOME=/var/lib \
  XDG_STATE_HOME=/var/lib BEISITZER_CONFIG=/run/none.toml BEISITZER_APPLIANCE=1 \
  {COMMAND} play just4fun --players "Anna yellow, Ben red" --keys /dev/null --display none \
  --store /var/lib/beisitzer/games
"""
"""The installed version lays out the game itself."""


class Life:
    """A container with its panel, and how far its game is."""

    def __init__(self, rig: Container, hand: Hand, figures: Figures, suite: str) -> None:
        self.rig = rig
        self.hand = hand
        self.figures = figures
        self.suite = suite
        self.played = 0

    def begin(self, lay_out: str = "") -> None:
        begin(self.rig, self.hand, lay_out)
        self.played = 0

    def play(self) -> None:
        """Key the next move of the game, and see that it counts."""
        self.hand.press(keys(MOVES[self.played]))
        self.played += 1
        self.sees_turn()

    def sees_turn(self) -> None:
        self.hand.sees_turn(NAMES[self.played % 2])

    def installed(self) -> str:
        return self.rig.ok(INSTALLED)

    def took(self, what: str, began: float) -> None:
        self.figures.note(f"{self.suite}: {what}: {time.monotonic() - began:.0f} s")


@pytest.fixture(name="served")
def _served(tmp_path: Path, parcel: Path) -> Iterator[Repository]:
    with newer_version(parcel, tmp_path, HERE) as made:
        yield made


def test_a_life_of_the_package(
    debian: Debian, parcel: Path, served: Repository, figures: Figures
) -> None:
    root = debian.lay_out("life")
    with Hand(debian.folder / "hand") as hand, Container(root, hand) as rig:
        life = Life(rig, hand, figures, debian.suite)
        _is_installed(life)
        _comes_back_when_it_is_killed_or_freezes(life)
        _says_that_it_has_stopped_and_starts_anew(life)
        _is_upgraded_with_a_changed_conffile(life)
        _lets_a_phone_play(life)
        _brings_itself_up_to_date(life, served)
        served.publish(renamed(package_of(parcel), served.folder.parent, MUTE_ONE, MUTE))
        _gives_way_from_a_version_without_a_frame(life)
        _goes_back_by_hand_with_a_game_that_the_newer_one_began(life)
        _is_removed_and_purged(life)


def _is_installed(life: Life) -> None:
    rig = life.rig
    began = time.monotonic()
    rig.ok(f"{APT} /srv/parcel/old.deb", 3600)
    life.took("installed", began)
    # without settings it has failed by now, perhaps as often as systemd tries it
    rig.ok("beisitzer-setup SETTINGS=/srv/parcel/settings.toml && systemctl restart beisitzer")
    rig.wait_for(RUNS)
    rig.ok("systemctl is-enabled beisitzer")
    life.hand.shows("Just 4 Fun")
    assert life.installed() != f"{WHOLE} {VERSION}"
    life.begin(LAY_OUT)
    life.play()


def _comes_back_when_it_is_killed_or_freezes(life: Life) -> None:
    rig = life.rig
    for signal in ("KILL", "STOP"):
        process = rig.unit("MainPID")["MainPID"]
        life.hand.lines.clear()
        rig.ok(f"kill -{signal} {process}")
        rig.wait_for(f"{RUNS} && test $(systemctl show -P MainPID beisitzer) != {process}")
        life.sees_turn()
    assert "watchdog" in rig.ok("journalctl --no-pager -u beisitzer | tail -50").lower()
    life.play()


def _says_that_it_has_stopped_and_starts_anew(life: Life) -> None:
    rig, hand = life.rig, life.hand
    options = "sed -i 's/^BEISITZER_OPTIONS=.*/BEISITZER_OPTIONS={}/' /etc/default/beisitzer"
    starts: dict[str, Callable[[], object]] = {
        "MENU is held": lambda: hand.press("MENU:1500"),
        "by root": lambda: rig.ok("systemctl reset-failed beisitzer; systemctl start beisitzer"),
    }
    for start in starts.values():
        rig.ok(options.format("--no-such-option"))
        hand.lines.clear()
        rig.run("systemctl reset-failed beisitzer; systemctl restart beisitzer")
        rig.wait_for("systemctl is-failed beisitzer")
        assert int(rig.unit("NRestarts")["NRestarts"]) >= 3, "the fifth start is the last one"
        hand.shows("stopped")
        rig.ok(options.format(""))
        hand.lines.clear()
        start()
        life.sees_turn()
        rig.wait_for(RUNS)
        assert rig.ok("systemctl --failed --no-legend --plain") == ""
    life.play()


def _is_upgraded_with_a_changed_conffile(life: Life) -> None:
    rig = life.rig
    rig.ok("echo '# mine' >> /etc/default/beisitzer")
    life.hand.lines.clear()
    rig.ok(f"{APT} -o Dpkg::Options::=--force-confold /srv/parcel/new.deb", 3600)
    rig.wait_for(RUNS)
    assert life.installed() == f"{WHOLE} {VERSION}"
    assert "# mine" in rig.ok("cat /etc/default/beisitzer")
    assert int(rig.ok(f"find {LIBRARY} -name '*.pyc' | wc -l")) > 100
    life.sees_turn()
    life.play()
    life.figures.memory(rig, f"of the package, {life.suite}")
    rig.check_uninterrupted()


def _lets_a_phone_play(life: Life) -> None:
    life.hand.press("MENU")
    life.hand.choose("System", "Phone", "Phones: off")
    life.hand.shows("Phones: on")
    life.hand.press("2")  # "Let everybody in"; below it lies a greyed row
    phone = Phone(80, THERE)
    phone.join(life.hand)
    life.hand.press("<")  # the code stays on show for others
    life.hand.shows("Paired phones: 1")
    life.hand.press("< < <")
    life.sees_turn()
    phone.press(*(_key(sign) for sign in keys(MOVES[life.played])))
    life.played += 1
    life.sees_turn()


def _key(sign: str) -> str:
    return {"#": "ENTER", "*": "STAR"}.get(sign, sign)


def _brings_itself_up_to_date(life: Life, served: Repository) -> None:
    rig, hand = life.rig, life.hand
    settings = rig.ok("cat /var/lib/beisitzer/settings.toml")
    trust(rig, served)
    began = time.monotonic()
    rig.ok(LOOK, 3000)
    assert rig.ok(f"cat {FOLDER}/looked; ls {FOLDER}").split() == [
        "beisitzer.sources", "cache", "lists", "looked", f"ready-{NEWER}.deb",
    ]  # fmt: skip
    fetched = rig.ok(f"du -cb {FOLDER}/lists {FOLDER}/ready-*.deb | tail -1 | cut -f 1")
    life.took(f"{fetched} bytes of an update fetched", began)
    assert life.installed() == f"{WHOLE} {VERSION}"
    hand.press("MENU")
    began = time.monotonic()
    hand.choose("System", f"{NEWER} ready", "Install")
    rig.wait_for(f'test "$({INSTALLED})" = "{WHOLE} {NEWER}" && {RUNS}', 900)
    life.sees_turn()
    life.took("update, from MENU to the newer version's first frame", began)
    rig.wait_for(f"! ls {FOLDER}/*.deb")
    life.play()
    assert rig.ok("cat /var/lib/beisitzer/settings.toml") == settings
    assert rig.ok("systemctl --failed --no-legend --plain") == ""


def _gives_way_from_a_version_without_a_frame(life: Life) -> None:
    rig, hand = life.rig, life.hand
    rig.ok(LOOK, 3000)
    began = time.monotonic()
    hand.lines.clear()
    rig.ok(INSTALL)
    rig.wait_for(f"test -e {FOLDER}/refused-{MUTE_ONE}.deb && {RUNS}", 1500)
    life.sees_turn()
    life.took("a version without a frame gave way", began)
    assert life.installed() == f"{WHOLE} {NEWER}"
    life.play()
    rig.ok(LOOK, 3000)
    assert rig.run(f"ls {FOLDER}/ready-*.deb").status != 0, "it is not fetched again"
    hand.press("MENU")
    hand.choose("System", "Updates")
    hand.shows(f"Try {MUTE_ONE} again")
    hand.press("BACK BACK BACK")


def _goes_back_by_hand_with_a_game_that_the_newer_one_began(life: Life) -> None:
    life.begin(f"rm -rf /var/lib/beisitzer/games\n{LAY_OUT}")
    life.play()
    life.hand.lines.clear()
    life.rig.ok(f"{APT} --allow-downgrades /srv/parcel/new.deb", 3600)
    assert life.installed() == f"{WHOLE} {VERSION}"
    life.rig.wait_for(RUNS, 900)
    life.sees_turn()
    life.play()


def _is_removed_and_purged(life: Life) -> None:
    rig = life.rig
    before = rig.ok("cd /var/lib/beisitzer/games && cksum *.jsonl")
    rig.ok("apt-get remove -y -q beisitzer", 1800)
    assert rig.run(RUNS).status != 0
    rig.ok(f"! test -e {LIBRARY} && ! test -e {COMMAND} && test -e /etc/default/beisitzer")
    rig.ok("apt-get purge -y -q beisitzer", 1800)
    rig.ok(f"! test -e /etc/default/beisitzer && ! test -e {FOLDER}")
    rig.ok("! systemctl cat beisitzer > /dev/null 2>&1")
    assert rig.ok("cd /var/lib/beisitzer/games && cksum *.jsonl") == before
    rig.ok("getent passwd beisitzer")


def test_the_table_is_found_by_its_name(debian: Debian, settled: Path) -> None:
    with Container(debian.copy(settled, "name")) as rig:
        rig.ok(f"{APT} {' '.join(NAMING)}", 1800)
        rig.ok("systemctl start beisitzer-web-name")
        rig.wait_for(f"avahi-resolve -n beisitzer.local | grep {THERE}")


# --- kills


def _noted(root: Path, state: str) -> bool:
    """Tell whether dpkg has noted that a package is in this state."""
    updates = (root / "var/lib/dpkg/updates").glob("[0-9]*")
    with suppress(FileNotFoundError):  # dpkg removes them at any moment
        return any(f" {state}\n" in path.read_text("utf-8", "replace") for path in updates)
    return False


def _has_before(root: Path) -> bool:
    return (root / FOLDER[1:] / "before.deb").exists()


def _fetches(root: Path) -> bool:
    return any((root / FOLDER[1:] / "cache/archives").rglob("*.deb"))


@dataclass(frozen=True)
class Step:
    """A step of an update: what starts it, what it leaves on the disk, what plays after it."""

    reached: Callable[[Path], bool]
    version: str = VERSION
    start: str = INSTALL


STEPS = {
    "the newer version is fetched": Step(
        _fetches, start=f"rm {FOLDER}/ready-*.deb; {LOOK.replace('start', '--no-block start')}"
    ),
    "the version before is packed": Step(
        lambda root: (root / FOLDER[1:] / ".tree/DEBIAN").exists(),
    ),
    "it is whole": Step(_has_before),
    "files are replaced": Step(lambda root: _noted(root, "half-installed")),
    "the newer version is set up": Step(lambda root: _noted(root, "half-configured")),
    "its first frame was shown": Step(
        lambda root: _noted(root, "half-configured") and not _has_before(root), NEWER
    ),
}


@pytest.fixture(scope="module", name="ready")
def _ready(
    debian: Debian, settled: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Yield the root of a system with a game, for which a newer version waits."""
    root, folder = debian.copy(settled, "ready"), tmp_path_factory.mktemp("ready")
    with newer_version(debian.parcel, folder, HERE) as made:
        with Hand(folder / "hand") as hand, Container(root, hand) as rig:
            begin(rig, hand)
            trust(rig, made)
            rig.ok(LOOK, 3000)
            rig.ok("systemctl stop beisitzer")
        yield root


@pytest.mark.parametrize("step", STEPS)
def test_an_update_that_is_cut_off_in_any_step_leaves_a_version_that_plays(
    debian: Debian, ready: Path, figures: Figures, step: str
) -> None:
    wanted = STEPS[step]
    root = debian.copy(ready, "cut")
    with Hand(debian.folder / "hand") as hand:
        with Container(root, hand) as rig:
            hand.sees_turn(NAMES[0])
            rig.ok(wanted.start)
            end = time.monotonic() + CUT_S
            while not wanted.reached(root):
                assert time.monotonic() < end, f"{step}: never"
                time.sleep(0.001)
        hand.lines.clear()
        began = time.monotonic()
        with Container(root, hand) as rig:
            life = Life(rig, hand, figures, debian.suite)
            life.sees_turn()
            life.took(f"cut off where {step}: plays again", began)
            rig.wait_for(f"{RUNS} && ! ls {FOLDER}/before.deb")
            assert rig.ok("dpkg --audit") == ""
            assert life.installed() == f"{WHOLE} {wanted.version}"
            assert rig.run(f"ls {FOLDER}/refused-*.deb").status != 0, "it was no fault of the newer"
            life.play()
            rig.ok(LOOK, 3000)
            waits = rig.run(f"test -e {FOLDER}/ready-{NEWER}.deb").status == 0
            assert waits == (wanted.version == VERSION)
