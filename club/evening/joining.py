"""Lets tables join with a code: for half an hour, and not for whoever guesses."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections.abc import Callable

from club.evening.members import add_table
from club.store.database import Writing

OPEN_S = 30 * 60
"""How long a code is good; any number of tables may use it."""
DIGITS = 6
CLOSED_S = 60
"""How long a wrong code counts against its address."""
MOST_WRONG = 5
"""Wrong codes within CLOSED_S after which an address cannot join."""
MOST_WRONG_OF_ALL = 50
"""The limit for all addresses together: too few guesses to find a code within OPEN_S."""


class JoinError(Exception):
    """A table may not join: `code` is `not-open`, `closed` (too many wrong codes) or `wrong`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def open_joining(writing: Writing, who: str, now: Callable[[], float] = time.time) -> str:
    """Let tables join with a new code, and return it."""
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    writing.put("join_code", code)
    writing.put("join_until", str(now() + OPEN_S))
    writing.put("join_guesses", "[]")
    writing.act(who, "open-joining")
    return code


def end_joining(writing: Writing, who: str) -> None:
    """Let no table join any more."""
    writing.put("join_code", "")
    writing.act(who, "end-joining")


def join(
    writing: Writing, code: str, where: str, now: Callable[[], float] = time.time
) -> tuple[str, str] | JoinError:
    """Let a table join; return its id and password, or why it may not.

    `where` is the address that a wrong code counts against (`counted_address`). The transaction
    must be committed after a wrong code too, or it is not counted.
    """
    right, moment = writing.get("join_code"), now()
    if not right or moment > float(writing.get("join_until", "0")):
        return JoinError("not-open")
    wrong = [
        each
        for each in json.loads(writing.get("join_guesses", "[]"))
        if moment - each[0] < CLOSED_S
    ]
    of_this_one = sum(address == where for _, address in wrong)
    if of_this_one >= MOST_WRONG or len(wrong) >= MOST_WRONG_OF_ALL:
        return JoinError("closed")
    if not hmac.compare_digest(code.encode("utf-8", "replace"), right.encode()):
        writing.put("join_guesses", json.dumps([*wrong, (moment, where)]))
        writing.act(where, "wrong-code")
        return JoinError("wrong")
    return add_table(writing, where, joined=True)
