"""Renames people: lists show new names, files keep the names with which games were played.

A renaming has the number of the last game to which it applies, so that a later player with the old
name is another person. It can also make two names one person.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from engines.notation import TO_MOVE, Fault, correction
from engines.seating import player_pairs
from pi_app.store.game import NO_FACT, GameEntry, StoredGame
from pi_app.store.journal import Fact
from pi_app.texts.printable import printable_json

G = TypeVar("G", GameEntry, StoredGame)

NAMES = "names"
"""The key for the renamings, the earliest first."""
BOT_SEATS = "chairs"
"""The key of the note with the companion's seats, by player's name."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """`old` is called `new` in all games up to the number `last`."""

    old: str
    new: str
    last: int
    at: str
    """When it was renamed, in ISO format."""
    joined: bool
    """Whether somebody was called `new` before, so that two names became one person."""


def renamings_in(text: str) -> list[Renaming]:
    """Read renamings from the store's text; malformed ones are left out."""
    found = []
    with suppress(ValueError):
        for row in printable_json(text or "[]"):
            with suppress(TypeError, ValueError):
                old, new, last, at, joined = row
                found.append(Renaming(str(old), str(new), int(last), str(at), bool(joined)))
    return found


def text_of_renamings(renamings: Iterable[Renaming]) -> str:
    """Return the store's text; "" for none."""
    rows = list(map(astuple, renamings))
    return json.dumps(rows) if rows else ""


def new_names(renamings: Sequence[Renaming], game: GameEntry) -> dict[str, str]:
    """Return the new names of a game's people by the names in its file; {} if none changed."""
    names = {}
    for name in game.players:
        now = name
        for each in renamings:
            if each.old == now and game.id <= each.last:
                now = each.new
        if now != name:
            names[name] = now
    return names


def renamed(game: G, names: Mapping[str, str]) -> G:
    """Return a game in which people are called by these new names."""
    if not names:
        return game
    people = tuple(names.get(name, name) for name in game.players)
    tags = dict(game.tags)
    pairs = player_pairs(tags["Players"])
    tags["Players"] = ", ".join(f"{names.get(name, name)} {colour}" for name, colour in pairs)
    if "Start" in tags:
        tags["Start"] = names.get(tags["Start"], tags["Start"])
    facts = renamed_fact({"result": game.result, **game.notes}, game.players, names)
    result = facts.pop("result")
    entry = replace(game, players=people, tags=tags, result=result, notes=facts)
    if isinstance(entry, StoredGame):
        token = partial(_token, game.players, names)
        tokens, undone = map(token, entry.tokens), map(token, entry.undone)
        return replace(entry, tokens=tuple(tokens), undone=tuple(undone))
    return entry


def renamed_fact(fact: Fact, players: Sequence[str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a fact of a game of these players with other names in it."""
    changed = dict(fact)
    token = partial(_token, players, names)
    acts: dict[str, Callable[[Any], Any]] = {
        "move": token,
        "rewrite": lambda tokens: list(map(token, tokens)),
        "undone": lambda tokens: list(map(token, tokens)),
        "result": partial(_result, players, names),
        BOT_SEATS: partial(_bot_seats, names),
    }
    for key, act in acts.items():
        if changed.get(key):
            with suppress(*NO_FACT):
                changed[key] = act(changed[key])
    return changed


def _token(players: Sequence[str], names: Mapping[str, str], token: str) -> str:
    """Return a move with other names; only corrections contain a name."""
    try:
        text, seat = correction(token, players) or ("", None)
    except Fault:
        return token
    if seat is None or players[seat] not in names:
        return token
    return f"<{text}; {TO_MOVE}{names[players[seat]]}>"


def _result(players: Sequence[str], names: Mapping[str, str], result: Any) -> Any:
    """Return a result with other names for winners, and in mappings by player."""
    changed = {
        key: {names.get(name, name): each for name, each in value.items()}
        if isinstance(value, Mapping) and set(value) <= set(players)
        else value
        for key, value in result.items()
    }
    return {**changed, "winners": [names.get(name, name) for name in result["winners"]]}


def _bot_seats(names: Mapping[str, str], seats: Any) -> Any:
    """Return the companion's seats by other names; a note of an entry is a text."""
    if isinstance(seats, str):
        return json.dumps(_bot_seats(names, json.loads(seats)))
    return {names.get(name, name): seat for name, seat in seats.items()}
