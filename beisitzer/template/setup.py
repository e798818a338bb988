"""Compiles the German texts when the package is built; everything else is in pyproject.toml."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTexts(build_py):
    """build_py that turns every .po into the .mo that gettext reads."""

    def run(self) -> None:
        for source in Path(__file__).parent.glob("newgame/locale/*/LC_MESSAGES/*.po"):
            with source.open("rb") as texts, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(texts))
        super().run()


setup(cmdclass={"build_py": BuildWithTexts})
