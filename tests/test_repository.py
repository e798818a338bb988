"""The signed repository: what it holds, who may trust it, and what it says where it fails."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from systemd.update import INSIDE
from tests.apt import WHEN, Repository, key_folder, make_key, needs_apt, program_modules
from tests.ran import ran
from tests.test_image import needs
from tools import package
from tools.repository import __main__ as command
from tools.repository import card, index
from tools.repository.signing import RepositoryError, SigningKeys, opened, sources


@pytest.fixture(scope="module", name="key")
def _key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SigningKeys]:
    with key_folder(tmp_path_factory.mktemp("gpg") / "home") as home:
        yield make_key(home, "first")


@pytest.fixture(name="repository")
def _repository(key: SigningKeys, tmp_path: Path) -> Repository:
    return Repository(tmp_path / "apt", key, "https://beisitzer.invalid/apt")


def listed(repository: Repository, suite: str) -> list[str]:
    lists = repository.folder / "dists" / suite / "main/binary-arm64/Packages"
    return re.findall(r"^Version: (.*)$", lists.read_text(), re.M)


# --- the package of a card's program


@needs("dpkg-deb")
def test_the_same_program_gives_the_same_package(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made = program_modules(tmp_path / name, "print('plays')")
        card.build(tmp_path / name, "1.2", made, "Types: deb\n", WHEN)
    one, two = (
        (tmp_path / name / "beisitzer-program_1.2_arm64.deb").read_bytes()
        for name in ("one", "two")
    )
    assert one == two


@needs("dpkg-deb")
def test_a_program_is_one_folder_by_its_version_and_runs_no_script(tmp_path: Path) -> None:
    built = card.build(tmp_path, "1.2", program_modules(tmp_path, "pass"), "Types: deb\n", WHEN)
    said = ran(["dpkg-deb", "-c", built], check=True)
    paths = {line.split()[5].removeprefix("./") for line in said.stdout.splitlines()}
    inside = {path for path in paths if not f"{INSIDE}/1.2/".startswith(path)}
    assert inside
    assert all(path.startswith(f"{INSIDE}/1.2/") for path in inside)
    assert f"{INSIDE}/1.2/beisitzer.sources" in inside
    assert {line.split()[1] for line in said.stdout.splitlines()} == {"root/root"}
    control = tmp_path / "control"
    subprocess.run(["dpkg-deb", "--control", built, control], check=True)
    assert [path.name for path in control.iterdir()] == ["control"]


@needs("dpkg-deb")
def test_a_program_needs_a_card_and_the_libraries_that_it_does_not_carry(tmp_path: Path) -> None:
    built = card.build(tmp_path, "1.2", program_modules(tmp_path, "pass"), "", WHEN)
    said = ran(["dpkg-deb", "-f", built, "Depends"], check=True)
    needed = said.stdout.strip().split(", ")
    assert f"beisitzer-card (>= {card.OLDEST_CARD})" in needed
    assert {"python3 (>= 3.11)", "python3-cbor2", "python3-pil (>= 9.2)"} <= set(needed)
    assert not [each for each in needed if each.startswith("systemd")]


# --- suites


@needs_apt
def test_what_is_stable_is_in_testing_too_and_not_the_other_way_round(
    repository: Repository,
) -> None:
    repository.add("0.1.0")
    repository.add("0.2.0", "testing")
    assert listed(repository, "stable") == ["0.1.0"]
    assert sorted(listed(repository, "testing")) == ["0.1.0", "0.2.0"]


@needs_apt
def test_earlier_versions_stay(repository: Repository) -> None:
    for version in ("0.1.0", "0.2.0"):
        repository.add(version)
    assert sorted(listed(repository, "stable")) == ["0.1.0", "0.2.0"]


@needs_apt
def test_the_lists_are_signed_and_found_by_their_hashes(repository: Repository) -> None:
    repository.add("0.1.0")
    suite = repository.folder / "dists/stable"
    release = (suite / "Release").read_text()
    assert release in (suite / "InRelease").read_text()
    for line in ("Suite: stable", "Acquire-By-Hash: yes", "Architectures: amd64 arm64 armhf"):
        assert line in release.splitlines()
    assert "MD5Sum" not in release
    ((digest, name),) = re.findall(
        r"^ ([0-9a-f]{64}) +\d+ (main/binary-arm64/Packages)$", release, re.M
    )
    assert (suite / Path(name).parent / "by-hash/SHA256" / digest).read_bytes() == (
        suite / name
    ).read_bytes()


# --- keys


@needs_apt
def test_a_key_in_a_file_signs_as_well(key: SigningKeys, tmp_path: Path) -> None:
    words = ["gpg", "--homedir", str(key.home), "--batch", "--armor", "--export-secret-keys"]
    exported = subprocess.run(words, capture_output=True, check=True).stdout
    (tmp_path / "key.asc").write_bytes(exported)
    with opened([str(tmp_path / "key.asc")]) as keys:
        assert keys.fingerprints == key.fingerprints
        (tmp_path / "Release").write_text("Suite: stable\n")
        keys.sign(tmp_path / "Release")
    assert "Suite: stable" in (tmp_path / "InRelease").read_text()


@needs_apt
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "KEY="),
        (["0123456789ABCDEF0123456789ABCDEF01234567"], "gpg"),
        ([__file__, "0123456789ABCDEF"], "all keys by files"),
        ([__file__], "gpg"),
    ],
)
def test_a_key_that_cannot_be_used_is_said(words: list[str], said: str) -> None:
    with pytest.raises(RepositoryError, match=said), opened(words):
        pass


def test_a_sources_file_names_the_keys_that_are_trusted() -> None:
    text = sources("https://beisitzer.invalid/apt", "stable", "-----BEGIN\n\nabc\n-----END\n")
    assert text.splitlines() == [
        "Types: deb",
        "URIs: https://beisitzer.invalid/apt",
        "Suites: stable",
        "Components: main",
        "Signed-By:",
        " -----BEGIN",
        " .",
        " abc",
        " -----END",
    ]


@pytest.mark.parametrize("url", ["", "beisitzer.invalid", "ftp://x", "https://a b"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(RepositoryError, match="URL="):
        sources(url, "stable", "")


# --- make apt-repository


@needs_apt
def test_a_version_is_built_once_and_goes_from_testing_to_stable_as_it_is(
    key: SigningKeys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = []

    def carry() -> Path:
        carried.append(tmp_path)
        return program_modules(tmp_path, "pass")

    def build(folder: Path, version: str) -> Path:
        (folder / f"beisitzer_{version}_all.deb").write_bytes(built.read_bytes())
        return folder / f"beisitzer_{version}_all.deb"

    built = card.build(tmp_path, "0.9", program_modules(tmp_path, "pass"), "", WHEN)
    monkeypatch.setattr(package, "libraries", carry)
    monkeypatch.setattr(package, "build", build)
    url = "https://beisitzer.invalid/apt"
    repository = tmp_path / "apt"
    command.publish(repository, "testing", "0.2.0", url, key)
    assert not (repository / "pool/stable").exists()
    command.publish(repository, "stable", "0.2.0", url, key)
    assert len(carried) == 1
    names = ["beisitzer-program_0.2.0_arm64.deb", "beisitzer_0.2.0_all.deb"]
    for suite in ("stable", "testing"):
        assert sorted(path.name for path in index.pool(repository, suite).iterdir()) == names
    assert "Suites: stable" in (repository / "beisitzer.sources").read_text()


def test_another_suite_is_refused() -> None:
    with pytest.raises(RepositoryError, match="stable or testing"):
        index.suites_of("unstable")


def test_without_a_key_one_line_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="KEY="):
        command.main(["--key", "", "--url", "https://x", "folder"])
    assert capsys.readouterr().out == ""
