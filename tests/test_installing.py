"""pip installs what was tested, whatever the person's configuration of it says."""

import os
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

from tests.ran import ran
from tools import installing

ROOT = Path(__file__).parents[1]
MANY = """\
global.index-url='https://mirror.example/simple'
global.extra-index-url='https://a.example/simple\\nhttps://b.example/simple'
global.user='true'
global.target='/nowhere'
global.constraint='/etc/own.txt'
global.only-binary=':all:'
install.index-url='https://other.example/simple'
install.pre='true'
list.format='columns'
:env:.cert='/etc/ssl/own.pem'
:env:.proxy='http://proxy.example:3128'
:env:.no-deps='1'
junk
"""


def test_of_a_configuration_only_the_way_to_the_packages_counts() -> None:
    assert installing.way_to_packages(MANY) == {
        "PIP_INDEX_URL": "https://other.example/simple",
        "PIP_EXTRA_INDEX_URL": "https://a.example/simple\nhttps://b.example/simple",
        "PIP_CERT": "/etc/ssl/own.pem",
        "PIP_PROXY": "http://proxy.example:3128",
    }


def wheel(folder: Path, version: str) -> None:
    """Put a library of one line into a folder."""
    about = f"halma-{version}.dist-info"
    with zipfile.ZipFile(folder / f"halma-{version}-py3-none-any.whl", "w") as packed:
        packed.writestr("halma.py", f"VERSION = {version!r}\n")
        packed.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: halma\nVersion: {version}\n"
        )
        packed.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr(f"{about}/RECORD", "")


@pytest.mark.nightly
def test_the_tested_version_goes_into_the_environment_of_whoever_installs_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Such a person's pip would end, or would install beside the environment."""
    for version in ("1.0", "2.0"):
        wheel(tmp_path, version)
    (home := tmp_path / "home").mkdir()
    (home / "pip.conf").write_text(
        f"[global]\nuser = true\npre = true\nno-index = true\nfind-links = {tmp_path}\n"
    )
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(home / "pip.conf"))
    monkeypatch.setenv("PIP_USER", "1")
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env/bin/python")
    pip = [python, "-m", "pip", "install", "halma"]
    assert subprocess.run(pip, capture_output=True, check=False).returncode, "it is such a person's"

    def installed() -> str:
        show = [python, "-c", "import halma; print(halma.VERSION)"]
        return ran(show, check=True).stdout.strip()

    (versions := tmp_path / "my versions.txt").write_text("halma==1.0\n")
    monkeypatch.setattr(installing, "CONSTRAINTS", versions)
    log = ["--log", str(tmp_path / "log")]
    assert installing.main([*log, "--tested", *pip]) == 0
    assert installed() == "1.0"
    versions.write_text("halma==0.9\n")  # of which no file is there any more
    assert installing.main([*log, "--tested", *pip]) != 0
    assert installing.main([*log, "--tested", "--otherwise", "It is gone.", *pip, "--upgrade"]) == 0
    assert installed() == "2.0"
    assert capfd.readouterr().out.splitlines().count("  It is gone.") == 1


def test_without_a_network_nothing_is_said_to_be_gone() -> None:
    away = (
        "ERROR: Could not find a version that satisfies the requirement click (from versions: none)"
    )
    assert not installing._GONE.search(away)
    assert installing._GONE.search(away.replace("none", "8.0, 8.1"))


def test_nothing_else_of_ours_starts_pip_with_the_persons_configuration() -> None:
    """Each place that starts pip takes its variables from here."""
    for path in sorted((ROOT / "tools").rglob("*.py")):
        text = path.read_text("utf-8")
        if '"pip"' in text and path.name != "installing.py":
            assert "tools.installing" in text, path
    makefile = (ROOT / "Makefile").read_text()
    lines = [line for line in makefile.splitlines() if line.startswith("\t") and "$(PIP)" in line]
    assert lines
    for line in lines:
        assert line.count("$(PIP)") == line.count("$(TESTED)"), line
