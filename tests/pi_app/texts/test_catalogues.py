"""Compiled catalogues."""

import gettext
from pathlib import Path

from pi_app.texts.catalogues import compile_catalogues


def test_a_compiled_catalogue_does_not_tell_when_it_was_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "some.po").write_text('msgid ""\nmsgstr ""\n"Language: de\\n"\n')
    compile_catalogues(tmp_path)
    with (folder / "some.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).info()["pot-creation-date"] == "1970-01-01 00:00+0000"
