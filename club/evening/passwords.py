"""Signs the organiser in: one password, and one device at a time.

Both are in the database, hashed, so that several processes that serve one club agree. Both are
random and long: nobody finds them by trying hashes, so that a quick hash is enough.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from club.evening.members import hash_token
from club.store.database import Writing, get, utc_text
from pi_app.link.contract import random_word

PASSWORD = "organiser_password"  # noqa: S105  # where its hash is kept
SESSION = "organiser_session"
LASTS = timedelta(hours=18)
"""How long a device stays signed in: an evening, and the morning after."""
GROUPS, IN_GROUP = 4, 4
"""A password has about 79 bits, in groups of four letters."""


def set_password(writing: Writing) -> str:
    """Set a new password and return it; the present organiser has to say it too."""
    password = "-".join(random_word(IN_GROUP) for _ in range(GROUPS))
    writing.put(PASSWORD, hash_token(password))
    let_go(writing)
    return password


def is_password(connection: Connection, password: str) -> bool:
    return hmac.compare_digest(get(connection, PASSWORD), hash_token(password.strip()))


def take_over(writing: Writing) -> str:
    """Sign a device in, in place of any other, and return its token."""
    token = secrets.token_urlsafe(32)
    writing.put(SESSION, f"{hash_token(token)} {utc_text()}")
    writing.next("touched")  # makes the previous device's page refresh
    return token


def let_go(writing: Writing) -> None:
    writing.put(SESSION, "")
    writing.next("touched")


def session_of(connection: Connection) -> str:
    """Return the hash of the organiser's token; "" if nobody is, or was for too long."""
    hashed, _, since = get(connection, SESSION).partition(" ")
    is_over = not since or datetime.fromisoformat(since) + LASTS < datetime.now(UTC)
    return "" if is_over else hashed


def is_organiser(connection: Connection, token: str | None) -> bool:
    """Tell whether a token is that of the organiser's device."""
    return token is not None and hmac.compare_digest(session_of(connection), hash_token(token))
