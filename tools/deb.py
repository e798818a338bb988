"""Builds the Debian package: `make deb`, or `python -m tools.deb [--version V] [FOLDER]`.

It holds the same units, rules and scripts as `make install`, from the list in `systemd/files`.
Libraries come from Debian if it has recent ones (`Depends` in `systemd/debian/control`); the
others, VENDORED, are included, with the versions and hashes of `systemd/requirements.txt`. None
of them is compiled, so that one package fits every machine.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from email.parser import HeaderParser
from email.utils import formatdate
from math import ceil
from pathlib import Path
from textwrap import wrap

from tools.installing import environment

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"
VENDORED = (
    "anyio", "blessed", "click", "fsrs", "gpiozero", "h11", "idna", "jeepney", "jinxed",
    "luma-core", "luma-oled", "paho-mqtt", "platformdirs", "segno", "starlette", "tomlkit",
    "typing-extensions", "uvicorn", "wcwidth",
)  # fmt: skip
MANUALS = ("beisitzer.1", "beisitzer-setup.8")
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
PROGRAM, MANUAL = "/opt/beisitzer/venv/bin/beisitzer", "/opt/beisitzer/build.md"
HELPER = "/opt/beisitzer/helper.py"
"""Where `make install` puts them: the units contain these paths."""
# where the package puts them
PACKAGED = {
    PROGRAM: "/usr/bin/beisitzer",
    MANUAL: "/usr/share/doc/beisitzer/build.md",
    HELPER: "/usr/share/beisitzer/helper.py",
}


def requirements() -> str:
    """Return the pinned lines of the vendored libraries, with their hashes."""
    # a block is a pinned version and the lines of its hashes
    blocks = re.split(r"^(?=[\w.-]+==)", (SYSTEMD / "requirements.txt").read_text(), flags=re.M)
    wanted = [block for block in blocks if block.partition("==")[0] in VENDORED]
    if len(wanted) != len(VENDORED):
        raise SystemExit("deb: a vendored library is not pinned in systemd/requirements.txt")
    return "".join(wanted)


def files() -> list[tuple[str, str]]:
    """Return the list of files: each one's name in `systemd/` and its place in a system."""
    lines = (SYSTEMD / "files").read_text().splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return [(name, _place(place)) for name, place in pairs]


def _place(place: str) -> str:
    """Return where a package has what `make install` puts below /etc."""
    folders = {"polkit-1": "usr/share", "NetworkManager": "etc"}  # NetworkManager reads no other
    return f"{folders.get(place.partition('/')[0], 'usr/lib')}/{place}"


def _pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    plain = {
        **environment([sys.executable]),
        "BEISITZER_PLAIN": "1",
    }  # the play-outs as Python: for every machine
    if subprocess.run(command, cwd=ROOT, env=plain, check=False).returncode:  # noqa: S603  # our own
        raise SystemExit("deb: the libraries could not be downloaded: is there a network?")


def download(folder: Path) -> None:
    """Fetch the vendored libraries into this folder."""
    pinned = folder / "vendored.txt"
    pinned.write_text(requirements())
    pure = ["--only-binary=:all:", "--platform", "any", "--python-version", "3.11"]
    _pip("download", "--no-deps", "--require-hashes", *pure, "-d", str(folder), "-r", str(pinned))


def wheels(folder: Path) -> list[Path]:
    """Fetch the vendored libraries and build our own wheel, into this folder."""
    download(folder)
    source = folder / "source"
    for name in ("beisitzer", "engines", "hardware", "pi_app", "ai", "club"):
        ignored = shutil.ignore_patterns("__pycache__", "*.mo", "*.so")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    _pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source))
    return sorted(folder.glob("*.whl"))


def _write(text: str | bytes, place: Path, mode: int = 0o644) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)
    place.chmod(mode)


def _licences(wheel_files: list[Path]) -> str:
    """Return a paragraph on the licence of each library in the package."""
    paragraphs = []
    for wheel in wheel_files:
        with zipfile.ZipFile(wheel) as packed:
            # every wheel has exactly one
            (name,) = (n for n in packed.namelist() if n.endswith(".dist-info/METADATA"))
            data = HeaderParser().parsestr(packed.read(name).decode())
        # some libraries have the full text here, which is in their dist-info too
        licence = (data["License-Expression"] or data["License"] or "see below").splitlines()[0]
        paragraphs.append(
            f"{data['Name']} {data['Version']}: {licence}\n"
            f"  its licence: /usr/lib/beisitzer/{name.partition('/')[0]}"
        )
    return "\n".join(paragraphs)


def stage(root: Path, version: str, wheel_files: list[Path], when: int) -> None:
    """Lay out the package's tree below this folder."""
    library, documents = root / "usr/lib/beisitzer", root / "usr/share/doc/beisitzer"
    for wheel in wheel_files:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(library)
    # dpkg owns these files: without the list pip refuses to uninstall them
    for record in library.glob("*.dist-info/RECORD"):
        record.unlink()
    # no commands of the libraries, only our own
    for extra in library.glob("bin"):
        shutil.rmtree(extra)
    for name, place in files():
        text = (SYSTEMD / name).read_text()
        for installed, packaged in PACKAGED.items():
            text = text.replace(installed, packaged)
        _write(text, root / place)
    debian = SYSTEMD / "debian"
    _write((debian / "beisitzer").read_bytes(), root / "usr/bin/beisitzer", 0o755)
    shared = root / "usr/share/beisitzer"
    _write((SYSTEMD / "setup.sh").read_bytes(), shared / "setup.sh", 0o755)
    _write((SYSTEMD / "helper.py").read_bytes(), shared / "helper.py")
    _write((SYSTEMD / "beisitzer-window.conf").read_bytes(), shared / "beisitzer-window.conf")
    (root / "usr/sbin").mkdir(parents=True)
    (root / "usr/sbin/beisitzer-setup").symlink_to("../share/beisitzer/setup.sh")
    rtupdate = root / "usr/share/python3/runtime.d/beisitzer.rtupdate"
    _write((debian / "rtupdate").read_bytes(), rtupdate, 0o755)
    _write((SYSTEMD / "beisitzer.default").read_bytes(), root / "etc/default/beisitzer")
    _write((ROOT / "README.md").read_bytes(), documents / "README.md")
    for name in ("build.md", "play.md", "spielen.md"):
        _write((ROOT / "docs" / name).read_bytes(), documents / name)
    licence = (ROOT / "LICENSE").read_text()
    _write(f"{licence}\n\nIt carries:\n\n{_licences(wheel_files)}\n", documents / "copyright")
    control = (debian / "control").read_text()
    maintainer = control.partition("Maintainer: ")[2].partition("\n")[0]
    changes = (
        f"beisitzer ({version}) unstable; urgency=medium\n\n  * See README.md.\n\n"
        f" -- {maintainer}  {formatdate(when)}\n"
    )
    # without the time of this build, which would change the package
    _write(gzip.compress(changes.encode(), mtime=0), documents / "changelog.gz")
    for manual in MANUALS:
        page = gzip.compress((debian / manual).read_bytes(), mtime=0)
        _write(page, root / f"usr/share/man/man{manual[-1]}/{manual}.gz")
    overrides = root / "usr/share/lintian/overrides/beisitzer"
    _write((debian / "lintian-overrides").read_bytes(), overrides)


def finish(root: Path, version: str, when: int) -> None:
    """Add dpkg's files, and set modes and times so that every build gives the same package."""
    about = root / "DEBIAN"
    paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(p.read_bytes()).hexdigest()}  {p.relative_to(root)}\n" for p in paths]  # noqa: S324  # dpkg's format
    # in KiB, each file rounded up
    size = sum(ceil(path.stat().st_size / 1024) for path in paths)
    control = (SYSTEMD / "debian" / "control").read_text()
    values = {
        "VERSION": version,
        "SIZE": str(size),
        "VENDORED": "\n ".join(wrap(", ".join(VENDORED), 76, break_on_hyphens=False)),
    }
    for name, value in values.items():
        control = control.replace(f"@{name}@", value)
    _write(control, about / "control")
    _write("".join(sums), about / "md5sums")
    settings = sorted(path for path in (root / "etc").rglob("*") if path.is_file())
    _write("".join(f"/{path.relative_to(root)}\n" for path in settings), about / "conffiles")
    for name in SCRIPTS:
        _write((SYSTEMD / "debian" / name).read_bytes(), about / name, 0o755)
    for path in [root, *root.rglob("*")]:
        if path.is_symlink():
            os.utime(path, (when, when), follow_symlinks=False)
            continue
        executable = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if executable else 0o644)
        os.utime(path, (when, when))


def last_change() -> int:
    """Return the time that files get: SOURCE_DATE_EPOCH, or that of the last commit."""
    log = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return int(os.environ.get("SOURCE_DATE_EPOCH") or log.stdout.strip() or time.time())


def build(folder: Path, version: str) -> Path:
    """Build `beisitzer_VERSION_all.deb` into this folder and return where it is."""
    when = last_change()
    package = folder / f"beisitzer_{version}_all.deb"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "root"
        stage(root, version, wheels(Path(temporary)), when)
        finish(root, version, when)
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(package)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # as listed
    return package


def project_version() -> str:
    """Return the version of the checkout."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def main(words: list[str]) -> None:
    """Build the package, check it with lintian if that is installed, and print its path."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb")
    parser.add_argument("--version", default=project_version())
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    chosen = parser.parse_args(words)
    if shutil.which("dpkg-deb") is None:
        raise SystemExit("deb: this needs dpkg-deb: sudo apt-get install dpkg")
    package = build(chosen.folder, chosen.version)
    if shutil.which("lintian") is not None:
        command = ["lintian", "--fail-on", "error,warning", str(package)]
        if subprocess.run(command, check=False).returncode:  # noqa: S603  # as listed
            raise SystemExit("deb: lintian finds something in it")
    sys.stdout.write(f"{package}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
