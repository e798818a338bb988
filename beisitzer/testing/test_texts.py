"""Every text of the game exists in both languages and fits the smallest display."""

import pytest

from beisitzer.testing.parts import Candidate
from beisitzer.testing.texts import (
    fail_for,
    find_faulty,
    find_misfits,
    find_texts,
    find_unfilled,
    read_translations,
)
from engines.games import SHIPPED
from pi_app.texts.language import LOCALE, Texts


def test_every_text_of_the_game_has_a_sound_german_one(candidate: Candidate) -> None:
    folder = candidate.folder / "locale"
    # the German of the shipped games is in the companion's catalogues
    own = read_translations([] if candidate.name in SHIPPED else [folder])
    texts = find_texts([candidate.folder])
    fail_for(find_faulty(texts, read_translations([LOCALE, folder]), own))


def test_every_text_of_the_game_gets_its_facts(candidate: Candidate) -> None:
    fail_for(find_unfilled(candidate.folder))


def test_every_text_of_the_game_fits_its_place_with_the_longest_facts(candidate: Candidate) -> None:
    german = read_translations([LOCALE, candidate.folder / "locale"])
    fail_for(find_misfits(find_texts([candidate.folder]), german, candidate.samples.longest))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_house_rule_has_a_sentence_and_words_for_its_values(
    candidate: Candidate, language: str
) -> None:
    texts = candidate.presentation.rules(Texts(language))
    rules = {rule.key: rule for rule in candidate.presentation.game.house_rules}
    assert {text.key for text in texts} == rules.keys()
    for text in texts:
        assert text.sentence.endswith((".", "?"))
        assert len(text.values) > 1
        for value, word in text.values:
            assert word
            assert value == rules[text.key].default or rules[text.key].allows(value)
