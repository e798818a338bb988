"""Makes a Debian with Home Assistant in a folder, once, and runs `check.py` there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("BEISITZER_HOME_TEST", "~/.cache/beisitzer/home")).expanduser()
"""Where the Debian is kept: a gigabyte."""
PACKAGES = "ca-certificates,g++,gcc,git,libffi-dev,mosquitto,python3,python3-dev,python3-venv"
INI = "[pytest]\nasyncio_mode = auto\n"


def run(*words: str) -> None:
    """Run a command, and end with its status if it fails."""
    status = subprocess.run(words, check=False).returncode  # noqa: S603  # as written here
    if status:
        raise SystemExit(status)


def within(*words: str) -> None:
    """Run a command in the folder's Debian."""
    variables = ("PATH=/usr/bin:/bin:/usr/sbin", "HOME=/root", "PYTHONPATH=/beisitzer")
    run("chroot", str(FOLDER), "env", "-i", *variables, *words)


def make() -> None:
    """Make the Debian with Home Assistant's newest test package."""
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    run("mmdebstrap", "--variant=apt", f"--include={PACKAGES}", "trixie", str(FOLDER))
    for name in ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"):
        if Path("/", name).exists():
            shutil.copy(Path("/", name), FOLDER / name)
    within("python3", "-m", "venv", "/ha")
    within("/ha/bin/pip", "install", "-q", "pytest-homeassistant-custom-component", "paho-mqtt")


def main() -> None:
    """Run the checks; the first time takes some minutes."""
    if os.getuid() or shutil.which("mmdebstrap") is None:
        raise SystemExit("home-test: this needs root and mmdebstrap")
    if not (FOLDER / "ha/bin/pytest").exists():
        make()
    project, checks = FOLDER / "beisitzer", FOLDER / "checks"
    for folder in (project, checks):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for name in ("engines", "pi_app", "hardware"):
        shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).with_name("check.py"), checks / "test_house.py")
    shutil.copy(ROOT / "docs/home.md", checks)
    (checks / "pytest.ini").write_text(INI)
    within("/ha/bin/pip", "show", "homeassistant")
    within(
        "/ha/bin/python", "-m", "pytest", "-q", "-c", "/checks/pytest.ini", "/checks", *sys.argv[1:]
    )


if __name__ == "__main__":
    main()
