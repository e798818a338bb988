"""Who a hub is: its id, its authority, its secrets, and where its tables reach it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from club.evening.members import broker_hash, new_password
from club.hub.certificates import KeyPair, fingerprint, make_authority
from club.store.database import Writing, get


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where tables reach the broker, and the authority that they pin ("": the system's)."""

    host: str
    port: int
    authority: str

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.authority) if self.authority else ""

    def access(self, user: str, password: str, hub: str) -> dict[str, Any]:
        """Return what a table needs to connect, as the contract has it."""
        return {
            "host": self.host,
            "port": self.port,
            "user": user,
            "password": password,
            "ca_pem": self.authority,
            "fingerprint": self.fingerprint,
            "hub": hub,
        }


def ensure_identity(writing: Writing) -> None:
    """Give a new database its id, its authority and its secrets."""
    if writing.get("hub"):
        return
    hub = secrets.token_hex(8)
    authority = make_authority(f"beisitzer club {hub[:4]}")
    writing.put("hub", hub)
    writing.put("generation", secrets.token_hex(8))
    writing.put("ca_key", authority.key)
    writing.put("ca", authority.certificate)
    password = new_password()
    writing.put("hub_password", password)
    writing.put("hub_hash", broker_hash(password))


def authority_of(connection: Connection) -> KeyPair:
    return KeyPair(get(connection, "ca_key"), get(connection, "ca"))


def note_place(writing: Writing, place: BrokerAddress) -> None:
    """Note where tables reach the broker of the hub that takes in."""
    writing.put("host", place.host)
    writing.put("port", str(place.port))
    writing.put("broker_ca", place.authority)


def place_of(connection: Connection) -> BrokerAddress | None:
    """Return where tables reach the broker; None if no hub was ever started."""
    host = get(connection, "host")
    if not host:
        return None
    return BrokerAddress(host, int(get(connection, "port")), get(connection, "broker_ca"))
