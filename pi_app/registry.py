"""The one list of all extras and displays: devices, phones, a club, a card.

Nothing is imported by it. One of another distribution is an entry of the entry-point group
`beisitzer.extras` or `beisitzer.displays`, in its `pyproject.toml`, that names a `Registration`:

    [project.entry-points."beisitzer.displays"]
    eink = "eink:REGISTRATION"

    REGISTRATION = Registration("eink.display:DISPLAY", {"eink": "eink.settings:EinkSettings"})
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from engines.games import entries

Group = Literal["extras", "displays"]


class Registration(NamedTuple):
    """Where an extra or a display is, and its tables of settings, each as "module:attribute".

    `is_setting`: the setting `display.show` may name this display.
    """

    place: str
    tables: Mapping[str, str] = {}
    is_setting: bool = False


def resolve(name: str) -> Any:
    """Import "module:attribute"; ImportError, AttributeError or ValueError if it does not exist."""
    from pkgutil import resolve_name

    return resolve_name(name)


SHIPPED: Mapping[Group, Mapping[str, Registration]] = {
    "extras": {
        "first-start": Registration("pi_app.extras.machine:FIRST_START"),
        "rig": Registration("pi_app.extras.devices:RIG"),
        "panel": Registration("pi_app.extras.devices:PANEL"),
        "pads": Registration("pi_app.extras.devices:PADS"),
        "speaker": Registration("pi_app.extras.devices:SPEAKER"),
        "voice": Registration("pi_app.extras.devices:VOICE"),
        "shots": Registration("pi_app.extras.devices:SHOTS"),
        "phones": Registration(
            "pi_app.extras.phones:PHONES", {"web": "pi_app.phones.protocol:WebSettings"}
        ),
        "link": Registration(
            "pi_app.extras.link:LINK",
            {
                "club": "pi_app.link.settings:ClubSettings",
                "home": "pi_app.link.settings:HomeSettings",
            },
        ),
        "stick": Registration("pi_app.extras.machine:STICK"),
        "own-wifi": Registration(
            "pi_app.extras.machine:WIFI", {"wifi": "pi_app.network.settings:WifiSettings"}
        ),
        "machine": Registration("pi_app.extras.machine:MACHINE"),
        "updates": Registration(
            "pi_app.extras.machine:UPDATES", {"updates": "pi_app.card.settings:UpdateSettings"}
        ),
    },
    "displays": {
        "window": Registration("pi_app.extras.displays:WINDOW", is_setting=True),
        "terminal": Registration("pi_app.extras.displays:TERMINAL", is_setting=True),
        "plain": Registration("pi_app.extras.displays:PLAIN"),
    },
}
"""In the order in which they are attached, or tried; known without searching for entries."""


@cache
def _installed(group: Group) -> Mapping[str, Registration]:
    """Return the parts of other distributions in a group, without those that cannot be loaded."""
    found: dict[str, Registration] = {}
    for name, value in sorted(entries(sys.path, f"beisitzer.{group}"), key=itemgetter(0)):
        # this distribution's own entry, or one that would replace another
        if name in SHIPPED[group] or name in found:
            continue
        try:
            found[name] = Registration(*resolve(value))
        except Exception:  # noqa: BLE001  # somebody else's extra may raise anything
            _log_failure(name, value)
    return found


def is_registered(group: Group, name: str) -> bool:
    """Tell whether a group has an entry of this name."""
    return name in SHIPPED[group] or name in _installed(group)


def load_all(group: Group) -> Iterator[Any]:
    """Yield everything that is registered in a group, shipped parts first.

    Entries are searched for only after those; parts that cannot be loaded are left out.
    """
    for registration in SHIPPED[group].values():
        yield resolve(registration.place)
    for name, registration in _installed(group).items():
        try:
            yield resolve(registration.place)
        except Exception:  # noqa: BLE001  # the same
            _log_failure(name, registration.place)


def _log_failure(name: str, value: str) -> None:
    """Log a part that is left out, with the current exception."""
    import logging

    logging.getLogger(__name__).exception("%s is left out: %s cannot be loaded", name, value)


def named_displays() -> tuple[str, ...]:
    """Return the displays that a core setting may name."""
    return tuple(name for name, display in SHIPPED["displays"].items() if display.is_setting)


def find_table(name: str) -> Any:
    """Import the class of an extra's table of settings; None if no extra has this table."""
    place = _tables(SHIPPED).get(name) or all_tables().get(name)
    return None if place is None else resolve(place)


def all_tables() -> Mapping[str, str]:
    """Return the places of all extras' tables of settings, by name."""
    return _tables(SHIPPED) | _tables({group: _installed(group) for group in SHIPPED})


def _tables(groups: Mapping[Group, Mapping[str, Registration]]) -> dict[str, str]:
    return {
        name: place
        for group in groups.values()
        for registration in group.values()
        for name, place in registration.tables.items()
    }
