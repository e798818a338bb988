"""Root's updater: real apt from a signed repository, what it installs, and the way back."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from systemd import update
from systemd.update import TRIAL, UpdateError, Updater
from tests.apt import (
    Repository,
    key_folder,
    make_key,
    make_machine,
    make_package,
    needs_apt,
    put_in,
    served,
)
from tests.ran import ran
from tools.repository import SigningKeys

pytestmark = needs_apt


class CutError(BaseException):
    """The power is cut; nothing in the program catches it."""


@pytest.fixture(scope="module", name="keys")
def _keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], SigningKeys]]:
    made: dict[str, SigningKeys] = {}
    with key_folder(tmp_path_factory.mktemp("gpg") / "home") as home:

        def key(name: str) -> SigningKeys:
            if name not in made:
                made[name] = make_key(home, name)
            return made[name]

        yield key


@pytest.fixture(name="repository")
def _repository(keys: Callable[[str], SigningKeys], tmp_path: Path) -> Iterator[Repository]:
    with served(Repository(tmp_path / "repository", keys("first"))) as repository:
        yield repository


@pytest.fixture(name="machine")
def _machine(repository: Repository, tmp_path: Path) -> Updater:
    return make_machine(tmp_path / "machine", "0.1.0", repository.sources())


def packages(machine: Updater) -> set[str]:
    return {path.name for path in machine.folder.glob("*.deb")}


def fault(machine: Updater) -> str:
    with pytest.raises(UpdateError) as raised:
        update.look(machine, "stable")
    assert packages(machine) == set()
    return raised.value.code


# --- looking


def test_the_highest_version_is_fetched_and_never_a_lower_one(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.0.9")
    assert update.look(machine, "stable") == ""
    for version in ("0.3.0", "0.10.0~rc1", "0.10.0"):
        repository.add(version)
        assert update.look(machine, "stable") == version
        assert packages(machine) == {f"ready-{version}.deb"}
    assert update.look(machine, "stable") == "0.10.0", "it stays ready"


def test_what_is_only_in_testing_comes_to_who_asks_for_it(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.1.0")
    repository.add("0.2.0", "testing")
    assert update.look(machine, "stable") == ""
    assert update.look(machine, "testing") == "0.2.0"


def test_what_is_installed_meanwhile_by_hand_is_ready_no_more(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.2.0")
    assert update.look(machine, "stable") == "0.2.0"
    put_in(machine.root, machine.folder / "ready-0.2.0.deb")
    assert update.look(machine, "stable") == ""
    assert packages(machine) == set()


@pytest.mark.parametrize("how", ["another key", "changed", "unsigned"])
def test_a_repository_that_no_known_key_has_signed_is_not_trusted(
    how: str, repository: Repository, machine: Updater, keys: Callable[[str], SigningKeys]
) -> None:
    if how == "another key":
        repository.keys = keys("stranger")
    repository.add("0.2.0")
    signed = repository.folder / "dists/stable/InRelease"
    if how == "changed":
        signed.write_text(signed.read_text().replace("Origin: Beisitzer", "Origin: Another"))
    elif how == "unsigned":
        for name in ("InRelease", "Release.gpg"):
            signed.with_name(name).unlink()
    assert fault(machine) == "untrusted"


def test_a_package_that_was_changed_after_signing_is_not_taken(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.2.0")
    (package,) = (repository.folder / "pool").rglob("*.deb")
    package.write_bytes(package.read_bytes()[:-9] + bytes(9))
    assert fault(machine) == "unreachable"


def test_a_downloaded_package_that_a_power_cut_spoilt_is_fetched_again(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.2.0")
    (package,) = (repository.folder / "pool").rglob("*.deb")
    (archives := machine.folder / "cache/archives").mkdir(parents=True)
    # apt compares only its length
    (archives / package.name).write_bytes(bytes(package.stat().st_size))
    assert update.look(machine, "stable") == "0.2.0"
    assert (machine.folder / "ready-0.2.0.deb").read_bytes() == package.read_bytes()


def test_a_version_that_needs_what_this_machine_lacks_is_not_taken(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.2.0", depends="python3 (>= 4)")
    assert fault(machine) == "unfit"


def test_without_a_repository_or_a_network_a_code_says_why(
    repository: Repository, machine: Updater
) -> None:
    repository.add("0.2.0")
    own = machine.root / update.SOURCES[-1]
    own.write_text(own.read_text().replace(repository.url, "http://127.0.0.1:9"))
    assert fault(machine) == "unreachable"
    own.unlink()
    assert fault(machine) == "no-source"


def test_the_owners_repository_comes_first(
    machine: Updater, keys: Callable[[str], SigningKeys], tmp_path: Path
) -> None:
    with served(Repository(tmp_path / "own", keys("own"))) as own:
        own.add("0.7.0")
        for place in update.SOURCES[:-1]:
            (file := machine.root / place).parent.mkdir(parents=True)
            file.write_text(own.sources())
            assert update.look(machine, "stable") == "0.7.0"
            file.unlink()


def test_a_key_is_changed_by_a_version_that_knows_both(
    repository: Repository, machine: Updater, keys: Callable[[str], SigningKeys]
) -> None:
    """As docs/pi.md says: sign with both, deliver the new one, sign with the new one."""
    old, new = keys("first"), keys("second")
    repository.keys = SigningKeys((*old.fingerprints, *new.fingerprints), old.home)
    repository.add("0.2.0")
    assert update.look(machine, "stable") == "0.2.0"
    (machine.root / update.SOURCES[-1]).write_text(repository.sources())
    repository.keys = new
    repository.add("0.3.0")
    assert update.look(machine, "stable") == "0.3.0"


def test_a_look_that_is_cut_off_anywhere_leaves_a_whole_package_or_none(
    repository: Repository, machine: Updater
) -> None:
    """Stop before each command in turn, until it comes through."""
    repository.add("0.2.0")
    left, done, real = 0, "", machine.run

    def cut(words: Sequence[str], **environment: str) -> tuple[int, str]:
        nonlocal left
        left -= 1
        if left < 0:
            raise CutError
        return real(words, **environment)

    allowed = 0
    while not done:
        left = allowed
        try:
            done = update.look(replace(machine, run=cut), "stable")
        except CutError:
            allowed += 1
            for package in packages(machine):
                ran(["dpkg-deb", "--info", machine.folder / package], check=True)
    assert allowed >= 5, "it was not cut off at every step"
    assert packages(machine) == {"ready-0.2.0.deb"}


def test_what_was_wrong_is_noted_for_the_table(machine: Updater) -> None:
    (machine.root / update.SOURCES[-1]).unlink()
    assert update.main(["look", "stable"], machine) == 1
    assert (machine.folder / "looked").read_text() == "no-source"
    assert (machine.folder / "looked").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("words", [[], ["look"], ["look", "unstable"], ["switch"]])
def test_unknown_words_are_refused(words: list[str], machine: Updater) -> None:
    assert update.main(words, machine) == 2


# --- installing, and the way back


class System:
    """Runs dpkg in the machine's folder, notes what systemd is asked, and may cut the power."""

    def __init__(self, machine: Updater, *, shows: bool = True) -> None:
        self.real, self.root, self.shows = machine.run, machine.root, shows
        self.asked: list[str] = []
        self.trial = ""
        self.left = 99
        """So many commands run before the power is cut."""
        self.machine = replace(machine, run=self.run)

    def run(self, words: Sequence[str], **environment: str) -> tuple[int, str]:
        self.left -= 1
        if self.left < 0:
            raise CutError
        if words[0] == "systemctl":
            self.asked.append(" ".join(words[1:]))
        elif words[0] == "apt-get":
            self.trial = (self.root / TRIAL).read_text()
            put_in(self.root, Path(words[-1]))
            if self.shows:  # ExecStartPost= of beisitzer.service
                (self.root / "var/lib/beisitzer-update/before.deb").unlink()
        elif words[0] == "dpkg":
            if "--install" in words:
                put_in(self.root, Path(words[-1]))
        else:
            return self.real(words, **environment)
        return 0, ""

    def installed(self) -> str:
        assert self.machine.query("-W", "-f${Status}", "beisitzer") == "install ok installed"
        return (self.root / "usr/lib/beisitzer/VERSION").read_text().strip()


@pytest.fixture(name="ready")
def _ready(repository: Repository, machine: Updater) -> Updater:
    repository.add("0.2.0")
    assert update.look(machine, "stable") == "0.2.0"
    return machine


def test_a_version_that_shows_its_first_frame_stays(ready: Updater) -> None:
    system = System(ready)
    assert update.main(["install"], system.machine) == 0
    assert system.installed() == "0.2.0"
    assert packages(ready) == set()
    assert system.trial == "[Service]\nRestart=no\n"
    assert not (ready.root / TRIAL).exists()
    assert system.asked[0] == "stop beisitzer.service"
    assert system.asked[-1] == "daemon-reload"


def test_a_version_that_shows_no_first_frame_gives_way_and_is_tried_again_only_when_asked(
    ready: Updater, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = System(ready, shows=False)
    assert update.main(["install"], system.machine) == 0
    assert packages(ready) == {"before.deb", "ready-0.2.0.deb"}
    monkeypatch.setenv("MONITOR_SERVICE_RESULT", "timeout")
    assert update.main(["back"], system.machine) == 0
    assert system.installed() == "0.1.0"
    assert packages(ready) == {"refused-0.2.0.deb"}
    assert system.asked[-2:] == ["reset-failed beisitzer.service",
                                 "--no-block start beisitzer.service"]  # fmt: skip
    assert update.look(ready, "stable") == ""
    assert packages(ready) == {"refused-0.2.0.deb"}
    system.shows = True
    assert update.main(["install"], system.machine) == 0
    assert system.installed() == "0.2.0"
    repository.add("0.3.0")
    assert update.look(ready, "stable") == "0.3.0"


def test_what_leads_back_is_what_was_installed_with_its_scripts_but_not_what_its_owner_wrote(
    ready: Updater, tmp_path: Path
) -> None:
    info = ready.root / "var/lib/dpkg/info"
    (info / "beisitzer.postinst").write_text("#!/bin/sh\n")
    (info / "beisitzer.postinst").chmod(0o755)
    (ready.root / "usr/lib/beisitzer/VERSION").write_text("0.1.0 mended\n")
    (ready.root / "etc/default/beisitzer").write_text("as it was\n# mine\n")
    update.pack_installed(ready)
    before = ready.folder / "before.deb"
    ran(["dpkg-deb", "--raw-extract", before, tmp_path / "tree"], check=True)
    assert (tmp_path / "tree/usr/lib/beisitzer/VERSION").read_text() == "0.1.0 mended\n"
    assert (tmp_path / "tree/DEBIAN/postinst").stat().st_mode & 0o111
    assert not (tmp_path / "tree/etc/default/beisitzer").exists(), "it stays where it is"
    assert (tmp_path / "tree/DEBIAN/conffiles").read_text() == "/etc/beisitzer.conf\n"
    asked = ran(["dpkg-deb", "--field", before], check=True).stdout
    assert "Status" not in asked
    assert "Version: 0.1.0\n" in asked


def test_after_the_way_back_what_the_owner_wrote_is_theirs_and_apt_does_not_ask_about_it(
    ready: Updater, repository: Repository
) -> None:
    (default := ready.root / "etc/default/beisitzer").write_text("as it was\n# mine\n")
    system = System(ready, shows=False)
    assert update.main(["install"], system.machine) == 0
    assert update.main(["back"], system.machine) == 0
    assert system.installed() == "0.1.0"
    # as a person does it: where dpkg has a question, it fails without somebody to answer
    dpkg = ["dpkg", f"--root={ready.root}", "--force-not-root", "--force-bad-path"]
    ran([*dpkg, "--install", make_package(repository.folder, "0.3.0")], check=True)
    assert default.read_text() == "as it was\n# mine\n"
    ran([*dpkg, "--remove", "beisitzer"], check=True)
    assert default.read_text() == "as it was\n# mine\n"
    ran([*dpkg, "--purge", "beisitzer"], check=True)
    assert not default.exists()


@pytest.mark.parametrize("cut", range(12))
def test_a_cut_at_any_step_of_an_installation_leads_to_one_of_the_two_versions(
    cut: int, ready: Updater, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cut % 2:  # Debian 12's systemd; the one of Debian 13 says nothing at a start
        monkeypatch.setenv("MONITOR_SERVICE_RESULT", "success")
    system = System(ready, shows=False)
    system.left = cut
    with suppress(CutError):
        update.main(["install"], system.machine)
    system.left = 99
    if (ready.folder / "before.deb").exists():  # else systemd starts nothing
        assert update.main(["back"], system.machine) == 0
    assert system.installed() == "0.1.0"
    assert packages(ready) == {"ready-0.2.0.deb"}, "a power cut is no fault of the newer one"
    assert update.main(["install"], System(ready).machine) == 0
    assert system.installed() == "0.2.0"


def test_an_installation_that_fails_leads_back_at_once(ready: Updater) -> None:
    system = System(ready)

    def run(words: Sequence[str], **environment: str) -> tuple[int, str]:
        if words[0] == "apt-get":
            return 100, "no space left on device"
        return system.run(words, **environment)

    assert update.main(["install"], replace(ready, run=run)) == 1
    assert system.installed() == "0.1.0"
    assert packages(ready) == {"refused-0.2.0.deb"}
    assert (ready.folder / "looked").read_text() == "failed"
    assert system.asked[-2:] == ["--no-block start beisitzer.service", "daemon-reload"]
