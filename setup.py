"""Compiles text catalogues while the package is built; all else: pyproject.toml."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTexts(build_py):
    """build_py that turns every .po into the .mo that gettext reads, into an empty folder.

    What an earlier build left there would go into the package, deleted modules too.
    """

    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        sys.path.insert(0, str(Path(__file__).parent))
        from pi_app.texts.catalogues import compile_catalogues

        compile_catalogues()
        compile_catalogues(Path(__file__).parent / "club" / "locale")
        super().run()


setup(cmdclass={"build_py": BuildWithTexts})
