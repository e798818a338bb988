"""The suite finds mistakes that were planted in a new game, each with a sentence of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from beisitzer.testing.parts import folder_of, missing_parts
from beisitzer.testing.rules import (
    find_illegal,
    find_misplaced,
    find_omitted,
    find_unreadable,
    find_wrong_seats,
)
from beisitzer.testing.samples import samples_of
from beisitzer.testing.texts import (
    find_misfits,
    find_texts,
    find_unfilled,
    find_unsound,
    read_translations,
)
from beisitzer.testing.turns import find_bad_taps, find_undeleted
from beisitzer.testing.walks import walk
from engines.games import plugins
from pi_app.table.presentation import PRESENTATIONS
from tests.beisitzer.test_parts import replace


def find_faults(game: str) -> Iterator[str]:
    """Yield the sentences of the suite's checks for a game whose parts are all there."""
    missing = missing_parts(game)
    yield from missing
    if missing:
        return
    samples, folder = samples_of(game), folder_of(plugins()[game])
    walks = walk(game, samples)
    yield from find_illegal(walks)
    yield from find_omitted(walks, samples)
    yield from find_unreadable(walks, PRESENTATIONS[game])
    yield from find_misplaced(walks, PRESENTATIONS[game])
    yield from find_wrong_seats(walks)
    yield from find_undeleted(game, samples)
    yield from find_bad_taps(game, samples, folder)
    yield from find_unfilled([folder])
    texts, german = find_texts([folder]), read_translations([folder / "locale"])
    yield from find_unsound(german, texts)
    yield from find_misfits(texts, german, samples.longest)


def test_no_check_finds_a_fault_in_a_new_game(new_game: Path) -> None:
    assert not [*find_faults(new_game.name)]


LISTED = "for field in FIELDS if self.owner(field) is None]"
OWNED = "if self.owner(field) == seat]"
DESCRIBE = "def describe(self) -> str:\n"
LAST = "    last = 1 - position.seat"
BACK = """        if key is Key.BACK and self.keyed:
            self.clear()
"""
TAP = '        """Choose a field that was tapped or keyed."""\n'
GERMAN = "locale/de/LC_MESSAGES/{}.po"
STORE = 'self.ctx.store.append(1, len(self.table.steps), "0", None)'


class Mistake(NamedTuple):
    """What is replaced in a file of a new game, and part of the sentence that must follow."""

    file: str
    old: str
    new: str
    says: str


MISTAKES = [
    Mistake("rules.py", LISTED, "for field in FIELDS]", "lists '7', which is refused: field-taken"),
    Mistake("rules.py", LISTED, f'{LISTED[:-1]} and field != "1"]', "leaves out '1', which is not"),
    Mistake("rules.py", LISTED, "for field in ()]", "lists no move although the game is not over"),
    Mistake(
        "rules.py", '"; ".join', '", ".join', "describe() returns 'yellow 7, red 8', which can"
    ),
    Mistake("rules.py", OWNED, f'{OWNED[:-1]} and field != "9"]', "which reads as another board"),
    Mistake("rules.py", DESCRIBE, f"{DESCRIBE}        1 // 0\n", "words fails (ZeroDivisionError"),
    Mistake("rules.py", LAST, LAST.replace("1 - ", ""), "must stay that of the last mover"),
    Mistake(
        "presentation.py", "owner == seat + 1", "owner == seat", "placement() returns 'yellow 1"
    ),
    Mistake("presentation.py", '"; ".join(parts)', '" + ".join(parts)', "which cannot be read"),
    Mistake(
        "presentation.py", "zip(FIELDS, values, strict", "zip(FIELDS, (), strict", "slots() or"
    ),
    Mistake("turn.py", BACK, BACK.replace("self.clear()", "pass"), "C changes nothing, although"),
    Mistake(
        "turn.py",
        BACK,
        BACK.replace("self.clear()", 'self.keyed = "1" if self.keyed == "2" else "2"'),
        "something is still keyed when C was pressed",
    ),
    Mistake(
        "turn.py", TAP, f"{TAP}        1 // (name != '9')\n", "tap on the cell '9' fails (Zero"
    ),
    Mistake(
        "turn.py", TAP, f"{TAP}        name == '9' and {STORE}\n", "stores a move that is illeg"
    ),
    Mistake(
        "presentation.py", "field=step.token", "at=step.token", "(KeyError: 'field', in to_do, "
    ),
    Mistake("presentation.py", ', "{item} is named', ', "{thing} is named', "needs {thing}: pass"),
    Mistake(
        "presentation.py", "{field} is taken", "{spot} is taken", "how long {spot} gets is not"
    ),
    Mistake(
        "turn.py", "class ", "clas ", "turn.py:29 cannot be compiled: invalid syntax): mend it"
    ),
    Mistake("samples.py", "Samples(\n", "Samples((\n", "cannot be compiled: '(' was never closed"),
    Mistake(
        "__init__.py", "Plugin(", "Plugin((", "cannot be compiled: '(' was never closed): mend"
    ),
    Mistake(GERMAN, "{name} setzt", "{who} setzt", "{who} is in the German text but not"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.says)
def test_a_planted_mistake_has_its_own_sentence(new_game: Path, mistake: Mistake) -> None:
    replace(new_game / mistake.file.format(new_game.name), mistake.old, mistake.new)
    found = find_faults(new_game.name)
    assert any(mistake.says in sentence for sentence in found), [*find_faults(new_game.name)]
