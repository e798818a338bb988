"""The Debian package: what it carries, what it asks of Debian, and what is in it when built."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.ran import ran
from tests.test_set_up import normal, pinned
from tests.units import units
from tools.package import DEBIAN, MACHINE, NEEDED, ROOT, UNITS, last_change

SYSTEM = {
    "cbor2": "python3-cbor2",
    "colorzero": "python3-colorzero",
    "lgpio": "python3-lgpio",
    "pillow": "python3-pil",
    "pyserial": "python3-serial",
    "smbus2": "python3-smbus2",
    "spidev": "python3-spidev",
}
"""The libraries that come from Debian: compiled ones, and those that it has recent enough."""
BUILDERS = {"babel", "setuptools"}
EXTRAS = ("gpio", "lgpio", "oled", "spi", "web", "wifi", "link")
VENDORED = pinned("debian/vendored.txt")
HALMA = ("halma/__init__.py", "halma-1.dist-info/METADATA", "halma-1.dist-info/RECORD", "bin/halma")


def asked_of_debian() -> set[str]:
    control = (DEBIAN / "control").read_text()
    found = re.findall(r"(?m)^(?:Depends|Recommends): (.*)", control)
    return {each.split()[0] for line in found for each in line.split(", ")}


def needed() -> set[str]:
    """Return every library that the service needs, with those that they need themselves."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for extra in EXTRAS for line in extras[extra])]
    found: set[str] = set()
    while lines:
        requirement = Requirement(lines.pop())
        name = normal(requirement.name)
        # on Debian's oldest Python and any processor
        machine = {"extra": "", "python_version": "3.11", "platform_machine": "aarch64"}
        if name in found or (requirement.marker and not requirement.marker.evaluate(machine)):
            continue
        found.add(name)
        if name not in SYSTEM:
            lines += metadata.requires(name) or ()
    return found


def test_every_library_is_carried_along_or_asked_of_debian() -> None:
    carried = set(VENDORED) - BUILDERS
    assert needed() == carried | set(SYSTEM)
    assert set(SYSTEM.values()) <= asked_of_debian()


def test_a_carried_library_is_in_the_tested_version_with_its_hash_and_no_address() -> None:
    assert VENDORED.items() <= pinned("constraints.txt").items()
    text = (DEBIAN / "vendored.txt").read_text()
    blocks = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(VENDORED)
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text


def test_the_copyright_file_names_each_carried_library_and_no_other() -> None:
    text = (DEBIAN / "copyright").read_text()
    named = re.findall(r"(?m)^Files: usr/lib/beisitzer/(\w+)\*$", text)
    assert {normal(name) for name in named} == set(VENDORED) - BUILDERS


def test_the_newest_entry_of_the_packages_changelog_is_the_projects_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (DEBIAN / "changelog").read_text().startswith(f"beisitzer ({project['version']}) ")


def test_a_checkout_is_packed_where_there_is_no_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert last_change() == 0


@pytest.mark.parametrize("script", ["postinst", "postrm"])
def test_the_package_enables_and_forgets_the_units_that_start_by_themselves(script: str) -> None:
    text = (DEBIAN / script).read_text()
    found = re.findall(r"(?:for unit in|deb-systemd-helper purge) ([\w. -]+?)(?: >|;)", text)
    starting = {unit.name for unit in units() if "WantedBy" in unit.read_text()}
    assert [set(names.split()) for names in found] == [starting]


@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm", "rules"])
def test_the_packages_scripts_end_at_the_first_failure(name: str) -> None:
    script = DEBIAN / name
    if name != "rules":  # a Makefile
        subprocess.run(["sh", "-n", script], check=True)
        assert script.read_text().startswith("#!/bin/sh\nset -e\n")
    assert os.access(script, os.X_OK)


def test_purging_takes_our_block_out_of_the_boot_configuration_and_keeps_the_games(
    tmp_path: Path,
) -> None:
    config = tmp_path / "boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    config.write_text("a=1\n# Beisitzer begins: x\n[all]\nb=2\n# Beisitzer ends\nc=3\n")
    script = (DEBIAN / "postrm").read_text()
    assert "rm -r /var/lib" not in script
    for place in ("/boot", "/etc/", "/run/"):
        script = script.replace(f" {place}", f" {tmp_path}{place}")
    subprocess.run(["sh", "-c", script, "postrm", "purge"], check=True, capture_output=True)
    assert config.read_text() == "a=1\nc=3\n"


# --- built


@pytest.fixture(scope="module", name="built")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package of a small program and one library, by the real rules."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")
    checkout = tmp_path_factory.mktemp("deb") / "checkout"
    junk = shutil.ignore_patterns("__pycache__", ".debhelper", "wheels", "build", "*debhelper*")
    for folder in ("debian", "systemd"):
        shutil.copytree(ROOT / folder, checkout / folder, symlinks=True, ignore=junk)
    for file in ("LICENSE", *(ROOT / "debian/beisitzer.docs").read_text().split()):
        (checkout / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, checkout / file)
    shutil.rmtree(checkout / "debian" / "beisitzer", ignore_errors=True)
    (checkout / "pi_app").mkdir()
    (checkout / "pi_app/__init__.py").touch()
    (checkout / "pyproject.toml").write_text(
        '[project]\nname = "beisitzer"\nversion = "1.2"\n[tool.setuptools]\npackages = ["pi_app"]\n'
    )
    (wheels := checkout / "debian" / "wheels").mkdir()
    with zipfile.ZipFile(wheels / "halma-1-py3-none-any.whl", "w") as packed:
        for name in HALMA:
            packed.writestr(name, "Name: halma\nVersion: 1\n" if "METADATA" in name else "")
    words = ["binary", "VERSION=1.2", "OWN=pi_app pyproject.toml README.md"]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = ran(
        [checkout / "debian" / "rules", *words],
        cwd=checkout,
        env={"PATH": path, "SOURCE_DATE_EPOCH": "1700000000", "HOME": str(checkout)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return checkout / "dist" / "beisitzer_1.2_all.deb"


def unpacked(package: Path, folder: Path) -> Path:
    command = ["dpkg-deb", "--raw-extract", str(package), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def test_the_package_holds_what_every_machine_gets_and_the_libraries_without_their_commands(
    built: Path, tmp_path: Path
) -> None:
    tree = unpacked(built, tmp_path / "tree")
    for path in MACHINE.rglob("*"):
        if path.is_file():
            assert (tree / path.relative_to(MACHINE)).read_bytes() == path.read_bytes()
    library = tree / "usr/lib/beisitzer"
    assert (library / "pi_app/__init__.py").exists()
    assert (library / "halma-1.dist-info/METADATA").exists()
    assert not (library / "halma-1.dist-info/RECORD").exists()
    assert not (library / "bin").exists()
    unit = (UNITS / "beisitzer.service").read_text()
    (program,) = re.findall(r"ExecStart=/(\S+) play", unit)
    (page,) = re.findall(r"Documentation=file:/(\S+)", unit)
    assert os.access(tree / program, os.X_OK)
    assert (tree / page).exists()
    assert (tree / "usr/share/beisitzer/helper.py").exists()
    assert (tree / "usr/sbin/beisitzer-setup").readlink() == Path("../share/beisitzer/setup.sh")
    assert os.access(tree / "usr/share/beisitzer/setup.sh", os.X_OK)


def test_configuration_is_a_conffile_and_debians_python_compiles_the_modules(
    built: Path, tmp_path: Path
) -> None:
    about = unpacked(built, tmp_path / "tree") / "DEBIAN"
    kept = sorted(path for path in (MACHINE / "etc").rglob("*") if path.is_file())
    listed = (about / "conffiles").read_text().split()
    assert listed == [f"/{path.relative_to(MACHINE)}" for path in kept]
    assert "py3compile -p beisitzer /usr/lib/beisitzer" in (about / "postinst").read_text()
    assert "py3clean -p beisitzer" in (about / "prerm").read_text()
    assert (about.parent / "usr/share/python3/runtime.d/beisitzer.rtupdate").exists()
    assert "\nVersion: 1.2\n" in (about / "control").read_text()


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is not installed")
def test_lintian_finds_neither_errors_nor_warnings(built: Path) -> None:
    look = ["lintian", "--allow-root", "--fail-on", "error,warning", str(built)]
    look += ["--suppress-tags", "mismatched-override"]  # of files that the small program lacks
    done = ran(look)
    assert (done.returncode, done.stdout) == (0, "")
