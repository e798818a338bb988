"""Says why an optional library cannot be imported, and what to do."""

import re
import sys

from pi_app.texts.language import Texts

_OURS = frozenset({"ai", "beisitzer", "club", "engines", "hardware", "pi_app"})
_SHARED = re.compile(r"\b(lib[\w+.-]+?)\.so(?:\.(\d+))?(?:\.\d+)*")
"""A system library's name and version in the loader's message."""


def library_words(tx: Texts, error: ImportError, library: str, remedy: str) -> str:
    """Say why `library` cannot be imported; the command `remedy` installs it and what it needs.

    After a ModuleNotFoundError a library is missing; after another ImportError it is installed, but
    something that it needs is missing. Raises the error again if a module of ours is missing.
    """
    name = (error.name or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError):
        if name in _OURS:
            raise error
        if name not in sys.stdlib_module_names:  # else Python itself was built without it
            return tx("cli", "{name} is missing. Do: {command}", name=name, command=remedy)
    if needed := system_library(str(error)):
        return tx(
            "cli",
            "{name} does not load, as {library} is missing. Do: sudo apt install {packages}",
            name=library,
            library=needed[0],
            packages=needed[1],
        )
    why = " ".join(str(error).split())[:120]
    return tx("cli", "{name} does not load ({why}). Install it again.", name=library, why=why)


def system_library(message: str) -> tuple[str, str] | None:
    """Return the library that the loader misses, and its Debian package by Debian's naming rule."""
    found = _SHARED.search(message)
    if found is None or "cannot open shared object" not in message:
        return None
    name, version = found[1].lower().replace("_", "-"), found[2] or ""
    return found[0], f"{name}{'-' if name[-1].isdigit() and version else ''}{version}"
