"""Makes a pseudo-language: `python -m tools.pseudo LOCALE xx [FOLDER_WITH_CATALOGUES ...]`.

Every text gets accents on its vowels and is a third longer, and numbers have three forms, as in
Polish. In a table that speaks it, a word without an accent was never offered for translation, and a
text that is cut would be cut in a wordy language too.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "pi_app/texts/locale/de", ROOT / "club/locale/de")
PLURALS = "pl"
"""Whose rules for numbers it has: three forms."""
_ACCENTS = str.maketrans("aeiouyAEIOUY", "äéïöüÿÄÉÏÖÜŸ")
_FACT = re.compile(r"(\{[^{}]*\})")


def pseudo(text: str, *, longer: bool = True) -> str:
    """Return a text in the pseudo-language: its facts in braces stay, and so do line feeds."""
    parts = _FACT.split(text)
    words = [at for at in range(0, len(parts), 2) if re.search(r"[^\W\d_]", parts[at])]
    letters = sum(len(parts[at]) for at in words)
    for at in words:
        parts[at] = parts[at].translate(_ACCENTS)
    if longer and letters > 1:
        # behind the last letter that is not a fact's
        last = re.sub(r"([^\W\d_])(?=[\W\d_]*$)", rf"\1{'ö' * -(-letters // 3)}", parts[words[-1]])
        parts[words[-1]] = last
    return "".join(parts)


def write(catalogues: Path, folder: Path, *, longer: bool = True) -> None:
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
            if isinstance(message.id, tuple):
                one, several = (pseudo(form, longer=longer) for form in message.id)
                made.add(message.id, (one, several, several), context=message.context)
            else:
                text = pseudo(str(message.id), longer=longer)
                # a letter on a stone stays one letter
                made.add(message.id, text, context=message.context)
        with (folder / f"{po.stem}.mo").open("wb") as target:
            write_mo(target, made)


def main(words: Iterable[str]) -> None:
    """Write the catalogues of the companion and the club into `LOCALE/LANGUAGE/LC_MESSAGES`."""
    locale, language, *others = words
    for source in map(Path, others or map(str, SOURCES)):
        write(source, Path(locale) / language / "LC_MESSAGES")


if __name__ == "__main__":
    main(sys.argv[1:])
