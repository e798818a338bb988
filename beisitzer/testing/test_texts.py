"""Every text of the game exists in both languages and fits the smallest display."""

from pathlib import Path

import pytest

from beisitzer.testing.samples import Samples
from beisitzer.testing.texts import (
    fail_for,
    find_misfits,
    find_texts,
    find_unfilled,
    find_unsound,
    find_untranslated,
    read_translations,
)
from engines.games import SHIPPED
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.language import LOCALE, Texts


def test_every_text_of_the_game_has_a_german_one(game: str, package: Path) -> None:
    missing = find_untranslated(
        find_texts([package]), read_translations([LOCALE, package / "locale"])
    )
    where = f"write the German into {package}/locale/de/LC_MESSAGES/{game}.po:\n"
    fail_for([where, *missing] if missing else ())


def test_no_german_text_of_the_game_is_left_over_empty_fuzzy_or_with_other_facts(
    game: str, package: Path
) -> None:
    own = [] if game in SHIPPED else [package / "locale"]
    fail_for(find_unsound(read_translations(own), find_texts([package])))


def test_every_text_of_the_game_gets_its_facts(package: Path) -> None:
    fail_for(find_unfilled([package]))


def test_every_text_of_the_game_fits_its_place_with_the_longest_facts(
    package: Path, samples: Samples
) -> None:
    german = read_translations([LOCALE, package / "locale"])
    fail_for(find_misfits(find_texts([package]), german, samples.longest))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_house_rule_has_a_sentence_and_words_for_its_values(
    presentation: AnyPresentation, language: str
) -> None:
    texts = presentation.rules(Texts(language))
    rules = {rule.key: rule for rule in presentation.game.house_rules}
    assert {rule.key for rule in texts} == rules.keys()
    for text in texts:
        assert text.sentence.endswith((".", "?"))
        assert len(text.values) > 1
        for value, word in text.values:
            rule = rules[text.key]
            assert word
            assert value == rule.default or rule.allows(value)
