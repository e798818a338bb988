"""A translator begins a language with one command, and goes on after an update with the same."""

import shutil
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.ran import ran
from tools.language import main

ROOT = Path(__file__).parents[3]


@pytest.fixture(name="checkout")
def _checkout(tmp_path: Path) -> Path:
    for locale in ("pi_app/texts/locale", "club/locale"):
        shutil.copytree(ROOT / locale / "de", tmp_path / locale / "de")
    return tmp_path


def test_a_language_has_every_text_and_its_own_numbers_and_keeps_what_was_translated(
    checkout: Path,
) -> None:
    main(checkout, "pl")
    german = sorted(checkout.glob("*/**/de/LC_MESSAGES/*.po"))
    polish = sorted(checkout.glob("*/**/pl/LC_MESSAGES/*.po"))
    assert [path.name for path in german] == [path.name for path in polish]
    for theirs, ours in zip(german, polish, strict=True):
        with theirs.open("rb") as one, ours.open("rb") as other:
            wanted, made = read_po(one), read_po(other)
        keys = {(message.id, message.context) for message in wanted}
        assert {(message.id, message.context) for message in made} == keys
        assert made.num_plurals == 3
        assert not any(message.fuzzy or any(message.string or ()) for message in made if message.id)
    first = checkout / "pi_app/texts/locale/pl/LC_MESSAGES/beisitzer.po"
    first.write_text(
        first.read_text("utf-8").replace('"English"\nmsgstr ""', '"English"\nmsgstr "Polski"'),
        "utf-8",
    )
    # which file a text is in makes no difference
    first.rename(first.with_name("just4fun.po"))
    main(checkout, "pl")
    assert '"English"\nmsgstr "Polski"' in first.read_text("utf-8")


@pytest.mark.parametrize("language", ["de", "en", "qq", "french", "../x"])
def test_what_is_no_new_language_is_refused(checkout: Path, language: str) -> None:
    before = sorted(checkout.rglob("*"))
    with pytest.raises(SystemExit, match="such as fr"):
        main(checkout, language)
    assert sorted(checkout.rglob("*")) == before


def test_without_a_language_it_says_what_is_missing() -> None:
    done = ran([sys.executable, "-m", "tools.language"], cwd=ROOT)
    assert done.returncode != 0
    assert "such as fr" in done.stderr
    assert "Traceback" not in done.stderr
