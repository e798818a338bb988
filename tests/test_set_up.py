"""Setting up: what `make run` says and tries again, parts that are missing, tested versions."""

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

from tests.machine.image import CONTAINER_NEEDED, NEEDED
from tests.ran import ran
from tools.installing import CONSTRAINTS
from tools.needed import needed

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/sh
case "$*" in
"-m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"
  printf 'home = /usr/bin\\ninclude-system-site-packages = false\\n' > "$3/pyvenv.cfg"
  printf '#!/bin/sh\\necho playing\\n' > "$3/bin/beisitzer"; chmod +x "$3/bin/beisitzer" ;;
*base_executable*) echo FOLDER/system ;;
"-c import venv"*|"-c import sys"*) ;;
"-m tools.needed"*) ;;
"-c import "*) [ -e "FOLDER/there/${2#import }" ] ;;
"-m tools.installing"*) shift 2; exec REAL -m tools.installing "$@" ;;
"-m pip config list") echo "global.index-url='http://mirror/simple'" ;;
"-m pip"*"[web]") [ ! -e FOLDER/no-starlette ] && touch FOLDER/there/starlette ;;
"-m pip"*"[lgpio]") false ;;
"-m pip"*"beisitzer["*) ;;
"-m pip"*) env | grep ^PIP_ | sort > FOLDER/pip-variables
  echo "pip is loud"; [ ! -e FOLDER/broken ] || exit 3
  [ ! -e FOLDER/gone ] || [ -z "$PIP_CONSTRAINT" ] || {
    echo "ERROR: Could not find a version that satisfies click==8 (from versions: 9)"; exit 1
  } ;;
esac
"""
"""Does what pip and venv do: no lgpio can be installed, and no starlette where a file says so."""
PARTS = ["pygame", "gpiozero", "lgpio", "luma.oled", "starlette", "spidev"]
LOST = "phones cannot show the table"


def make_run(
    folder: Path,
    environment: dict[str, str] | None = None,
    *,
    system: bool = True,
    python: Path | None = None,
    machine: str = "aarch64",
) -> "subprocess.CompletedProcess[str]":
    """Say `make run` with a Python that does what pip and venv do, or with another one.

    `system` says whether the system's own Python has lgpio; `machine` is the processor's name.
    """
    python = python or folder / "python"
    (folder / "there").mkdir(exist_ok=True)
    if python.parent == folder:
        python.write_text(PYTHON.replace("FOLDER", str(folder)).replace("REAL", sys.executable))
        (folder / "system").write_text(f"#!/bin/sh\n[ '{system}' = True ]\n")
        for each in (python, folder / "system"):
            each.chmod(0o755)
    return ran(
        [
            *("make", "-C", str(ROOT), "run", f"VENV={folder / 'venv'}", f"PYTHON={python}"),
            f"MACHINE={machine}",
        ],
        env={"PATH": os.environ["PATH"], **(environment or {})},
    )


def said(run: "subprocess.CompletedProcess[str]") -> list[str]:
    return [line for line in run.stdout.splitlines() if not line.startswith("make")]


def test_make_run_says_one_line_a_step_and_the_second_time_starts_at_once(tmp_path: Path) -> None:
    first, second, *parts, last = said(make_run(tmp_path))
    assert first.startswith("Setting up Beisitzer in ")
    assert second == "  the companion and what it stands on ..."
    assert [line for line in parts if line.endswith("...")] == [f"  {part} ..." for part in PARTS]
    assert last == "playing"
    assert said(make_run(tmp_path)) == ["playing"]


def test_a_pc_is_not_asked_for_parts_of_a_header(tmp_path: Path) -> None:
    lines = said(make_run(tmp_path, machine="x86_64"))
    steps = [line for line in lines[2:] if line.endswith("...")]
    assert steps == [f"  {part} ..." for part in PARTS if part not in ("lgpio", "spidev")]


def test_make_run_installs_what_was_tested_whatever_pip_is_configured_to_do(tmp_path: Path) -> None:
    own = {"PIP_USER": "1", "PIP_TARGET": "/nowhere", "PIP_PRE": "1", "HOME": str(tmp_path)}
    assert said(make_run(tmp_path, own))[-1] == "playing"
    tested = CONSTRAINTS.as_uri()
    assert (tmp_path / "pip-variables").read_text().splitlines() == [
        f"PIP_BUILD_CONSTRAINT={tested}",
        "PIP_CONFIG_FILE=/dev/null",
        f"PIP_CONSTRAINT={tested}",
        "PIP_DISABLE_PIP_VERSION_CHECK=1",
        "PIP_INDEX_URL=http://mirror/simple",
    ]


def test_where_a_tested_version_is_gone_make_run_says_so_and_takes_others(tmp_path: Path) -> None:
    (tmp_path / "gone").touch()
    lines = said(make_run(tmp_path))
    assert lines[2] == (
        "  a tested version is not to be had any more: the newest that fit are installed"
    )
    assert lines[-1] == "playing"
    assert "PIP_CONSTRAINT" not in (tmp_path / "pip-variables").read_text()


def test_where_no_wheel_fits_the_systems_own_is_used(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    assert "  no lgpio to install for this machine: the system's own is used" in said(run)
    config = (tmp_path / "venv/pyvenv.cfg").read_text()
    assert config == "home = /usr/bin\ninclude-system-site-packages = true\n"


def test_what_is_missing_is_said_and_tried_again_by_the_next_make_run(tmp_path: Path) -> None:
    (tmp_path / "no-starlette").touch()
    missing = f"  no starlette for this machine: {LOST}."
    assert missing in said(make_run(tmp_path, system=False))
    again = said(make_run(tmp_path, system=False))
    assert missing in again
    assert again[-1] == "playing"
    lost = "keys and lamps on a Pi's header cannot be used; the serial panel can."
    remedy = "On a Pi: sudo apt-get install python3-lgpio"
    assert f"  no lgpio for this machine: {lost} {remedy}" in again
    (tmp_path / "no-starlette").unlink()
    assert missing not in said(make_run(tmp_path))
    assert said(make_run(tmp_path)) == ["playing"]


def test_a_set_up_that_fails_shows_why_and_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    run = make_run(tmp_path)
    assert run.returncode != 0
    assert "pip is loud" in run.stderr
    assert "is there a network?" in run.stderr
    assert "pip is loud" in (tmp_path / "venv" / "log").read_text()
    (tmp_path / "broken").unlink()
    assert said(make_run(tmp_path))[-1] == "playing"


def test_without_a_python_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    absent = make_run(tmp_path, python=Path("/nowhere"))
    assert absent.returncode != 0
    assert "Beisitzer needs Python 3.11 or newer: install python3" in absent.stderr


def test_every_part_is_an_extra_and_the_pi_has_those_of_its_header() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    lines = (ROOT / "Makefile").read_text().partition("define PARTS\n")[2].partition("endef")[0]
    parts = [line.split()[0] for line in lines.splitlines()]
    assert len(parts) == len(PARTS)
    assert set(parts) < set(extras)
    assert extras["pi"] == ["beisitzer[gpio,lgpio,oled,spi]"]


def test_the_libraries_of_all_parts_with_wheels_are_installed_at_once() -> None:
    (wheels,) = re.findall(r"(?m)^WHEELS := (.+)$", (ROOT / "Makefile").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = wheels.split(",")
    assert set(project["dependencies"]) < set(needed(names))
    assert set(project["optional-dependencies"]["web"]) < set(needed(names))
    assert needed([]) == project["dependencies"]


# --- versions and package


def pinned(file: str) -> dict[str, str]:
    """Return name and version of each line NAME==VERSION."""
    lines = (ROOT / file).read_text().splitlines()
    found = [re.match(r"([\w.-]+)==([\w.]+)", line) for line in lines]
    return {normal(match[1]): match[2] for match in found if match}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.skipif(
    metadata.version("setuptools") != pinned("constraints.txt")["setuptools"],
    reason="this environment is older than constraints.txt: make test renews it",
)
def test_a_deleted_module_of_an_earlier_build_is_not_in_the_package(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for folder in ("beisitzer", "engines", "hardware", "pi_app", "ai", "club"):
        shutil.copytree(
            ROOT / folder, checkout / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, checkout)
    stale = checkout / "build" / "lib" / "pi_app" / "deleted.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-index", "--no-deps"]
    subprocess.run(
        [*pip, "--no-build-isolation", "-w", str(tmp_path), str(checkout)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "pi_app/__main__.py" in names
    assert "ai/just4fun/weights.toml" in names
    assert "pi_app/texts/locale/de/LC_MESSAGES/beisitzer.mo" in names
    assert "pi_app/deleted.py" not in names


# --- what runs by itself


def test_the_workflow_runs_what_must_pass_before_a_change_lands() -> None:
    workflow = (ROOT / ".github/workflows/check.yml").read_text()
    assert re.findall(r"- run: .*?(\S+)$", workflow, re.MULTILINE) == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pythons = re.findall(r'"(3\.\d+)"', workflow)
    assert pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == f">={pythons[0]}"
    named = [
        each.removeprefix("Programming Language :: Python :: ") for each in project["classifiers"]
    ]
    assert [each for each in named if each in pythons] == pythons


def test_a_workflow_of_its_own_boots_the_machine() -> None:
    workflow = (ROOT / ".github/workflows/machine.yml").read_text()
    assert re.findall(r"- run: .*?(\S+)$", workflow, re.MULTILINE) == [".ci/machine"]
    assert os.access(ROOT / ".ci/machine", os.X_OK)
    script = (ROOT / ".ci/machine").read_text()
    assert "tests/machine" in script
    with_others = ("e2fsck", "debugfs", "nsenter", "setpriv")  # with mkfs.ext4 and unshare
    for tool in (*NEEDED, *CONTAINER_NEEDED):
        assert tool in script or tool in with_others, tool


def test_the_hooks_before_a_commit_run_tools_of_make_test() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = re.findall(r"entry: \.venv/bin/(.+)", hooks)
    assert len(entries) == hooks.count("- id:") == 5
    recipe = (ROOT / "Makefile").read_text().partition("\ntest: ")[2].partition("\nnightly: ")[0]
    for entry in entries:
        assert "$(BIN)/" + entry.removesuffix(" --force-exclude") in recipe
