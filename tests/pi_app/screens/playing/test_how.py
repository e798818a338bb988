"""How a game is played is told in both languages from every menu, with the companion's keys."""

from pathlib import Path

import pytest

from engines.games import SHIPPED
from pi_app.screens.base import PageScreen
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Choices
from tests.pi_app.pilot import Pilot, choices_of


@pytest.mark.parametrize("game", SHIPPED)
def test_every_game_tells_its_goal_a_turn_and_its_end_in_both_languages(game: str) -> None:
    english, german = (
        Texts(language).each(PRESENTATIONS[game].guide.how) for language in ("en", "de")
    )
    assert english[0].startswith("Goal: ")
    assert any(line.startswith("Your turn: ") for line in english)
    assert english[-1].startswith("End: ")
    assert german[0].startswith("Ziel: ")
    assert len(german) == len(english)
    assert not set(german) & set(english)


def told(pilot: Pilot) -> tuple[str, ...]:
    screen = pilot.program.stack[-1]
    assert isinstance(screen, PageScreen)
    return screen.lines


def test_the_menu_of_a_game_tells_the_keys_first_then_the_rules() -> None:
    pilot = Pilot.game("numeri")
    pilot.key("?")
    pilot.choose("Help")
    lines, presentation = told(pilot), PRESENTATIONS["numeri"]
    assert lines[0] == Texts("en").each(presentation.guide.keys)[0]
    rules = Texts("en").each(presentation.guide.how)
    assert lines[-len(rules) - 2 : -2] == rules
    assert lines[-2:-1] == Texts("en").each(presentation.guide.edition)


HOUSE_RULES = {
    "just4fun": "House rules here: Rounds and Secured; no others.",
    "numeri": "There are no house rules here.",
    "sequence": "House rules here: To win, J♠♥ break and Dead; no others.",
    "einmaleins": "House rules here: Free cards; no others.",
}


@pytest.mark.parametrize("game", SHIPPED)
def test_the_rules_of_every_game_end_with_its_edition_and_the_house_rules_there_are(
    game: str,
) -> None:
    presentation, tx = PRESENTATIONS[game], Texts("en")
    pilot = Pilot()
    choices = choices_of(pilot.frame)
    pilot.key("v" * (choices.items.index(presentation.name(tx)) - choices.selected) + "*")
    lines = told(pilot)
    assert set(tx.each(presentation.guide.edition)) < set(lines)
    assert HOUSE_RULES[game] in lines


EDITIONS = {
    "just4fun": ("Which board", "Kosmos"),
    "numeri": ("Which board", "1973"),
    "numeri/2009": ("Which board", "2009"),
    "sequence": ("Which board", "Goliath"),
    "einmaleins": ("Open card", "Cento"),
}
"""By game the line of its form that names the edition, and the word that does."""


@pytest.mark.parametrize("game", EDITIONS)
def test_set_up_names_the_edition_where_it_asks_for_the_board_and_so_do_the_pages(
    game: str,
) -> None:
    (label, word), (name, _, edition) = EDITIONS[game], game.partition("/")
    pilot = Pilot()
    pilot.choose(PRESENTATIONS[name].name(Texts("en")))
    if name == "numeri":
        pilot.key("2" if edition else "1")
    if label not in " ".join(choices_of(pilot.frame).items):
        pilot.choose("More")
    items = choices_of(pilot.frame).items
    pilot.key("v" * next(at for at, item in enumerate(items) if item.startswith(label)))
    pilot.key("*")
    assert word in " ".join(told(pilot))
    for page in ("README.md", "README.de.md", "docs/rulings.md"):
        assert word in Path(page).read_text("utf-8"), page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_every_value_of_a_house_rule_has_a_sentence_of_its_own(game: str, language: str) -> None:
    for rule in PRESENTATIONS[game].rules(Texts(language)):
        rows = [rule.row(value) for value, _ in rule.values]
        assert all(rows)
        assert len(set(rows)) == len(rows)
        assert rule.row("another") == ""


def test_a_list_says_in_whole_words_only_what_has_them() -> None:
    choices = Choices(("Start", "Secured: open"), sentences=("", "It is open"))
    assert [choices.sentence(at) for at in range(2)] == ["Start", "It is open"]
    assert Choices(("Start",)).sentence(0) == "Start"
