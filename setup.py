"""Compiles the text catalogues while the package is built; all else is in pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTexts(build_py):
    """build_py that turns every .po beside it into the .mo that gettext reads."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for po in Path("pi_app/locale").glob("*/LC_MESSAGES/*.po"):
            with po.open("rb") as source, po.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source))
        super().run()


setup(cmdclass={"build_py": BuildWithTexts})
