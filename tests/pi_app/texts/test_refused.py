"""What tags and boards lack is said in German too, whatever is raised."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import pi_app
from engines.board import BoardError
from engines.game import SetupError
from pi_app.texts.language import Texts
from pi_app.texts.refused import board_words, setup_words
from tests.pi_app.commands.called import refused, run

FACTS = {
    **dict.fromkeys(
        (*("names", "word", "key", "value", "name", "why", "allowed", "game"), "sign"), "x"
    ),
    **dict.fromkeys(("most", "least", "low", "n", "copies", "card", "cards", "field"), 7),
    **dict.fromkeys(("line", "row", "square"), 3),
    "colour": "yellow",
    "colours": "yellow, red",
}


def without(own: str) -> dict[str, object]:
    """Return the facts but for the one that is the error's own."""
    return {name: value for name, value in FACTS.items() if name != own}


PLACES = {"SetupError": 2, "BoardError": 2, "ImpossibleError": 0}
"""Which argument of an error is its code."""
PACKAGES = (Path(engines.__file__).parent, Path(pi_app.__file__).parent)


def calls() -> Iterator[tuple[Path, ast.Call]]:
    """Yield every place where one of these errors is made."""
    for path in sorted(path for package in PACKAGES for path in package.rglob("*.py")):
        text = path.read_text("utf-8")
        if any(f"{error}(" in text for error in PLACES):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield path, node


CALLS = list(calls())


def raised(error: str, files: str = "*.py") -> Iterator[str]:
    """Yield the code of every error of this name that is raised; "" where it has none."""
    place = PLACES[error]
    for path, node in CALLS:
        assert isinstance(node.func, ast.Name)
        if node.func.id == error and path.match(files):
            code = node.args[place] if len(node.args) > place else ast.Constant("")
            if isinstance(code, ast.Constant):
                yield str(code.value)


SETUP = sorted({*raised("SetupError")})
BOARD = sorted({*raised("BoardError"), "corner", "no-corner"})
CELL = sorted({*raised("ImpossibleError", "just4fun/board.py")})


def test_every_error_of_the_engines_has_a_code() -> None:
    assert "" not in SETUP
    assert "" not in BOARD
    assert len(SETUP) > 20
    assert len(BOARD) >= 20
    assert len(CELL) == 2


@pytest.mark.parametrize("code", SETUP)
def test_every_set_up_that_cannot_be_is_said_in_both_languages(code: str) -> None:
    error = SetupError("Players", "the engine's own words", code, FACTS)
    english, german = (setup_words(Texts(language), error) for language in ("en", "de"))
    assert english
    assert german
    assert english != german


@pytest.mark.parametrize("code", [*BOARD, *CELL])
def test_every_mistake_of_a_board_is_said_in_both_languages(code: str) -> None:
    error = BoardError("fields", "the engine's own words", code, **without("key"))
    english, german = (board_words(Texts(language), error) for language in ("en", "de"))
    assert error.reason not in english + german
    assert english != german
    assert german.startswith("fields: ")


def test_boards_says_in_german_what_is_wrong_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    (tmp_path / "mine.toml").write_text('game = "numeri"\nname = "a"\nvalues = [1, 2]', "utf-8")
    said = refused("boards", "check", tmp_path / "mine.toml")
    assert "values: müssen 3 bis 999 Zahlen sein, eine je Feld, nicht 2" in said
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path))
    assert "eine je Feld, nicht 2" in run("boards").output
