"""`beisitzer new-game` writes a game that passes the suite, away from this checkout."""

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import beisitzer
from tests.beisitzer.conftest import install
from tests.pi_app.commands.called import refused, run


def tool(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python's in a folder that has nothing of this checkout."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_new_game_passes_the_suite_and_what_another_lacks_is_one_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("tictactoe", "unfinished"):
        run("new-game", name)
        install(tmp_path / name, name)
        shutil.copytree(tmp_path / name, tmp_path / "both", dirs_exist_ok=True)
    (tmp_path / "both" / "unfinished" / "presentation.py").unlink()
    games = ("--game", "tictactoe", "--game", "unfinished")
    done = tool(
        tmp_path / "both",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--pyargs",
        "beisitzer.testing",
        *games,
    )
    assert done.returncode == 1, done.stdout
    assert "1 failed" in done.stdout
    assert "[tictactoe]" not in done.stdout
    assert " passed" in done.stdout
    assert (
        "unfinished.presentation:PRESENTATION cannot be imported (ModuleNotFoundError"
        in done.stdout
    )


@pytest.mark.nightly
def test_a_new_game_is_strictly_typed(new_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # mypy does not see what is installed for development: it is told where that is
    monkeypatch.setenv("MYPYPATH", str(Path(beisitzer.__file__).parents[1]))
    done = tool(new_game.parent, "mypy", "--strict", "--follow-imports=silent", new_game.name)
    assert done.returncode == 0, done.stdout


def test_every_file_of_a_new_game_has_its_name_and_none_the_templates(new_game: Path) -> None:
    files = [path for path in new_game.parent.rglob("*") if path.is_file()]
    assert {"pyproject.toml", ".gitignore", "rules.py", f"{new_game.name}.po"} <= {
        path.name for path in files
    }
    for path in files:
        assert "newgame" not in path.name
        assert "newgame" not in path.read_text("utf-8").casefold()


def test_a_new_game_says_what_to_do_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said, *calls = run("new-game", "dame").stdout.splitlines()
    assert said == "dame holds a small game. What to do with it:"
    assert any("-m pytest --pyargs beisitzer.testing --game dame" in call for call in calls)


@pytest.mark.parametrize("installed", [True, False])
def test_what_a_new_game_says_works_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, installed: bool
) -> None:
    """Each call runs this Python, a module that is there, and names folders that are there."""
    found = [object()] if installed else []
    monkeypatch.setattr("pi_app.commands.new_game.distributions", lambda **_: found)
    monkeypatch.chdir(tmp_path)
    _, *calls = run("new-game", "dame").stdout.splitlines()
    for python, option, module, *words in map(shlex.split, calls):
        assert Path(python).samefile(sys.executable)
        assert option == "-m"
        assert find_spec(module) is not None
        places = [word.removesuffix("[testing]") for word in words if "/" in word]
        assert all((Path(place) / "pyproject.toml").is_file() for place in places)
        assert len(places) == (0 if module != "pip" else 1 if installed else 2)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Halma", "take 2 to 16 small letters"),
        ("x", "take 2 to 16 small letters or digits, a letter first"),
        ("4x4", "take 2 to 16 small letters or digits, a letter first"),
        ("class", "take 2 to 16 small letters"),
        ("numeri", "there is a game called numeri"),
        ("there", "there is there already"),
        ("random", "Python has a module called random"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert says in refused("new-game", name)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
