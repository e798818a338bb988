"""The Debian package: the same files as `make install`, and everything it needs named."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.test_set_up import normal, pinned
from tools import deb

WHEN = 1_700_000_000
SYSTEM = {
    "cbor2": "python3-cbor2",
    "colorzero": "python3-colorzero",
    "pillow": "python3-pil",
    "pyserial": "python3-serial",
    "smbus2": "python3-smbus2",
}
"""The libraries that come from Debian: compiled ones, and those that it has recent enough."""
BUILDING = {"babel", "cython", "setuptools"}


@pytest.fixture(scope="module", name="tree")
def _tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay the package's tree out with one small wheel in place of all."""
    folder = tmp_path_factory.mktemp("deb")
    wheel = folder / "halma-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("halma/__init__.py", "")
        packed.writestr("halma-1.dist-info/METADATA", "Name: halma\nVersion: 1\nLicense: MIT\n")
        packed.writestr("halma-1.dist-info/RECORD", "")
    deb.stage(folder / "root", "1.2", [wheel], WHEN)
    deb.finish(folder / "root", "1.2", WHEN)
    return folder / "root"


def depends() -> set[str]:
    control = (deb.SYSTEMD / "debian" / "control").read_text()
    return {each.split()[0] for each in re.findall(r"Depends: (.*)", control)[0].split(", ")}


def test_every_library_is_carried_along_or_asked_of_debian() -> None:
    wanted = set(pinned("systemd/requirements.txt")) - BUILDING
    assert set(deb.VENDORED) | set(SYSTEM) == wanted
    assert not set(deb.VENDORED) & set(SYSTEM)
    assert set(SYSTEM.values()) <= depends()


def test_a_carried_library_is_in_the_tested_version_with_its_hash() -> None:
    text = deb.requirements()
    tested = pinned("constraints.txt")
    found = dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))
    assert {normal(name): version for name, version in found.items()} == {
        name: tested[name] for name in deb.VENDORED
    }
    assert text.count("--hash=sha256:") >= len(deb.VENDORED)


def test_every_file_of_the_service_is_on_the_list_and_no_other() -> None:
    listed = {name for name, _ in deb.files()}
    lying = {
        path.name
        for path in deb.SYSTEMD.iterdir()
        if path.suffix in (".service", ".socket", ".path", ".rules", ".conf")
    }
    assert lying - listed == {"beisitzer-window.conf"}  # only where a window is wanted
    assert listed <= lying


def test_units_and_rules_lie_where_the_system_looks_and_know_the_packaged_program(
    tree: Path,
) -> None:
    for name, place in deb.files():
        text = (tree / place).read_text()
        assert "/opt/" not in text
        assert text == (deb.SYSTEMD / name).read_text().replace(
            "/opt/beisitzer/venv/bin/beisitzer", "/usr/bin/beisitzer"
        ).replace("/opt/beisitzer/build.md", "/usr/share/doc/beisitzer/build.md").replace(
            deb.HELPER, "/usr/share/beisitzer/helper.py"
        )
    unit = (tree / "usr/lib/systemd/system/beisitzer.service").read_text()
    assert "ExecStart=/usr/bin/beisitzer play" in unit
    assert (tree / "usr/share/doc/beisitzer/build.md").exists()


@pytest.mark.parametrize("script", ["postinst", "postrm"])
def test_the_package_enables_and_forgets_the_units_that_start_by_themselves(script: str) -> None:
    text = (deb.SYSTEMD / "debian" / script).read_text()
    found = re.findall(r"(?:for unit in|deb-systemd-helper purge) ([\w. -]+?)(?: >|;)", text)
    assert [set(names.split()) for names in found] == [
        {name for name, _ in deb.files() if "WantedBy" in (deb.SYSTEMD / name).read_text()}
    ]


def test_configuration_is_a_conffile_and_the_set_up_is_the_installers(tree: Path) -> None:
    listed = (tree / "DEBIAN/conffiles").read_text().split()
    names = "/etc/NetworkManager/dnsmasq-shared.d/beisitzer.conf"
    assert listed == [names, "/etc/default/beisitzer"]
    assert (tree / listed[1][1:]).read_bytes() == (deb.SYSTEMD / "beisitzer.default").read_bytes()
    setup = tree / "usr/sbin/beisitzer-setup"
    assert setup.read_bytes() == (deb.SYSTEMD / "setup.sh").read_bytes()
    assert (setup.resolve().parent / "beisitzer-window.conf").exists()


def test_the_package_names_version_size_and_what_it_carries(tree: Path) -> None:
    control = (tree / "DEBIAN/control").read_text()
    assert "\nVersion: 1.2\n" in control
    assert "@" not in control.replace("maintainers@", "")
    for name in deb.VENDORED:
        assert name in control
    assert "halma 1: MIT" in (tree / "usr/share/doc/beisitzer/copyright").read_text()


def test_a_package_is_the_same_whoever_builds_it(tree: Path) -> None:
    for path in tree.rglob("*"):
        assert path.lstat().st_mtime == WHEN, path
        if not path.is_symlink():
            assert path.stat().st_mode & 0o777 in (0o644, 0o755), path


@pytest.mark.parametrize("name", [*deb.SCRIPTS, "rtupdate"])
def test_the_packages_scripts_are_sound_shell(name: str) -> None:
    script = deb.SYSTEMD / "debian" / name
    subprocess.run(["sh", "-n", script], check=True)
    assert os.access(script, os.X_OK)
    assert "set -e" in script.read_text()


def test_purging_takes_our_block_out_of_the_boot_configuration_and_keeps_the_games(
    tmp_path: Path,
) -> None:
    config = tmp_path / "boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    config.write_text("a=1\n# Beisitzer begins: x\n[all]\nb=2\n# Beisitzer ends\nc=3\n")
    script = (deb.SYSTEMD / "debian" / "postrm").read_text()
    assert "rm -r /var/lib" not in script
    for place in ("/boot", "/etc/", "/run/"):
        script = script.replace(f" {place}", f" {tmp_path}{place}")
    subprocess.run(["sh", "-c", script, "postrm", "purge"], check=True, capture_output=True)
    assert config.read_text() == "a=1\nc=3\n"


@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is not installed")
def test_lintian_finds_neither_errors_nor_warnings(tree: Path, tmp_path: Path) -> None:
    package = tmp_path / "beisitzer_1.2_all.deb"
    build = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(package)]
    subprocess.run(build, check=True, capture_output=True)
    look = ["lintian", "--allow-root", "--fail-on", "error,warning", str(package)]
    done = subprocess.run(look, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
