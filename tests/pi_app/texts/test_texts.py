"""Every text of the companion exists in both languages and fits the smallest display.

The texts of each game, also of one that is a distribution of its own, are `beisitzer.testing`'s.
"""

import re
from functools import cache
from pathlib import Path

import pytest

import club
import pi_app
import tools
from beisitzer.testing.texts import (
    TextKey,
    fail_for,
    find_faulty,
    find_misfits,
    find_texts,
    read_translations,
)
from club.evening.acts import every  # noqa: F401  # it declares all acts
from club.evening.acts.shared import ACTS
from club.web.words import PAGES as CLUB_PAGES
from engines.game import Player
from engines.games import GAMES
from pi_app.phones.web.files import PAGES
from pi_app.phones.web.words import asked_texts
from pi_app.settings.schema import definitions, tables_of_settings
from pi_app.texts.common import colour_letter, stone_letters
from pi_app.texts.language import LANGUAGES, LOCALE, Texts, language_for
from tests.longest import LONGEST

CODE = [Path(module.__file__ or "").parent for module in (club, pi_app, tools)]
LOCALES = (LOCALE, CODE[0] / "locale")

LONGEST_IN_CLUB = {
    "all": "1000",
    "away": "1000",
    "act": "remove-table",
    "code": "123456",
    "column": "points",
    "evening": "e7k2",
    "text": "Round 4 begins in five minutes: please finish your games",
    "time": "20:15",
    "file": "results-2026-11-25.csv",
    "game_id": "x" * 22,
    "groups": "1: p1 p2 p3 p4; 1: p5 p6 p7 p8",
    "host": "club.fritz.box",
    "id": "9f3c41d0a86b2e75",
    "last": "1000",
    "missing": "p, rank, round, seat, table",
    "p": "p2000",
    "password": "abcd-efgh-jkmn-pqrs",
    "revision": "1000",
    "round": "1000",
    "seat": "4",
    "table": "table-07-x3k9",
    "tables": "table-07-x3k9, table-08-k9x3",
    "url": "https://192.168.178.20:8443",
}


@cache
def used() -> dict[TextKey, str]:
    """Return every text the code asks for: (slot, English) with its plural or ""."""
    found = find_texts(CODE)
    # what a setting means is said where it is defined, below the rooms that know of languages
    meanings = [(says.text, says.unit) for _, says in definitions().values()]
    names = [name for _, says in definitions().values() for name in (says.called, says.zero)]
    names += [kind.called for kind in tables_of_settings().values() if hasattr(kind, "called")]
    found |= {("item", name): "" for name in names if name}
    found |= {("cli", text): "" for text, _ in meanings}
    found |= {("cli", unit): "" for _, unit in meanings if unit.isalpha() and len(unit) > 2}
    # pages ask in English; what the log says of an act stands where it is declared
    found |= {("page", text): "" for folder in (PAGES, CLUB_PAGES) for text in asked_texts(folder)}
    found |= {("page", act.said.english): "" for act in ACTS.values()}
    return found


def test_every_text_of_the_code_has_a_sound_german_one_and_no_other_is_left_over() -> None:
    german = read_translations(LOCALES)
    fail_for(find_faulty(used(), german, german))


def test_every_text_fits_its_slot_with_the_longest_facts() -> None:
    fail_for(find_misfits(used(), read_translations(LOCALES), LONGEST | LONGEST_IN_CLUB))


@pytest.mark.parametrize("language", ["en", "de"])
def test_texts_are_said_in_the_language_asked_for(language: str) -> None:
    tx = Texts(language)
    expected = {"en": "29 free", "de": "29 frei"}[language]
    assert tx("verdict", "{field} free", field=29) == expected


def test_plural_follows_the_number() -> None:
    tx = Texts("de")
    one, more = "{name} draws {n} card.", "{name} draws {n} cards."
    assert tx.many("line", one, more, 1, name="Anna") == "Anna zieht 1 Karte."
    assert tx.many("line", one, more, 3, name="Anna") == "Anna zieht 3 Karten."


@pytest.mark.parametrize(
    ("setting", "environment", "expected"),
    [
        ("de", {"LC_ALL": "C"}, "de"),
        ("en", {"LANG": "de_DE.UTF-8"}, "en"),
        ("auto", {}, "en"),
        ("auto", {"LANG": "C.UTF-8"}, "en"),
        ("auto", {"LANG": "zz_ZZ.UTF-8"}, "en"),
        ("auto", {"LANG": "deb_XX"}, "en"),
        ("auto", {"LANG": "de_DE.UTF-8"}, "de"),
        ("auto", {"LANG": "de"}, "de"),
        ("auto", {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT@euro"}, "de"),
        ("auto", {"LC_MESSAGES": "de_DE", "LC_ALL": "en_US"}, "en"),
        ("auto", {"LC_ALL": "en_US", "LANGUAGE": "zz:de:en"}, "de"),
        ("auto", {"LC_ALL": "", "LANG": "de_CH"}, "de"),
    ],
)
def test_language_follows_setting_then_environment_as_gettext_does_then_english(
    setting: str, environment: dict[str, str], expected: str
) -> None:
    assert language_for(setting, environment) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_colours_share_a_letter(language: str) -> None:
    tx = Texts(language)
    colours = {colour for game in GAMES.values() for colour in game.colours}
    assert len({colour_letter(tx, colour) for colour in colours}) == len(colours)


def test_no_person_is_a_he_in_german() -> None:
    """Whoever has a name, or sits on a chair, may be a girl."""
    he = re.compile(r"\b(er|ihn|ihm|sein(e[mnrs]?)?)\b", re.IGNORECASE)
    wrong = [
        form
        for (_, english), translation in read_translations(LOCALES).items()
        for form in translation.forms
        if "{name}" in english and he.search(form)
    ]
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("slot", "text", "rows"),
    [
        (
            "page",
            "Beisitzer shows six digits for two minutes: System, Phone, Let everybody in.",
            ("System", "Phone", "Let everybody in"),
        ),
        (
            "line",
            "The field values are only an example. Key your own: D, New game, Boards.",
            ("New game", "Boards"),
        ),
    ],
)
def test_a_text_names_menu_rows_as_they_stand_in_the_menu(
    slot: str, text: str, rows: tuple[str, ...], language: str
) -> None:
    tx = Texts(language)
    # an entry that is called like the screen to which it leads is that screen's title
    called = [tx("title", tx("item", row)) for row in rows]
    assert tx(slot, text).endswith(f"{', '.join(called)}.")


@pytest.mark.parametrize(
    ("colours", "letter"), [(GAMES["sequence"].colours, "G"), (GAMES["einmaleins"].colours, "Ü")]
)
def test_green_is_g_where_no_other_colour_is(colours: tuple[str, ...], letter: str) -> None:
    assert colour_letter(Texts("de"), "green", colours) == letter


@pytest.mark.parametrize(
    ("players", "letters"),
    [
        ("Anna yellow, Ben red", ("A", "B")),
        ("anna yellow, Ömer red, Cleo green", ("A", "Ö", "C")),
        ("Anna yellow, Alma red", ("G", "R")),
        ("Anna yellow, 2nd red", ("G", "R")),
        ("Anna blue, Ben green, Cleo blue, Dora green", ("B", "Ü", "B", "Ü")),
    ],
)
def test_stones_bear_initials_unless_two_share_one_or_a_colour(
    players: str, letters: tuple[str, ...]
) -> None:
    people = tuple(Player(*one.split()) for one in players.split(", "))
    assert stone_letters(Texts("de"), people) == letters
