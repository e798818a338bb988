"""What tags, a hand or a roll lack is said in German too, whatever the engines may raise."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import engines
from engines.game import GivenError, SetupError
from engines.just4fun import moves as just4fun
from pi_app.commands.cli import main
from pi_app.texts.language import Texts
from pi_app.texts.refused import given_words, setup_words

FACTS = {
    **dict.fromkeys(("names", "word", "key", "value", "name", "why", "allowed", "game"), "x"),
    **dict.fromkeys(("most", "n", "copies", "card", "cards"), 7),
    "colour": "yellow",
    "colours": "yellow, red",
}


def raised(error: str) -> Iterator[str]:
    """Yield the code of every error of this name that an engine raises; "" where it has none."""
    place = {"SetupError": 2, "GivenError": 1}[error]
    for path in sorted(Path(engines.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id == error:
                code = node.args[place] if len(node.args) > place else ast.Constant("")
                if isinstance(code, ast.Constant):
                    yield str(code.value)


SETUP = sorted({*raised("SetupError")})
GIVEN = sorted({*raised("GivenError"), *just4fun._IMPOSSIBLE})


def test_every_error_of_the_engines_has_a_code() -> None:
    assert "" not in SETUP
    assert "" not in GIVEN
    assert len(SETUP) > 20
    assert len(GIVEN) >= 7


@pytest.mark.parametrize("code", SETUP)
def test_every_set_up_that_cannot_be_is_said_in_both_languages(code: str) -> None:
    error = SetupError("Players", "the engine's own words", code, FACTS)
    english, german = (setup_words(Texts(language), error) for language in ("en", "de"))
    assert english
    assert german
    assert english != german


@pytest.mark.parametrize("code", GIVEN)
def test_every_hand_or_roll_that_cannot_be_is_said_in_both_languages(code: str) -> None:
    error = GivenError("the engine's own words", code, **FACTS)
    english, german = (given_words(Texts(language), error) for language in ("en", "de"))
    assert error.args[0] not in (english, german)
    assert english != german


@pytest.mark.parametrize(
    ("tags", "says"),
    [
        ('[Game "numeri"]\n[Players "Anna gelb"]', "Players: "),
        ('[Game "numeri"]\n[Players "Anna yellow, Anna red"]', "zwei Spieler heißen Anna"),
        ('[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Rules "x=1"]', "x ist keine Regel"),
        ('[Game "halma"]\n[Players "Anna yellow, Ben red"]', "kein Spiel heißt halma"),
    ],
)
def test_check_names_what_a_record_lacks_in_german(tags: str, says: str) -> None:
    shown = CliRunner().invoke(main, ["check", "-", "--lang", "de"], input=tags)
    assert shown.exit_code == 2
    assert says in shown.output


@pytest.mark.parametrize(
    ("game", "option", "says"),
    [
        ("numeri", (), "es fehlt der Wurf"),
        ("numeri", ("--roll", "9"), "ein Würfel zeigt nicht 9"),
        ("just4fun", ("--hand", "3,5"), "eine Hand hat vier Karten, nicht 2"),
        ("just4fun", (), "es fehlt die Hand"),
    ],
)
def test_legal_says_in_german_what_it_needs(game: str, option: tuple[str, ...], says: str) -> None:
    record = f'[Game "{game}"]\n[Players "Anna yellow, Ben red"]\n'
    shown = CliRunner().invoke(main, ["legal", "-", "--lang", "de", *option], input=record)
    assert shown.exit_code == 2
    assert says in shown.output
