"""Settings, house rules, records and both languages: nothing left out, nothing made up."""

import re
from pathlib import Path

import pytest

from engines.game import Violation, replay
from engines.games import GAMES, SHIPPED
from engines.record import begin_game, parse
from pi_app.settings.file import parse as parse_settings
from pi_app.settings.schema import ENGLISH, entries, tables_of_settings
from pi_app.table.presentation import PRESENTATIONS
from pi_app.view.key_script import SIGNS, read_keys
from tests.docs.pages import ROOT, Page, page, pages
from tools.pages import settings_page

ENDINGS = {"py", "toml", "md", "po"}
TWINS = {"play": "spielen", "games": "spiele", "table": "tisch"}
"""The pages on playing, by their names in both languages."""
PLAYING = tuple(f"docs/{name}.md" for name in (*TWINS, *TWINS.values()))


def test_every_setting_is_in_the_reference_as_it_is() -> None:
    text = settings_page()
    for entry in entries():
        assert f"| `{entry.key.rpartition('.')[2]}` |" in text


@pytest.mark.parametrize("each", pages(), ids=str)
def test_settings_named_on_a_page_are_real(each: Page) -> None:
    keys = {entry.key for entry in entries()}
    for span in each.spans:
        found = re.match(r"([a-z_]+)\.([a-z_]+)(?: = |$)", span)
        if found and found[1] in tables_of_settings() and found[2] not in ENDINGS:
            assert f"{found[1]}.{found[2]}" in keys, span


@pytest.mark.parametrize("each", pages(), ids=str)
def test_settings_files_on_a_page_are_accepted(each: Page) -> None:
    for block in each.blocks:
        if re.match(r"\[[a-z_]+\]$|[a-z_]+ = ", block.splitlines()[0]):
            parse_settings({ROOT / "docs.toml": block})


@pytest.mark.parametrize("game", sorted(SHIPPED))
def test_house_rules_of_every_game_are_among_the_rulings(game: str) -> None:
    text = page("docs/rulings.md").text
    assert PRESENTATIONS[game].name(ENGLISH) in text
    for rule in GAMES[game].house_rules:
        assert f"`{rule.key}=" in text, rule.key


@pytest.mark.parametrize("name", TWINS)
def test_both_languages_have_the_same_chapters_and_pictures(name: str) -> None:
    english, german = page(f"docs/{name}.md"), page(f"docs/{TWINS[name]}.md")
    assert [level for level, _ in english.headings] == [level for level, _ in german.headings]
    assert [image.replace("-en.", "-de.") for image in english.images] == german.images


@pytest.mark.parametrize("name", TWINS)
def test_both_languages_name_the_same_keys(name: str) -> None:
    def scripts(of: Page) -> list[str]:
        return sorted(span for span in of.spans if re.fullmatch(r"[0-9A-D*# ]+", span))

    assert scripts(page(f"docs/{name}.md")) == scripts(page(f"docs/{TWINS[name]}.md"))


@pytest.mark.parametrize("game", sorted(SHIPPED))
def test_every_game_has_its_chapter(game: str) -> None:
    for name in ("docs/games.md", "docs/spiele.md"):
        assert (2, PRESENTATIONS[game].name(ENGLISH)) in page(name).headings


@pytest.mark.parametrize("name", ["docs/play.md", "docs/spielen.md"])
def test_the_first_page_is_read_in_one_sitting(name: str) -> None:
    assert page(name).text.count("\n") <= 120


@pytest.mark.parametrize("name", PLAYING)
def test_key_scripts_on_a_page_are_keys(name: str) -> None:
    scripts = [span for span in page(name).spans if re.fullmatch(r"\d[0-9*# ]*#", span)]
    assert scripts
    for script in scripts:
        assert read_keys(script)


@pytest.mark.parametrize("name", ["docs/table.md", "docs/tisch.md"])
def test_the_signs_of_key_scripts_are_all_described_as_they_are_read(name: str) -> None:
    described = dict(re.findall(r"^\| `([^`]+)` \| `([A-Z_]+)`", page(name).text, re.M))
    assert {sign: [key.value for key in read_keys(sign)] for sign in described} == {
        sign: [key] for sign, key in described.items()
    }
    assert described.keys() == SIGNS.keys() - set("0123456789")


@pytest.mark.parametrize("each", pages(), ids=str)
def test_records_on_a_page_replay(each: Page) -> None:
    for block in each.blocks:
        if block.startswith("[Game"):
            record = parse(block)
            _, start = begin_game(record.tags)
            assert not any(isinstance(step, Violation) for step in replay(start, record.tokens))


def test_the_changelog_keeps_its_form() -> None:
    headings = page("CHANGELOG.md").headings
    assert headings[0] == (1, "Changelog")
    assert headings[1] == (2, "[Unreleased]")
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert {words for level, words in headings if level == 3} <= known
    assert all(
        re.fullmatch(r"\[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d\d-\d\d)?", words)
        for level, words in headings
        if level == 2
    )


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob(".github/ISSUE_TEMPLATE/[!c]*.yml")), ids=lambda path: path.name
)
def test_issue_forms_ask_for_the_report(path: Path) -> None:
    assert "beisitzer report" in path.read_text("utf-8")


def test_both_readmes_have_the_same_chapters_pictures_and_links() -> None:
    english, german = page("README.md"), page("README.de.md")
    assert [level for level, _ in english.headings] == [level for level, _ in german.headings]
    assert [image.replace("-en.", "-de.") for image in english.images] == german.images
    translated = {
        **{f"docs/{name}.md": f"docs/{twin}.md" for name, twin in TWINS.items()},
        "docs/phone.md": "docs/handy.md",
        "docs/club.md": "docs/verein.md",
    }
    links = [link.partition("#")[0] for link in english.links if link not in english.images]
    others = [link.partition("#")[0] for link in german.links if link not in german.images]
    assert [translated.get(link, link) for link in links[1:]] == others[1:]
    assert (links[0], others[0]) == ("README.de.md", "README.md")
