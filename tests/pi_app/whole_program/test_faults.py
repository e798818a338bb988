"""Every reason why a position cannot be is a sentence in both languages, wherever it is shown."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from engines.games import SHIPPED
from engines.notation import ImpossibleError
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import LANGUAGES, Texts
from tests.pi_app.pilot import Pilot

ROOT = Path(engines.__file__).parent


def faults() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield every fault that the engines know: file, the game or "", code, names of its facts."""
    for path in sorted(ROOT.rglob("*.py")):
        game = path.parent.name if path.parent != ROOT else ""
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ImpossibleError":
                code = ast.literal_eval(node.args[0])
                facts = tuple(word.arg for word in node.keywords if word.arg)
                yield path.stem, game, code, facts


FAULTS = sorted(set(faults()))


def said(game: str, stem: str, code: str, facts: tuple[str, ...], language: str) -> str:
    tx = Texts(language)
    named = {fact: "yellow" if fact in ("colour", "team") else "7" for fact in facts}
    if stem == "board":  # met while a board is keyed, cell by cell
        return PRESENTATIONS[game].cells.objection(tx, ImpossibleError(code, "", **named))
    return PRESENTATIONS[game].position_fault(tx, code, named, "")


def test_the_engines_faults_are_found() -> None:
    assert len(FAULTS) > 30
    assert {game for _, game, _, _ in FAULTS} == {"", *SHIPPED}


@pytest.mark.parametrize(("stem", "game", "code", "facts"), FAULTS)
def test_every_fault_has_a_sentence_in_both_languages(
    stem: str, game: str, code: str, facts: tuple[str, ...]
) -> None:
    for name in [game] if game else SHIPPED:
        sentences = {said(name, stem, code, facts, language) for language in LANGUAGES}
        assert "" not in sentences, code
        assert len(sentences) == len(LANGUAGES), f"{code} is not said in German"


def test_a_code_without_words_keeps_the_engines_sentence() -> None:
    assert (
        PRESENTATIONS["numeri"].position_fault(Texts("de"), "new", {}, "it is new") == "it is new"
    )


def checked(game: str, keys: str, **tags: str) -> Pilot:
    pilot = Pilot.game(game, "Anna yellow, Jürgen red", **tags)
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key(keys)
    return pilot


def test_stones_in_hand_follow_from_those_on_the_board() -> None:
    pilot = checked("just4fun", "*5# 3 *36# 2v4 *37#")
    assert pilot.frame.body.lines == ("►Anna 15", " Jürgen 16")


def test_stones_that_left_the_game_as_far_as_the_record_knows_come_into_no_hand() -> None:
    pilot = checked("just4fun", "*36# 2 *37#", Position="yellow left=10 5x2; red left=20")
    assert pilot.frame.body.lines[0] == "►Anna 8"


def test_stones_that_were_counted_in_a_hand_stay() -> None:
    pilot = checked("just4fun", "*37# 11 *36# 2 *37#")
    assert pilot.frame.body.lines == ("►Anna 11", " Jürgen 20")


def test_too_many_stones_are_named_on_the_page_where_they_are_keyed() -> None:
    pilot = checked("just4fun", "*37# v20 *5# v1")
    entry = pilot.frame.body.entry
    assert entry is not None
    assert (entry.text, entry.verdict) == ("5", "Jürgen would have 21 stones")
    pilot.key("?")
    entry = pilot.key("#").body.entry
    assert entry is not None
    assert entry.verdict == "Jürgen would have 21 stones"
    pilot.key("<")
    assert pilot.key("*5# v0").body.entry is None


def test_two_stones_on_a_field_of_the_track_are_named_where_they_are_keyed() -> None:
    entry = checked("numeri", "36v36").frame.body.entry
    assert entry is not None
    assert entry.verdict == "two stones are on field 36"


def test_an_impossible_check_of_einmaleins_says_why() -> None:
    pilot = checked("einmaleins", "0v0 ?#", Open="24")
    entry = pilot.frame.body.entry
    assert entry is not None
    assert entry.verdict == "only one player can have laid the last card"


def test_an_impossible_position_at_set_up_says_why() -> None:
    pilot = Pilot()
    pilot.choose("numeri", "Position")
    entry = pilot.key("36v36 ?#").body.entry
    assert entry is not None
    assert entry.verdict == "two stones are on field 36"
