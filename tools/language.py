"""Begins a language, or adds the texts that are new: `python -m tools.language fr`.

Each catalogue of German gets one beside it with the same texts, untranslated, and the language's
own forms for numbers. What was translated already stays.
"""

import sys
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
LOCALES = ("pi_app/texts/locale", "club/locale")


Translated = dict[tuple[str, str], Any]
"""Translations by slot and English text, from all files."""


def translated(folder: Path, language: str) -> Translated:
    """Return the translations in the catalogues of a folder."""
    known: Translated = {}
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if any(
                    [message.string] if isinstance(message.string, str) else message.string or ()
                ):
                    known[_key(message)] = message.string
    return known


def _key(message: Message) -> tuple[str, str]:
    one = message.id if isinstance(message.id, str) else message.id[0]
    return message.context or "", one


def update(german: Path, target: Path, language: str, known: Translated) -> int:
    """Write a catalogue with all texts, keeping translations; return how many are untranslated."""
    with german.open("rb") as file:
        wanted = read_po(file)
    made = Catalog(locale=language, fuzzy=False, project="Beisitzer", header_comment="")
    left = 0
    for message in wanted:
        if not message.id:
            continue
        strings = known.get(_key(message), "")
        left += not strings
        made.add(message.id, strings, context=message.context)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_po(file, made, width=0)
    return left


def main(root: Path, language: str) -> None:
    """Write all catalogues of a language, and print how much is left to translate."""
    try:
        Locale(language)
    except (UnknownLocaleError, ValueError):
        raise SystemExit(
            f"{language} is no language: name one by two letters, such as fr"
        ) from None
    if len(language) != len("fr") or language in ("en", "de"):
        raise SystemExit(f"{language} is here, or has no two letters: name another, such as fr")
    for locale in LOCALES:
        known = translated(root / locale / language / "LC_MESSAGES", language)
        for german in sorted((root / locale).glob("de/LC_MESSAGES/*.po")):
            target = root / locale / language / "LC_MESSAGES" / german.name
            left = update(german, target, language, known)
            sys.stdout.write(f"{target.relative_to(root)}: {left} texts to translate\n")


if __name__ == "__main__":
    main(ROOT, next(iter(sys.argv[1:]), ""))
