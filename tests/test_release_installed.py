"""A version's wheel, installed into an empty environment of each Python: a game is played.

Only with `--release dist/1.0.0`, the folder that `make release` has filled; it needs a network.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.options import Options

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def interpreter(version: str) -> str | None:
    """Return a Python of this version: on the path, or one of pyenv's."""
    found = [shutil.which(f"python{version}")]
    found += map(str, sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python")))
    for each in filter(None, found):
        if not subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode:
            return each
    return None


@pytest.fixture(name="folder")
def _folder(options: Options) -> Path:
    if not options.release:
        pytest.skip("make release, then --release dist/VERSION")
    return Path(options.release).resolve()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["py3-none-any", "cp311-abi3-manylinux_2_28_x86_64"])
@pytest.mark.parametrize("version", PYTHONS)
def test_an_empty_environment_plays_a_game_after_one_pip_install(
    folder: Path, tmp_path: Path, version: str, kind: str
) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    if kind.endswith("x86_64") and os.uname().machine != "x86_64":
        pytest.skip("this wheel is for another machine")
    (wheel,) = folder.glob(f"*-{kind}.whl")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    program = tmp_path / "venv/bin/beisitzer"

    def say(*words: str | Path) -> str:
        home = {"HOME": str(tmp_path), "LANG": "en", "PATH": os.environ["PATH"]}
        done = subprocess.run(
            words, cwd=tmp_path, env=home, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    say(program.with_name("pip"), "install", "--quiet", wheel)
    assert folder.name in say(program, "--version")
    keys, players = ROOT / "examples/just4fun.keys", "Anna yellow, Ben red"
    record = tmp_path / "game.txt"
    say(program, "play", "just4fun", "--players", players, "--keys", keys, "--record", record)
    assert "Anna" in say(program, "check", record)
    modules = "import json, ai.just4fun.playouts as p; print(json.dumps(p.__file__))"
    compiled = json.loads(say(program.with_name("python"), "-c", modules)).endswith(".so")
    assert compiled is kind.startswith("cp311")
