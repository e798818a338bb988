"""The process `beisitzer link`: one connection to a broker, and one to the companion."""

import importlib
import sys
import urllib
from contextlib import suppress
from types import ModuleType

PROXIES = "urllib.request"


def import_without_proxies(name: str) -> None:
    """Import a module as if there were no proxies, for which it would import `urllib.request`.

    With all that it imports itself that takes almost a megabyte of this small process. Afterwards
    anybody may import the real one.
    """
    if PROXIES in sys.modules or name in sys.modules:
        return
    nothing = sys.modules[PROXIES] = ModuleType(PROXIES)
    vars(urllib)["request"] = nothing
    try:
        with suppress(ImportError):  # whoever needs it says so
            importlib.import_module(name)
    finally:
        del sys.modules[PROXIES]


import_without_proxies("paho.mqtt.client")
