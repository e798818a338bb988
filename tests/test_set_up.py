"""Setting up: what `make run` says and tries again, parts that are missing, tested versions."""

import io
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

from pi_app.texts.language import Texts
from tests.machine.image import NEEDED
from tools.installing import CONSTRAINTS
from tools.parts import PARTS, Library, install, loss_words
from tools.progress import run, work_of
from tools.pseudo import pseudo

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python"
  printf '#!/bin/sh\\necho playing\\n' > "$3/bin/beisitzer"; chmod +x "$3/bin/beisitzer" ;;
"-m tools.parts") echo "parts"; [ ! -e FOLDER/missing ] ;;
"-m tools.installing") shift 2; exec REAL -m tools.installing "$@" ;;
"-m pip")
  [ "$3" != config ] || { echo "global.index-url='http://mirror/simple'"; exit; }
  env | grep ^PIP_ | sort > FOLDER/pip-variables
  for last; do :; done
  case "$last" in .) echo "Collecting click>=8.2" ;; *) echo "Collecting $last" ;; esac
  echo "pip is loud"; [ ! -e FOLDER/broken ] || exit 3
  [ ! -e FOLDER/gone ] || [ -z "$PIP_CONSTRAINT" ] || {
    echo "ERROR: Could not find a version that satisfies click==8 (from versions: 9)"; exit 1
  } ;;
esac
"""


def make_run(
    folder: Path, environment: dict[str, str] | None = None, python: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Say `make run` with a Python that does what pip and venv do, or with another one."""
    python = python or folder / "python"
    if python.parent == folder and not python.exists():
        python.write_text(PYTHON.replace("FOLDER", str(folder)).replace("REAL", sys.executable))
        python.chmod(0o755)
    return subprocess.run(
        ["make", "-C", str(ROOT), "run", f"VENV={folder / 'venv'}", f"PYTHON={python}"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **(environment or {})},
    )


def said(run: "subprocess.CompletedProcess[str]") -> list[str]:
    return [line for line in run.stdout.splitlines() if not line.startswith("make")]


def test_make_run_says_what_it_is_doing_and_the_second_time_starts_at_once(tmp_path: Path) -> None:
    first = said(make_run(tmp_path))
    assert first[0].startswith("Setting up Beisitzer in ")
    companion = "  the companion and what it stands on ..."
    assert first[1:] == [companion, "    pip", "    click", "parts", "playing"]
    assert said(make_run(tmp_path)) == ["playing"]


def test_make_run_installs_what_was_tested_whatever_pip_is_configured_to_do(tmp_path: Path) -> None:
    own = {"PIP_USER": "1", "PIP_TARGET": "/nowhere", "PIP_PRE": "1", "HOME": str(tmp_path)}
    assert said(make_run(tmp_path, own))[-1] == "playing"
    given = (tmp_path / "pip-variables").read_text().splitlines()
    tested = CONSTRAINTS.as_uri()
    assert given == [
        f"PIP_BUILD_CONSTRAINT={tested}",
        "PIP_CONFIG_FILE=/dev/null",
        f"PIP_CONSTRAINT={tested}",
        "PIP_DISABLE_PIP_VERSION_CHECK=1",
        "PIP_INDEX_URL=http://mirror/simple",
    ]


def test_where_a_tested_version_is_gone_make_run_says_so_and_takes_others(tmp_path: Path) -> None:
    (tmp_path / "gone").touch()
    lines = said(make_run(tmp_path))
    gone = "  a tested version is not to be had any more: the newest that fit are installed"
    assert lines[2:] == [
        "    pip",
        gone,
        "    pip",
        "    click",
        gone,
        "    click",
        "parts",
        "playing",
    ]
    assert "PIP_CONSTRAINT" not in (tmp_path / "pip-variables").read_text()


def test_what_is_missing_is_tried_again_by_the_next_make_run(tmp_path: Path) -> None:
    (tmp_path / "missing").touch()
    assert said(make_run(tmp_path))[-2:] == ["parts", "playing"]
    assert said(make_run(tmp_path)) == ["parts", "playing"]
    (tmp_path / "missing").unlink()
    assert said(make_run(tmp_path)) == ["parts", "playing"]
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


def test_a_third_language_of_make_is_one_more_file(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools/make", tmp_path / "tools/make")
    english = (ROOT / "tools/make/en.mk").read_text()
    third = re.sub(r"(?<=:= ).*", lambda words: pseudo(words[0]), english)
    (tmp_path / "tools/make/xx.mk").write_text(third)
    absent = subprocess.run(
        ["make", "-C", str(tmp_path), "run", "PYTHON=/nowhere"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LANGUAGE": "qq:xx:de"},
    )
    assert "Béïsïtzérööö néédsöö" in absent.stderr


def test_make_says_the_same_in_each_language() -> None:
    files = sorted((ROOT / "tools/make").glob("*.mk"))
    assert len(files) > 1
    names = [re.findall(r"^(\w+) := \S", file.read_text(), re.MULTILINE) for file in files]
    assert all(each == names[0] for each in names)
    used = re.findall(r"\$\(([A-Z_]+)\)", (ROOT / "Makefile").read_text())
    assert {*names[0]} <= {*used}


@pytest.mark.parametrize(
    ("environment", "german"),
    [
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT@euro"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de"}, True),
        ({"LC_ALL": "en_US.UTF-8", "LANGUAGE": "qq:de:en"}, True),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, False),
        ({"LANG": "deb_XX"}, False),
        ({"LANG": "C.UTF-8"}, False),
    ],
)
def test_make_run_speaks_the_language_of_the_session(
    tmp_path: Path, environment: dict[str, str], *, german: bool
) -> None:
    (tmp_path / "broken").touch()
    run = make_run(tmp_path, environment)
    first = "Beisitzer wird in " if german else "Setting up Beisitzer in "
    assert said(run)[0].startswith(first)
    assert ("  der Beisitzer und was er braucht ..." in run.stdout) is german
    assert ("Das Einrichten ist gescheitert: Gibt es ein Netz?" in run.stderr) is german
    assert ("The installation failed" in run.stderr) is not german
    shutil.rmtree(tmp_path / "venv")
    absent = make_run(tmp_path, environment, Path("/nowhere"))
    assert ("braucht Python 3.11 oder neuer: installiere" in absent.stderr) is german


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Collecting blessed>=1.20 (from beisitzer==0.1.0)", "blessed"),
        ("  Collecting cython>=3.1", "cython"),
        ("  Processing /opt/pypi/files/babel-2.18.0-py3-none-any.whl", "babel"),
        ("  [1/4] Cythonizing ai/einmaleins/playouts.py", "ai/einmaleins/playouts.py"),
        ("  building 'ai.numeri.playouts' extension", "ai.numeri.playouts"),
        ("  Downloading click-8.5.1-py3-none-any.whl (126 kB)", ""),
        ("WARNING: Location 'file:///opt/' is ignored", ""),
        ("", ""),
    ],
)
def test_what_pip_begins_with_is_named(line: str, name: str) -> None:
    assert work_of(line) == name


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


PIP = ["Collecting one>=1", "Downloading one-1.whl", "Collecting two", "the end"]


@pytest.mark.parametrize("status", [0, 3])
@pytest.mark.parametrize(
    ("out", "shown"),
    [
        (io.StringIO, "    one\n    two\n"),
        (Terminal, "\r\x1b[K    one\r\x1b[K    two\r\x1b[K"),
    ],
)
def test_while_pip_runs_its_packages_are_named_and_its_log_and_status_are_kept(
    tmp_path: Path, status: int, out: type[io.StringIO], shown: str
) -> None:
    said, log = out(), tmp_path / "log"
    code = f"import sys; print({chr(10).join(PIP)!r}); sys.exit({status})"
    assert run(log, [sys.executable, "-c", code], said) == status
    assert said.getvalue() == shown
    assert log.read_text().splitlines() == PIP


def test_a_command_that_a_signal_ends_has_the_status_that_a_shell_gives_it(tmp_path: Path) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert run(tmp_path / "log", [sys.executable, "-c", code], io.StringIO()) == 128 + 9


class World:
    """What pip can install and what the system has, by import name."""

    def __init__(
        self, tmp_path: Path, installable: set[str], system: set[str], language: str = "en"
    ) -> None:
        self.language = language
        self.environment = tmp_path
        self.config = tmp_path / "pyvenv.cfg"
        self.config.write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
        self.installable = installable
        self.system = system
        self.there: set[str] = set()
        self.untested: set[str] = set()
        """What is to be had, but not in the tested version."""
        self.lines: list[str] = []

    def run(self, command: list[str]) -> bool:
        if command[1] == "-c":
            return command[2].removeprefix("import ") in self.system
        if "uninstall" in command:
            self.there.discard(command[-1])
            return True
        extra = re.fullmatch(r"beisitzer\[(\w+)\]", command[-1])
        assert extra is not None
        module = next(part.module for part in PARTS if part.extra == extra[1])
        assert module not in self.there
        if "--constraint" in command and module in self.untested:
            return False
        self.there |= {module} & self.installable
        return module in self.installable

    def install(self) -> bool:
        tx, there = Texts(self.language), self.there.__contains__
        return install(tx, self.run, self.lines.append, there, self.environment)


ALL = {part.module for part in PARTS}


def test_all_parts_are_installed_where_they_can_be(tmp_path: Path) -> None:
    world = World(tmp_path, ALL, set())
    assert world.install()
    assert world.there == ALL
    assert world.lines == [f"  {part.module} ..." for part in PARTS]


def test_a_part_that_is_not_to_be_had_as_tested_is_told_of(tmp_path: Path) -> None:
    world = World(tmp_path, ALL, set(), "de")
    world.untested = {"spidev"}
    assert world.install()
    assert world.lines[-1] == (
        "  das erprobte spidev gibt es für diesen Rechner nicht: ein anderes wird eingerichtet"
    )


def test_a_part_that_is_missing_is_told_in_german(tmp_path: Path) -> None:
    world = World(tmp_path, ALL - {"spidev", "starlette"}, {"spidev"}, "de")
    assert not world.install()
    assert world.lines[-1] == (
        "  kein spidev für diesen Rechner zu installieren: das des Systems wird benutzt"
    )
    missing = "  kein starlette für diesen Rechner: Handys können den Tisch nicht zeigen."
    assert missing in world.lines


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.extra)
def test_what_each_part_is_for_is_said_in_both_languages(part: Library) -> None:
    assert loss_words(Texts("en"), part) != loss_words(Texts("de"), part)


@pytest.mark.parametrize("missing", sorted(ALL))
def test_a_part_that_cannot_be_installed_takes_no_other_with_it(
    tmp_path: Path, missing: str
) -> None:
    world = World(tmp_path, ALL - {missing}, set())
    assert not world.install()
    assert world.there == ALL - {missing}
    assert any(line.startswith(f"  no {missing} for this machine: ") for line in world.lines)
    assert "= false" in world.config.read_text()


def test_where_no_wheel_fits_the_systems_own_is_used(tmp_path: Path) -> None:
    world = World(tmp_path, ALL - {"lgpio", "spidev"}, {"lgpio", "spidev"})
    assert world.install()
    assert "include-system-site-packages = true" in world.config.read_text()
    assert world.config.read_text().startswith("home = /usr/bin\n")


def test_the_pygame_of_an_older_environment_makes_way_for_the_one_of_today(tmp_path: Path) -> None:
    world = World(tmp_path, ALL, set())
    world.there = ALL.copy()
    assert world.install()
    assert world.there == ALL
    assert world.lines == ["  pygame ..."]


def test_only_a_finished_wheel_of_what_is_imported_as_pygame_is_taken(tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def run(command: list[str]) -> bool:
        commands.append(command)
        return True

    install(Texts("en"), run, lambda _: None, lambda module: module != "pygame", tmp_path)
    (wanted,) = (
        Requirement(line)
        for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
            "optional-dependencies"
        ]["window"]
    )
    assert commands[-1][-3:] == ["--only-binary", wanted.name, "beisitzer[window]"]


def test_every_part_is_an_extra_and_the_pi_has_them_all() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert {part.extra for part in PARTS} <= set(extras)
    assert extras["pi"] == ["beisitzer[gpio,lgpio,oled,spi]"]
    assert set(extras) == {part.extra for part in PARTS} | {
        "club",
        "link",
        "pads",
        "pi",
        "rpigpio",
        "testing",
        "wifi",
    }


# --- versions and package


def pinned(file: str) -> dict[str, str]:
    """Return name and version of each line NAME==VERSION."""
    lines = (ROOT / file).read_text().splitlines()
    found = [re.match(r"([\w.-]+)==([\w.]+)", line) for line in lines]
    return {normal(match[1]): match[2] for match in found if match}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


INSTALLED = pinned("systemd/requirements.txt") | pinned("systemd/requirements-parts.txt")


def test_an_installed_companion_gets_the_versions_that_the_tests_run_with() -> None:
    tested = pinned("constraints.txt")
    assert INSTALLED.items() <= tested.items()
    here = {}
    for name in INSTALLED:
        try:
            here[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            assert name in ("lgpio", "spidev")  # no wheel for this machine
    if here["setuptools"] != INSTALLED["setuptools"]:
        pytest.skip("this environment is older than constraints.txt: make test renews it")
    assert here.items() <= INSTALLED.items()


def test_everything_that_is_needed_is_pinned_with_what_it_needs_itself() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [
        *project["project"]["dependencies"],
        *(
            line
            for part in ("gpio", "lgpio", "oled", "spi", "web", "wifi")
            for line in extras[part]
        ),
        *project["build-system"]["requires"],
    ]
    assert {normal(Requirement(line).name) for line in wanted} <= set(INSTALLED)
    for name in pinned("systemd/requirements.txt"):
        for line in metadata.requires(name) or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert normal(needed.name) in INSTALLED, (name, line)


def test_every_pinned_file_has_hashes_and_no_address() -> None:
    for file in ("requirements.txt", "requirements-parts.txt"):
        text = (ROOT / "systemd" / file).read_text()
        for block in re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]:
            assert "--hash=sha256:" in block
        assert "://" not in text


@pytest.mark.skipif(
    metadata.version("setuptools") != INSTALLED["setuptools"],
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
        env={**os.environ, "BEISITZER_PLAIN": "1"},  # compiling takes a minute
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "pi_app/__main__.py" in names
    assert "ai/just4fun/weights.toml" in names
    assert "pi_app/texts/locale/de/LC_MESSAGES/beisitzer.mo" in names
    assert "pi_app/deleted.py" not in names


HEADERS_GONE = """
import runpy, sysconfig
got = sysconfig.get_path
sysconfig.get_path = lambda name, *rest: "/nowhere" if name == "include" else got(name, *rest)
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("gone", "python", "variables"),
    [
        ("compiler", ["setup.py"], {"CC": "no-such-compiler"}),
        ("headers", ["-c", HEADERS_GONE], {}),
    ],
)
def test_without_a_compiler_or_pythons_headers_the_play_outs_stay_python(
    tmp_path: Path, gone: str, python: list[str], variables: dict[str, str]
) -> None:
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tmp_path)
    asked = [sys.executable, *python, "--quiet", "build_ext"]
    environment = {**os.environ, **variables}
    environment.pop("BEISITZER_STABLE", None)
    done = subprocess.run(
        asked, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, (gone, done.stderr)
    assert not list(tmp_path.rglob("*.c"))


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
    assert script.rstrip().endswith("make vm-test")
    for tool in NEEDED:
        assert tool in script or tool in ("e2fsck", "debugfs"), tool  # these come with mkfs.ext4


def test_the_hooks_before_a_commit_run_tools_of_make_test() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = re.findall(r"entry: \.venv/bin/(.+)", hooks)
    assert len(entries) == hooks.count("- id:") == 5
    recipe = (ROOT / "Makefile").read_text().partition("\ntest: ")[2].partition("\n\n")[0]
    for entry in entries:
        assert "$(BIN)/" + entry.removesuffix(" --force-exclude") in recipe
