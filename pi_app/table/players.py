"""The players a table knows: names with their colour and how much help they want."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

from pi_app.store.store import Store
from pi_app.table.made_up import is_made_up

HelpLevel = Literal["none", "sums", "legal"]
LEVELS: tuple[HelpLevel, ...] = get_args(HelpLevel)
MOST = 50
"""Names kept; the one that played longest ago is forgotten first."""
_KEY = "players"


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """Somebody who played here; `help` None: as the settings say."""

    name: str
    colour: str = ""
    help: HelpLevel | None = None


def known_players(store: Store) -> list[KnownPlayer]:
    """Return who played here, the latest first; what cannot be read is left out."""
    return list(_read_all(store.recall(_KEY) or "[]"))


@lru_cache(maxsize=2)
def _read_all(text: str) -> tuple[KnownPlayer, ...]:
    """Return the players of the store's text; kept, as each turn asks for one."""
    try:
        rows = json.loads(text)
    except ValueError:
        return ()
    if not isinstance(rows, list):
        return ()
    return tuple(_read(row) for row in rows if isinstance(row, dict) and row.get("name"))


def _read(row: dict[str, object]) -> KnownPlayer:
    level = next((known for known in LEVELS if known == row.get("help")), None)
    return KnownPlayer(str(row["name"]), str(row.get("colour") or ""), level)


def known_player(store: Store, name: str) -> KnownPlayer:
    """Return what is known of a name, of a new one nothing but the name."""
    found = (player for player in known_players(store) if player.name == name)
    return next(found, KnownPlayer(name))


def keep(store: Store, players: Iterable[KnownPlayer]) -> None:
    """Keep these players as the latest, in this order, in place of what was known of them."""
    latest = {player.name: player for player in players}
    others = [player for player in known_players(store) if player.name not in latest]
    _write(store, [*latest.values(), *others][:MOST])


def forget(store: Store, name: str) -> None:
    """Take a name off the list; the games stay."""
    _write(store, [player for player in known_players(store) if player.name != name])


def _write(store: Store, players: list[KnownPlayer]) -> None:
    rows = [{"name": p.name, "colour": p.colour, "help": p.help} for p in players]
    store.remember(_KEY, json.dumps(rows))


def seated(store: Store, seats: Iterable[tuple[str, str]]) -> None:
    """Keep those who sit down to a game, with the colour they play, but no made-up names."""
    people = [(name, colour) for name, colour in seats if not is_made_up(name)]
    if people:
        keep(store, [replace(known_player(store, name), colour=c) for name, c in people])
