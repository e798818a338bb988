"""Letters on ten digits: exactly as typed where every character counts."""

import pytest

from hardware.config import PadsConfig
from hardware.keys import Key
from pi_app.displays.terminal_keys import keys_of
from pi_app.run.pads import PadsInput
from pi_app.screens.base import Stay
from pi_app.screens.text_entry import EXACT_DIAL, ExactEntry, TextEntry
from pi_app.view.frame import Frame, Header, KeySet
from pi_app.view.keying import SIGNS, change_character, keys_of_character
from tests.pi_app.pilot import Pilot


def entry(text: str = "") -> tuple[Pilot, ExactEntry]:
    """Return a table with an exact text on show."""
    pilot = Pilot()
    screen = ExactEntry(pilot.ctx, "Text", text, 200, lambda _: "", lambda _: Stay())
    pilot.program.stack.append(screen)
    pilot.program.show()
    return pilot, screen


def test_every_character_of_a_keyboard_arrives_as_it_is_typed() -> None:
    typed = "".join(map(chr, range(32, 127))) + "äöüßÄÖÜ€" + "22aa..BB"
    pilot, screen = entry()
    for character in typed:
        pilot.key(keys_of(character, pilot.frame.keys))
    assert screen.text == typed


def test_every_character_can_be_turned_to() -> None:
    assert set(EXACT_DIAL) >= {*map(chr, range(32, 127)), *"äöüßÄÖÜ"}
    for at, character in enumerate(EXACT_DIAL):
        pilot, screen = entry()
        pilot.key([Key.UP] * (len(EXACT_DIAL) - at) + [Key.STAR])
        assert screen.text == character


def test_menu_makes_capitals_small_letters_and_all_signs() -> None:
    assert [change_character(letter) for letter in "aAäß"] == ["A", "a", "Ä", "ß"]
    seen, sign = [], "."
    for _ in SIGNS:
        seen.append(sign)
        sign = change_character(sign)
    assert sorted(seen) == sorted(SIGNS)
    assert sign == "."


def test_a_character_that_no_digit_has_is_not_half_typed() -> None:
    assert keys_of_character("É") == ()
    assert keys_of_character("♥") == ()
    assert keys_of_character("") == ()


def test_a_text_that_is_there_is_replaced_or_continued() -> None:
    pilot, screen = entry("aplay -q -")
    pilot.key([Key.MENU])
    assert screen.text == "aplay -q -"  # nothing of it was touched yet
    pilot.key("<2")
    assert screen.text == "aplay -q a"
    pilot, screen = entry("aplay -q -")
    pilot.key("2")
    assert screen.text == "a"


def test_spaces_count() -> None:
    pilot, screen = entry()
    kept: list[str] = []

    def keep(text: str) -> Stay:
        kept.append(text)
        return Stay()

    screen.done = keep
    pilot.write(" a  b ")
    pilot.key("#")
    assert kept == [" a  b "]


def test_a_keyboard_at_the_table_writes_small_letters() -> None:
    pads = PadsInput(PadsConfig(), lambda _: True, lambda: None, "en", appliance=True)
    pads._pads = object()  # type: ignore[assignment]  # no keyboard is looked for
    pads.show(Frame(Header(""), keys=KeySet(typing=True, exact=True)))
    assert pads.write("Q") == keys_of_character("q")
    assert Key.MENU not in pads.write("Q")


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        (TextEntry, "Annalena-Zoß ♥", "Annalena-Zoß"),
        (TextEntry, "anna maria", "anna maria"),
        (TextEntry, "A name that is far too long", None),
        (ExactEntry, " q{Ü~2", " q{Ü~2"),
    ],
)
def test_a_text_that_was_typed_whole_counts_at_once_and_one_that_is_too_long_waits(
    kind: type[TextEntry], typed: str, kept: str | None
) -> None:
    pilot, done = Pilot(), list[str]()
    screen = kind(pilot.ctx, "Text", "Anna", 16, lambda _: "", lambda text: _kept(done, text))
    pilot.program.stack.append(screen)
    pilot.program.show()
    pilot.program.do(lambda: screen.type_text(typed))
    assert done == ([] if kept is None else [kept])
    if kept is None:
        assert "16" in screen.frame().body.entry.verdict  # type: ignore[union-attr]


def _kept(done: list[str], text: str) -> Stay:
    done.append(text)
    return Stay()
