"""German words that were once wrong or double, as the screens say them now."""

import re

import pytest
from babel.messages.pofile import read_po

from engines.einmaleins import COLOURS as EINMALEINS
from engines.game import Player
from engines.games import GAMES
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.common import colour_letter, stone_letters
from pi_app.texts.language import LOCALE, Texts
from tests.pi_app.pilot import Pilot

DE = Texts("de")


@pytest.mark.parametrize(
    ("colours", "letter"), [(GAMES["sequence"].colours, "G"), (EINMALEINS, "Ü")]
)
def test_green_is_g_where_no_other_colour_is(colours: tuple[str, ...], letter: str) -> None:
    assert colour_letter(DE, "green", colours) == letter


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
    assert stone_letters(DE, people) == letters


def test_what_lies_behind_the_last_field_is_after_it() -> None:
    pilot = Pilot.game("numeri", "Anna yellow, Ben red", "de", Position="yellow 6@38")
    pilot.key("6")
    assert pilot.frame.body.lines[0] == "Kein freies Feld nach der 38."


def test_a_single_card_is_no_sum() -> None:
    pilot = Pilot.game("just4fun", "Anna yellow, Ben red", "de")
    frame = pilot.key("7#")
    assert frame.extras.moves[0].text == "7"
    assert "Anna zieht 1 Karte." in frame.body.lines


def test_one_thing_has_one_word() -> None:
    """The check of the table, the board and what is told of the program."""
    said: set[str] = set()
    for path in LOCALE.glob("de/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                words = message.string or ()
                said.update([words] if isinstance(words, str) else words)
    assert {"Tisch prüfen", "Spielplan", "Zustand"} <= said
    assert not said & {"Nachsehen", "Tisch nachsehen", "Welcher Plan", "Pläne", "Über", "sonst"}


def german(files: str = "*") -> list[tuple[str, str]]:
    """Return every English text of the companion's, or of some files, with its German one."""
    found: list[tuple[str, str]] = []
    for path in LOCALE.glob(f"de/LC_MESSAGES/{files}.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                ids, words = message.id, message.string or ()
                english = ids if isinstance(ids, str) else ids[0]
                several = [words] if isinstance(words, str) else words
                found += [(english, each) for each in several]
    return found


def test_no_person_is_a_he() -> None:
    """Whoever has a name may be a girl."""
    he = re.compile(r"\b(er|ihn|ihm|sein(e[mnrs]?)?)\b", re.IGNORECASE)
    named = [words for english, words in german() if "{name}" in english]
    seated = [words for _, words in german("chairs")]
    assert [words for words in named + seated if he.search(words)] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_names_menu_rows_as_they_stand_in_the_menu(language: str) -> None:
    tx = Texts(language)
    said = tx("page", "Beisitzer shows six digits for a minute: System, Phone, Let one in.")
    rows = (tx("item", "System"), tx("item", "Phone"), tx("item", "Let one in"))
    assert said.endswith(f": {', '.join(rows)}.")


@pytest.mark.parametrize(
    ("language", "example", "moved"),
    [
        (
            "en",
            "The field values are only an example. Key your own: D, New game, Boards.",
            "Yellow: stone 4 from the start to field 1",
        ),
        (
            "de",
            "Die Feldwerte sind nur ein Beispiel. Eigene eingeben: D, Neues Spiel, Spielpläne.",
            "Gelb: Stein 4 vom Start auf Feld 1",
        ),
    ],
)
def test_numeri_says_what_its_values_are_and_where_a_stone_goes(
    language: str, example: str, moved: str
) -> None:
    pilot = Pilot(language=language)
    pilot.choose("numeri", "Start")
    assert example in pilot.frame.body.lines
    tx = Texts(language)
    for row in (tx("item", "New game"), tx("item", "Boards")):
        assert row in example
    assert pilot.key("4").body.lines[0] == moved


def test_an_exclamation_mark_stands_for_one_thing() -> None:
    """It stands before what was refused, and twice before what must be read."""
    texts = [words for english, words in german() if english]
    assert not [words for words in texts if re.search(r"(?<!\w)!(?!\w)", words)]
    chains = Pilot.game(
        "numeri", Position="yellow 1@4 2@5 3@8 4@9 5@10 6@16; red 1@1", language="de"
    )
    assert chains.key("6").body.choices is not None
    assert "!" not in "".join(chains.frame.body.choices.items if chains.frame.body.choices else ())


def test_what_wins_sequence_is_called_as_on_its_box() -> None:
    assert PRESENTATIONS["sequence"].reason(DE, "sequences") == "Sequences"
