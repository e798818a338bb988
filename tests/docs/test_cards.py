"""A sheet to print for each game: it says what the displays say, and is one page of A5."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engines.games import SHIPPED
from hardware.pads.table import PRINTED
from pi_app.commands.watch import key_words
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.words import Guide
from pi_app.texts.language import LANGUAGES, Text, Texts
from tools.cards import EXAMPLES, FOLDER, ON_DISPLAYS, card, cards, key_caps

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


def test_make_pictures_leaves_no_card_different() -> None:
    made = dict(cards())
    lying = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    for language in LANGUAGES:  # a number pad's chart is written by hand
        del lying[f"pads.{language}.html"]
    assert lying == made, "make pictures writes them again"


def test_every_shipped_game_has_a_card_in_every_language() -> None:
    assert set(EXAMPLES) == set(SHIPPED)
    assert len(list(cards())) == len(SHIPPED) * len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_of_a_number_pad_says_what_each_of_its_keys_does(language: str) -> None:
    tx, page = Texts(language), (FOLDER / f"pads.{language}.html").read_text("utf-8")
    said = {
        printed: words or printed
        for keys, words in re.findall(r"<b>(.+?)</b>(?:<td>)?([^<\n]*)", page)
        for printed in keys.split()
    }
    for printed, name in {
        "Enter": "KPENTER",
        "+": "KPPLUS",
        "Esc": "ESC",
        "F6": "F6",
        "7": "KP7",
    }.items():
        assert said[printed] == key_words(tx, PRINTED[name])
    assert {key_words(tx, key) for key in PRINTED.values()} <= set(said.values())


def test_what_cards_leave_out_is_said_by_some_game() -> None:
    said = {line for game in EXAMPLES for line in Texts("en").each(PRESENTATIONS[game].guide.keys)}
    assert set(ON_DISPLAYS) <= said


@pytest.mark.parametrize("game", EXAMPLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_text_changes_the_card(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    presentation = PRESENTATIONS[game]
    said = (
        *Texts(language).each(presentation.guide.how),
        *Texts(language).each(presentation.guide.keys),
    )
    other = Guide(how=(Text("line", "Other rules."),), keys=(Text("line", "Other keys."),))
    monkeypatch.setattr(type(presentation), "guide", other)
    page = card(presentation, language)
    assert "<p>Other rules.</p>" in page
    assert "<p>Other keys.</p>" in page
    assert not any(f"<p>{sentence}</p>" in page for sentence in said)


def test_examples_are_keyed_as_printed_and_answered_as_at_the_table() -> None:
    rows = re.findall(r"<tr><td>(.+?)<td>(.+)", card(PRESENTATIONS["just4fun"], "de"))
    plain = [(re.sub(r"<.+?>| ", "", keys), said) for keys, said in rows]
    assert plain[0] == ("5*11*13#", "Anna: Setzstein auf 29. Anna zieht 3 Karten.")
    assert plain[1] == ("5*11*13", "5+11+13: 29 gesperrt: Ben führt mit 2.")
    assert plain[3][0] == "5*11*13#Clang"


def test_keys_of_a_script_are_written_as_they_are_printed() -> None:
    caps = re.findall(r"<kbd>(.+?)</kbd>", key_caps("# d4 ^v<?<<#", "en"))
    assert caps == ["4", "A", "B", "C", "D", "C held", "#"]


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
@pytest.mark.parametrize("game", [*EXAMPLES, "pads"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_is_one_page(game: str, language: str, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    page = FOLDER / f"{game}.{language}.html"
    pdf = tmp_path / "card.pdf"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/own"]
    subprocess.run(
        [CHROMIUM, *options, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", page],
        check=True,
        capture_output=True,
        timeout=120,
    )
    content = pdf.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    width, height = map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)[0])
    assert width == pytest.approx(420, abs=2), "A5"
    assert height == pytest.approx(595, abs=2), "A5"
