"""German words that were once wrong or double, as the screens say them now."""

import pytest
from babel.messages.pofile import read_po

from engines.einmaleins import COLOURS as EINMALEINS
from engines.games import GAMES
from pi_app.texts.common import colour_letter
from pi_app.texts.language import LOCALE, Texts
from tests.pi_app.desk import Desk

DE = Texts("de")


@pytest.mark.parametrize(
    ("colours", "letter"), [(GAMES["sequence"].colours, "G"), (EINMALEINS, "Ü")]
)
def test_green_is_g_where_no_other_colour_is(colours: tuple[str, ...], letter: str) -> None:
    assert colour_letter(DE, "green", colours) == letter


def test_what_lies_behind_the_last_field_is_after_it() -> None:
    desk = Desk.game("numeri", "Anna yellow, Ben red", "de", Position="yellow 6@38")
    desk.key("6")
    assert desk.frame.lines[0] == "Kein freies Feld nach der 38."


def test_a_single_card_is_no_sum() -> None:
    desk = Desk.game("just4fun", "Anna yellow, Ben red", "de")
    frame = desk.key("7#")
    assert frame.moves[0].text == "7"
    assert "Anna zieht 1 Karte." in frame.lines


def test_one_thing_has_one_word() -> None:
    """The check of the table, the board and what is told of the program."""
    said: set[str] = set()
    for path in LOCALE.glob("de/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                words = message.string or ()
                said.update([words] if isinstance(words, str) else words)
    assert {"Tisch prüfen", "Spielplan", "Info"} <= said
    assert not said & {"Nachsehen", "Tisch nachsehen", "Welcher Plan", "Pläne", "Über", "sonst"}
