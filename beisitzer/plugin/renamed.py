"""Names that are called otherwise now: the old one works for one minor version, with a warning."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def old_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that knows old names; `names` has the present one of each.

    The end of a name is announced so, for one minor version (docs/promises.md):

        __getattr__ = old_names(__name__, {"Chip": "Stone"})
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        present = names[name]
        warnings.warn(
            f"{module}.{name} is called {present} now; the next minor version will not know {name}",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(import_module(module), present)

    return find
