"""Makes a pseudo-language: `python -m tools.pseudo LOCALE xx [FOLDER_WITH_CATALOGUES ...]`.

Every text gets accents on its vowels, each word is a third longer, and numbers have three forms, as
in Polish. In this language, a word without an accent was never offered for translation, and a text
that is cut would be cut in a wordy language too. Each text still fits its slot, as a translator's
must: `pi_app.texts.language.SLOTS`.
"""

import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = tuple(
    sorted(
        path
        for place in ("pi_app", "club", "examples")
        for path in ROOT.glob(f"{place}/**/locale/de")
    )
)
"""The catalogues of the companion, the club and the examples."""
PLURALS = "pl"
"""Its rules for numbers, with three forms."""
_ACCENTS = str.maketrans("aeiouyAEIOUY", "äéïöüÿÄÉÏÖÜŸ")
NAMES = ("Assistant",)
"""Words in names: longer ones would not fit, and translators keep names."""
_FACT = re.compile(r"(\{[^{}]*\})")
_WORD = re.compile(r"[^\W\d_]+")


def pseudo(text: str, fits: Callable[[str], bool] = lambda _: True) -> str:
    """Return a text in the pseudo-language; facts in braces and line feeds stay.

    It is a third longer, or less if it does not fit; a single letter stays one.
    """
    parts = _FACT.split(text)
    places = range(0, len(parts), 2)  # between them are the facts
    letters = sum(len(word) for at in places for word in _WORD.findall(parts[at]))
    most = max((len(word) for at in places for word in _WORD.findall(parts[at])), default=0)
    for limit in range(-(-most // 3) if letters > 1 else 0, -1, -1):
        longer = "".join(
            part if at % 2 else _WORD.sub(lambda word: _lengthen(word[0], limit), part)  # noqa: B023
            for at, part in enumerate(parts)
        )
        if fits(longer):
            break
    return longer


def _lengthen(word: str, limit: int) -> str:
    """Return a word with accents that is a third longer, but by no more than `limit` letters."""
    more = 0 if word in NAMES else -(-len(word) // 3)
    return word.translate(_ACCENTS) + "ö" * min(limit, more)


def _fits(slot: str, text: str) -> bool:
    """Return whether a text fits its slot with the longest facts, as every translation must."""
    from beisitzer.testing.texts import LONGEST, facts_of, fits_slot
    from tests.longest import LONGEST as COMPANIONS

    # other facts occur only in texts of any length
    facts = {name: name for name in facts_of(text)} | LONGEST | COMPANIONS
    return fits_slot(slot, text.format(**facts))


def write(catalogues: Path, folder: Path) -> None:
    """Write a compiled pseudo-catalogue for each .po of a folder `LOCALE/de`."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    folder.mkdir(parents=True, exist_ok=True)
    for po in sorted(catalogues.glob("LC_MESSAGES/*.po")):
        with po.open("rb") as source:
            german = read_po(source)
        made = Catalog(locale=PLURALS)
        for message in german:
            if not message.id:
                continue
            said = partial(pseudo, fits=partial(_fits, message.context or "cli"))
            if isinstance(message.id, tuple):
                one, several = map(said, message.id)
                made.add(message.id, (one, several, several), context=message.context)
            else:
                made.add(message.id, said(str(message.id)), context=message.context)
        # the companion and the club have catalogues of the same name
        package = catalogues.parents[1].name
        with (folder / f"{package}-{po.stem}.mo").open("wb") as target:
            write_mo(target, made)


def main(words: Iterable[str]) -> None:
    """Write the catalogues of all sources into `LOCALE/LANGUAGE/LC_MESSAGES`."""
    locale, language, *others = words
    for source in map(Path, others or map(str, SOURCES)):
        write(source, Path(locale) / language / "LC_MESSAGES")


if __name__ == "__main__":
    main(sys.argv[1:])
