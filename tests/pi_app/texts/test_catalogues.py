"""Compiled catalogues."""

import gettext
import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from pi_app.texts.catalogues import CatalogueError, compile_catalogues
from tests.ran import ran

ROOT = Path(__file__).parents[3]
GERMAN = [
    *ROOT.glob("pi_app/texts/locale/de/LC_MESSAGES/*.po"),
    *ROOT.glob("club/locale/de/LC_MESSAGES/*.po"),
]
GERMAN_TWINS = ("spielen", "spiele", "tisch", "handy", "verein")
GERMAN_PAGES = ["README.de.md", *(f"docs/{page}.md" for page in GERMAN_TWINS)]
HEAD = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'


def written(folder: Path, entries: str) -> Path:
    """Write a catalogue with these entries; return its file."""
    po = folder / "fr" / "LC_MESSAGES" / "some.po"
    po.parent.mkdir(parents=True)
    po.write_text(HEAD + entries, "utf-8")
    return po


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ('msgid "{field} free"\nmsgstr "{champ} libre"\n', r"line 6: .* has {champ}; .*: {field}"),
        ('msgid "free"\nmsgstr "{field} libre"\n', "has {field}; the facts of this text: none"),
        ('msgid "{field} free"\nmsgstr "{field libre"\n', "has a brace without its other"),
        (
            'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "une"\nmsgstr[1] "{m} cartes"\n',
            "has {m}; the facts of this text: {n}",
        ),
        ('msgid "free\nmsgstr "libre"\n', "line 6: .* no closing quotation mark"),
        ('msgid "free"\nmsgstr "li"bre"\n', "line 7: .* no closing quotation mark"),
        ('msgid "free"\nmsgstr libre\n', "line 7: "),
    ],
)
def test_a_translator_hears_of_a_mistake_with_its_line(
    entries: str, told: str, tmp_path: Path
) -> None:
    po = written(tmp_path, entries)
    with pytest.raises(CatalogueError, match=told):
        compile_catalogues(tmp_path)
    assert not po.with_suffix(".mo").exists()
    done = ran([sys.executable, "-m", "pi_app.texts.catalogues", tmp_path], timeout=120)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{po}, line ")
    assert "Traceback" not in done.stderr


def test_a_translation_may_leave_facts_out_and_texts_empty(tmp_path: Path) -> None:
    po = written(
        tmp_path,
        'msgid "{name} draws"\nmsgstr "on tire"\n\nmsgid "free"\nmsgstr ""\n\n'
        'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "une carte"\nmsgstr[1] ""\n',
    )
    compile_catalogues(tmp_path)
    with po.with_suffix(".mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    assert catalogue.gettext("{name} draws") == "on tire"
    assert catalogue.gettext("free") == "free"
    assert catalogue.ngettext("{n} card", "{n} cards", 1) == "une carte"
    assert catalogue.ngettext("{n} card", "{n} cards", 3) == "{n} cards"


def test_a_compiled_catalogue_does_not_tell_when_it_was_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "some.po").write_text('msgid ""\nmsgstr ""\n"Language: de\\n"\n')
    compile_catalogues(tmp_path)
    with (folder / "some.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).info()["pot-creation-date"] == "1970-01-01 00:00+0000"


def german_texts(po: Path) -> str:
    """Return the German texts of a catalogue, one below another."""
    strings = (message.string for message in read_po(StringIO(po.read_text("utf-8"))))
    return "\n".join(text if isinstance(text, str) else "\n".join(text or ()) for text in strings)


def test_a_thing_has_one_german_name_in_all_catalogues_and_pages() -> None:
    written = {str(po.relative_to(ROOT)): german_texts(po) for po in GERMAN}
    written |= {page: (ROOT / page).read_text("utf-8") for page in GERMAN_PAGES}
    everything = "\n".join(written.values())
    rules = (ROOT / "docs/words.md").read_text("utf-8").partition("## One word for one")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|(?: (.+?))? \|$", rules.partition("\n## ")[0], re.M)
    assert len(rows) > 20
    for english, german, never in rows[1:]:
        assert any(name in everything for name in german.split(", ")), english
        for name in filter(None, never.split(", ")):
            word = re.compile(rf"\b{name}(s|e|es|en|er|ern|n)?\b")
            assert {where for where, text in written.items() if word.search(text)} == set(), name
