"""The suite finds mistakes that were planted in a new game, each with words of its own."""

from collections.abc import Callable
from pathlib import Path
from traceback import format_exception
from typing import NamedTuple

import pytest

from beisitzer.testing import test_corrections, test_keys, test_rules, test_texts
from beisitzer.testing.parts import Candidate, find_parts
from engines import games


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def candidate(package: Path) -> Candidate:
    games.plugins.cache_clear()
    return find_parts.__wrapped__(package.name)


def press(found: Candidate) -> None:
    test_keys.test_no_keys_and_taps_make_a_game_fail(found, "alone")


def find(_: Candidate) -> None:
    """Find the parts of the game, as before every test."""


LISTED = "[Move(field) for field in FIELDS]"
READ = "    def _read(self, token"
ALL_LEGAL = """    def legal(self, given: None) -> Sequence[Move]:
        return self.candidates(given)

"""
OWNED = "if self.owner(field) == seat]"
DESCRIBE = "def describe(self) -> str:\n"
LAST = "    last = 1 - position.seat"
PROMPT = "    def prompt(self)"
NO_BACK = """    def key(self, key):
        from beisitzer.plugin import screens
        return screens.Stay(screens.BAD) if key.name == "BACK" else super().key(key)

"""
OTHER_BACK = """    def key(self, key):
        from beisitzer.plugin import screens
        if key.name != "BACK" or not self.keyed:
            return super().key(key)
        self.keyed = self.blank.tapped("1" if self.keyed.digits == "2" else "2")
        return screens.Stay(screens.TICK)

"""
NOT_KEYING = """    def keying(self):
        return False

"""
TAP = """    def tap(self, name):
        {0}
        return super().tap(name)

"""
GERMAN = "locale/de/LC_MESSAGES/{}.po"
STORE = 'self.ctx.store.append(1, len(self.table.steps), "0", None)'

legal = test_rules.test_every_listed_move_is_legal
listed = test_rules.test_every_legal_move_is_listed
described = test_rules.test_a_described_position_reads_back
placed = test_rules.test_the_places_of_a_position_give_it_back
seated = test_rules.test_the_seat_of_a_game_that_is_over_is_the_last_movers
cleared = test_keys.test_what_is_keyed_is_cleared_before_a_move_is_taken_back
undone = test_corrections.test_held_back_takes_moves_back_and_the_menu_plays_them_again
filled = test_texts.test_every_text_of_the_game_gets_its_facts
fitting = test_texts.test_every_text_of_the_game_fits_its_place_with_the_longest_facts
german = test_texts.test_every_text_of_the_game_has_a_sound_german_one


class Mistake(NamedTuple):
    """What is replaced in a file of a new game, the test that fails, and words it fails with."""

    file: str
    old: str
    new: str
    test: Callable[[Candidate], None]
    says: str


MISTAKES = [
    Mistake("rules.py", READ, f"{ALL_LEGAL}{READ}", legal, "lists '7', which is refused: fie"),
    Mistake("rules.py", LISTED, f'{LISTED[:-1]} if field != "1"]', listed, "leaves out '1', whi"),
    Mistake("rules.py", LISTED, "[]", legal, "lists no move although the game is"),
    Mistake("rules.py", '"; ".join', '", ".join', described, "describe() returns 'yellow 7, red"),
    Mistake("rules.py", OWNED, f'{OWNED[:-1]} and field != "9"]', described, "as another board"),
    Mistake("rules.py", DESCRIBE, f"{DESCRIBE}        1 // 0\n", described, "in describe\n"),
    Mistake("rules.py", LAST, LAST.replace("1 - ", ""), seated, "must stay that of the last move"),
    Mistake("presentation.py", "owner - 1 if owner else None", "0", placed, "returns 'yellow 1"),
    Mistake("presentation.py", ".describe()", '.describe() + "; +"', placed, "cannot be read"),
    Mistake("presentation.py", "zip(FIELDS, values, s", "zip(FIELDS, (), s", placed, "in slots\n"),
    Mistake("turn.py", PROMPT, f"{NO_BACK}{PROMPT}", press, "C changes nothing, alt"),
    Mistake("turn.py", PROMPT, f"{OTHER_BACK}{PROMPT}", press, "something is still keyed when C"),
    Mistake("turn.py", PROMPT, f"{NOT_KEYING}{PROMPT}", cleared, "returns False while '1'"),
    Mistake("turn.py", PROMPT, TAP.format("1 // (name != '9')") + PROMPT, press, "in tap\n"),
    Mistake("turn.py", PROMPT, TAP.format(f"name == '9' and {STORE}") + PROMPT, press, "bad-move"),
    Mistake("presentation.py", "{name} places {field}", "{name}: {at}", press, "in event\n"),
    Mistake("presentation.py", "Row: {fields}", "Row: {o}", filled, "needs {o}: pass"),
    Mistake("presentation.py", "{item} is named", "{o} is named", fitting, "how long {o} gets is"),
    Mistake("presentation.py", "{field} is taken", "{x} is taken", fitting, "how long {x} gets is"),
    Mistake("turn.py", "class ", "clas ", find, "turn.py:13 cannot be compiled: invalid syntax:"),
    Mistake("samples.py", "Samples(\n", "Samples((\n", find, "compiled: '(' was never closed: men"),
    Mistake("samples.py", '"1#"', '"2#"', undone, "make ('5', '2'), not ('5', '1')"),
    Mistake("__init__.py", "Plugin(", "Plugin((", find, "cannot be compiled: '(' was never close"),
    Mistake(GERMAN, "{name} setzt", "{who} setzt", german, "{who} must be in both texts or in no"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.says)
def test_a_planted_mistake_is_found_in_words_of_its_own(new_game: Path, mistake: Mistake) -> None:
    replace(new_game / mistake.file.format(new_game.name), mistake.old, mistake.new)
    with pytest.raises(BaseException) as caught:  # noqa: PT011  # what the suite says is asserted
        mistake.test(candidate(new_game))
    assert mistake.says in "".join(format_exception(caught.value))
