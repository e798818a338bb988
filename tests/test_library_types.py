"""Programs in pyright's strict mode meet no unknown type in what they import of us."""

import json
from pathlib import Path

import pytest

from tools.library_types import PACKAGES, PYRIGHT, find_faults, find_guesses

ROOT = Path(__file__).parents[1]

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not PYRIGHT.exists(), reason="pyright is not installed: make test does it"),
]


def test_what_programs_import_passes_pyrights_strict_mode() -> None:
    assert list(find_faults()) == []


def test_pyright_finds_what_is_wrong_in_a_program_that_uses_it(tmp_path: Path) -> None:
    source = (ROOT / "examples" / "library.py").read_text("utf-8")
    (tmp_path / "right.py").write_text(source)
    (tmp_path / "wrong.py").write_text(f"{source}\n\nCOUNT: int = referee()\n")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    (fault,) = find_faults(tmp_path)
    assert "wrong.py:48" in fault


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_that_programs_import_has_a_type_that_is_written_down(package: str) -> None:
    assert list(find_guesses(package)) == []


def test_a_type_that_could_only_be_guessed_is_found(tmp_path: Path) -> None:
    package = tmp_path / "guessed"
    package.mkdir()
    (package / "py.typed").touch()
    (package / "__init__.py").write_text("known: int = 1\nnumber = sorted([1])\n")
    (guess,) = find_guesses("guessed", tmp_path)
    assert guess.startswith("guessed.number: ")
