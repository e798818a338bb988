"""A hub's identity: its id, its authority, the era of its database, its address for tables."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection

from club.store.certificates import KeyPair, make_authority
from club.store.database import Writing, get
from pi_app.link.contract import PORT, mark


def ensure_identity(writing: Writing) -> None:
    """Give a new database its id, its era and its authority."""
    if writing.get("hub"):
        return
    hub = secrets.token_hex(8)
    authority = make_authority(f"beisitzer club {hub[:4]}")
    writing.put("hub", hub)
    writing.put("era", secrets.token_hex(8))
    writing.put("ca_key", authority.key)
    writing.put("ca", authority.certificate)


def authority_of(connection: Connection) -> KeyPair:
    return KeyPair(get(connection, "ca_key"), get(connection, "ca"))


def note_place(writing: Writing, host: str, port: int, *, public: bool) -> None:
    """Store the hub's address for tables, and whether its certificate is public."""
    writing.put("host", host)
    writing.put("port", str(port))
    writing.put("public", "yes" if public else "")


def place_of(connection: Connection) -> dict[str, Any]:
    """Return the hub's address for tables, and the authority to pin, if it is our own."""
    authority = get(connection, "ca")
    return {
        "host": get(connection, "host", "localhost"),
        "port": int(get(connection, "port", str(PORT))),
        "ca_pem": None if get(connection, "public") else authority,
        "mark": mark(authority) if authority else "",  # empty before the hub's first start
        "hub": get(connection, "hub"),
    }
