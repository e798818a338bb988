"""Takes in what tables say that they do now; nothing of it is a result."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import insert, update

from club.store.database import Writing
from club.store.schema import table_states
from pi_app.link.contract import ContractError, compact, read_payload
from pi_app.link.protocol import TableState

LEAF = "state"
"""The rest of the topic."""


def state_gist(data: bytes) -> bytes | None:
    """Return what the organiser needs of a state: it changes some times a game, not with each turn.

    None if it is no state of the contract.
    """
    try:
        facts = TableState.read(read_payload(data)).facts()
    except ContractError:
        return None
    return compact({name: facts[name] for name in ("game", "phase", "players", "assignment")})


def note_state(writing: Writing, table: str, data: bytes) -> None:
    """Note a table's state; ContractError if it is none."""
    gist = state_gist(data)
    if gist is None:
        raise ContractError("it is no state")
    values: dict[str, Any] = {"facts": gist.decode(), "at": writing.now}
    changed = writing.connection.execute(
        update(table_states).where(table_states.c.table_id == table).values(**values)
    )
    if not changed.rowcount:
        writing.connection.execute(insert(table_states).values(table_id=table, **values))


def read_state(text: str) -> TableState:
    """Return what was noted."""
    return TableState.read({"waiting": 0, **json.loads(text)})
