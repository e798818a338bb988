"""Signs the organiser in: one password, and one device at a time.

Both are in the database, hashed, so that several processes that serve one club agree.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from club.evening.members import hash_token
from club.store.database import Writing, get, utc_text
from pi_app.link.contract import random_word

PASSWORD = "organiser_password"  # noqa: S105  # where its hash is kept
SESSION = "organiser_session"
LASTS = timedelta(hours=18)
"""How long a device stays signed in: an evening, and the morning after."""
GROUPS, IN_GROUP = 4, 4
MOST_LETTERS = 200
COST, BLOCK, WAYS = 2**14, 8, 1
"""Parameters of scrypt: 16 MiB and about a tenth of a second, half of one on a Pi."""


@dataclass(frozen=True, slots=True)
class DeviceSession:
    """The organiser's signed-in device."""

    token_hash: str
    device: str


def new_password() -> str:
    """Return a password of about 79 bits, in groups of four."""
    return "-".join(random_word(IN_GROUP) for _ in range(GROUPS))


def ensure_password(writing: Writing) -> str | None:
    """Set a password where there is none and return it; None if there is one."""
    if writing.get(PASSWORD):
        return None
    password = new_password()
    set_password(writing, password)
    return password


def set_password(writing: Writing, password: str) -> None:
    """Set another password; the organiser must enter it."""
    salt = secrets.token_bytes(16)
    parts = (str(COST), str(BLOCK), str(WAYS), salt.hex(), _digest(password, salt).hex())
    writing.put(PASSWORD, "$".join(("scrypt", *parts)))
    let_go(writing)


def _digest(
    password: str, salt: bytes, cost: int = COST, block: int = BLOCK, p: int = WAYS
) -> bytes:
    data = password.strip().encode(errors="replace")
    return hashlib.scrypt(data, salt=salt, n=cost, r=block, p=p, maxmem=2**28)


def is_right(kept: str, password: str) -> bool:
    """Tell whether a password matches the stored hash; takes a tenth of a second."""
    kind, *parts = kept.split("$")
    if kind != "scrypt" or len(password) > MOST_LETTERS:
        return False
    cost, block, ways, salt, digest = parts
    given = _digest(password, bytes.fromhex(salt), int(cost), int(block), int(ways))
    return hmac.compare_digest(given.hex(), digest)


def take_over(writing: Writing, device: str) -> str:
    """Sign a device in, in place of any other, and return its token."""
    token = secrets.token_urlsafe(32)
    session = {"hash": hash_token(token), "device": device, "since": utc_text()}
    writing.put(SESSION, json.dumps(session, ensure_ascii=False))
    writing.next("touched")  # makes the previous device's page refresh
    return token


def let_go(writing: Writing) -> None:
    writing.put(SESSION, "")
    writing.next("touched")


def session_of(connection: Connection) -> DeviceSession | None:
    """Return the organiser's device; None if nobody is signed in, or the session expired."""
    written = get(connection, SESSION)
    if not written:
        return None
    facts = json.loads(written)
    until = datetime.fromisoformat(facts["since"]) + LASTS
    if until.isoformat() < utc_text():
        return None
    return DeviceSession(facts["hash"], facts["device"])


def session_with(connection: Connection, token: str | None) -> DeviceSession | None:
    """Return the organiser's device if it has this token; None for any other token."""
    session = session_of(connection)
    if token is None or session is None:
        return None
    return session if hmac.compare_digest(session.token_hash, hash_token(token)) else None
