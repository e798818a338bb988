"""Whatever is impossible is said in both languages, wherever it is raised."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import pi_app
from engines.games import SHIPPED
from engines.notation import Fault
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.texts.refused import say_fault
from tests.pi_app.commands.called import refused, run

ENGINES = Path(engines.__file__).parent
TEXT_FACTS = {"colour": "yellow", "team": "blue", "choices": "yellow, red", "colours": "red, pink"}


def raised() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield of every fault that is made: its game or "", its code, the names of its facts."""
    for package in (ENGINES, Path(pi_app.__file__).parent):
        for path in sorted(package.rglob("*.py")):
            game = path.parent.name if path.parent.name in SHIPPED else ""
            text = path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)) if "Fault(" in text else ():
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fault":
                    facts = tuple(word.arg for word in node.keywords if word.arg)
                    for code in ast.walk(node.args[0]):
                        if isinstance(code, ast.Constant) and code.value != "fault":
                            yield game, str(code.value), facts


def said_in_english_alone(game: str, code: str, facts: tuple[str, ...]) -> bool:
    """Return whether a fault is told without words of its own, or in the same in German."""
    named = {fact: TEXT_FACTS.get(fact, "7") for fact in facts}
    fault = Fault(code, **{"why": "x"} | named)
    presentation = PRESENTATIONS[game or "just4fun"]
    own = {**presentation.words.refusals, **presentation.cells.faults, **presentation.words.faults}
    said = {say_fault(Texts(language), fault, own) for language in LANGUAGES}
    return str(fault) in said or len(said) < len(LANGUAGES)


def test_every_fault_has_a_sentence_in_both_languages() -> None:
    faults = {*raised()}
    assert len(faults) > 80
    assert {game for game, _, _ in faults} == {"", *SHIPPED}
    assert not [fault for fault in sorted(faults) if said_in_english_alone(*fault)]


def test_a_code_without_words_is_told_as_it_is() -> None:
    assert PRESENTATIONS["numeri"].words.fault(Texts("de"), Fault("new", n=3)) == "new n=3"


def test_boards_says_in_german_what_is_wrong_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    (tmp_path / "mine.toml").write_text('game = "numeri"\nname = "a"\nvalues = [1, 2]', "utf-8")
    said = refused("boards", "check", tmp_path / "mine.toml")
    assert "values: müssen 3 bis 999 Zahlen sein, eine je Feld, nicht 2" in said
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path))
    assert "eine je Feld, nicht 2" in run("boards").output
