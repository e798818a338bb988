"""The signed repository: what it holds, who may trust it, and what it says where it fails."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from systemd.update import SUITES
from tests.apt import Repository, key_folder, make_key, make_package, needs_apt
from tools import package
from tools import repository as command
from tools.repository import RepositoryError, SigningKeys, add, opened, sources


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


# --- suites


@needs_apt
def test_what_is_stable_is_in_testing_too_and_not_the_other_way_round(
    repository: Repository,
) -> None:
    repository.add("0.1.0")
    repository.add("0.2.0", "testing")
    assert listed(repository, "stable") == ["0.1.0"]
    assert listed(repository, "testing") == ["0.2.0"]


@needs_apt
def test_the_lists_are_signed_and_hold_the_newest_for_every_machine(
    repository: Repository,
) -> None:
    for version in ("0.1.0", "0.2.0"):
        repository.add(version)
    assert listed(repository, "stable") == ["0.2.0"]
    suite = repository.folder / "dists/stable"
    release = (suite / "Release").read_text()
    assert release in (suite / "InRelease").read_text()
    for line in ("Suite: stable", "Architectures: amd64 arm64 armhf"):
        assert line in release.splitlines()
    assert "SHA256:" in release


# --- keys


@needs_apt
def test_a_key_in_a_file_signs_as_well(key: SigningKeys, tmp_path: Path) -> None:
    words = ["gpg", "--homedir", str(key.home), "--batch", "--armor", "--export-secret-keys"]
    exported = subprocess.run(words, capture_output=True, check=True).stdout
    (tmp_path / "key.asc").write_bytes(exported)
    with opened([str(tmp_path / "key.asc")]) as keys:
        assert keys.fingerprints == key.fingerprints
        add(tmp_path / "apt", "stable", make_package(tmp_path, "0.1.0"), keys)
    assert "SIGNATURE" in (tmp_path / "apt/dists/stable/InRelease").read_text()


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


# --- the signed repository


@needs_apt
def test_a_version_is_built_once_and_goes_from_testing_to_stable_as_it_is(
    key: SigningKeys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def build(folder: Path, version: str, sources: str) -> Path:
        told.append(sources)
        return make_package(folder, version)

    monkeypatch.setattr(package, "build", build)
    repository, url = tmp_path / "apt", "https://beisitzer.invalid/apt"
    command.publish(repository, "testing", "0.2.0", url, key)
    assert not (repository / "dists/stable").exists()
    command.publish(repository, "stable", "0.2.0", url, key)
    assert len(told) == 1
    assert url in told[0]
    for suite in SUITES:
        lists = (repository / f"dists/{suite}/main/binary-arm64/Packages").read_text()
        assert "Filename: pool/main/b/beisitzer/beisitzer_0.2.0_all.deb\n" in lists
    assert "Suites: stable" in (repository / "beisitzer.sources").read_text()


def test_another_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="stable or testing"):
        command.publish(tmp_path, "unstable", "0.2.0", "https://x", SigningKeys(()))


def test_without_a_key_one_line_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="KEY="):
        command.main(["--key", "", "--url", "https://x", "folder"])
    assert capsys.readouterr().out == ""
