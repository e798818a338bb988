"""Compiles text catalogues and play-outs while the package is built; all else: pyproject.toml."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
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


GAMES = ("just4fun", "numeri", "einmaleins", "sequence")
QUICK = {
    "annotation_typing": False,
    "boundscheck": False,
    "cdivision": True,
    "initializedcheck": False,
    "language_level": 3,
    "wraparound": False,
}
"""What makes C of the play-outs: tests hold them to what the same files give as Python."""

STABLE = bool(os.environ.get("BEISITZER_STABLE"))
"""Whether only what every Python from 3.11 on has is used: one wheel serves them all."""
LEAST = [("Py_LIMITED_API", "0x030B0000")]


def compiles() -> bool:
    """Return whether a compiler and Python's headers are there.

    Newer setuptools ends with an error where they are not, also for what is optional.
    """
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    header = Path(sysconfig.get_path("include"), "Python.h")
    return (not compiler or shutil.which(compiler[0]) is not None) and header.exists()


def play_outs() -> list[Extension]:
    """Return the play-outs to be compiled; none without Cython or with BEISITZER_PLAIN set.

    Each is optional: where nothing can be compiled, the same file runs as Python, only slower.
    For a wheel (BEISITZER_STABLE) none is.
    """
    if os.environ.get("BEISITZER_PLAIN") or not (STABLE or compiles()):
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    modules = [
        Extension(
            f"ai.{game}.playouts",
            [f"ai/{game}/playouts.py"],
            define_macros=LEAST if STABLE else [],
            py_limited_api=STABLE,
            optional=not STABLE,
        )
        for game in GAMES
    ]
    built: list[Extension] = cythonize(modules, build_dir="build/c", compiler_directives=QUICK)
    return built


setup(
    cmdclass={"build_py": BuildWithTexts},
    ext_modules=play_outs(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
