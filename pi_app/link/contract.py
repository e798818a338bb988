"""The messages between a table's link and a club's hub by HTTPS, and marks to compare.

docs/link.md describes each request. Both sides use these messages; nothing here opens a network.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections.abc import Mapping
from dataclasses import field, replace
from hashlib import sha256
from typing import Annotated, Any, Literal, Self

from pi_app.wire.messages import Count, Items, Message, MessageError, Number, String, Whole, Word

VERSION = 2
"""The `v` of every body, and the number in the addresses."""
ROOT = f"/api/{VERSION}"
BATCH_RESULTS = 40
"""The most results in one request."""
BATCH_LIMIT_BYTES = 1024 * 1024
RECORD_LIMIT_BYTES = 65_536
PORT = 8443
SEATS = 12
NAME_LIMIT = 80
"""Characters of a person's name."""
SAY_LIMIT = 200
TIME = "time"
"""The reason of a game that ended with its round."""
CODE_DIGITS = 6
MARK_DIGITS = 20
"""Digits of an authority's mark: forging an authority with the same 80 bits is infeasible."""
PEM_LIMIT = 8_000
"""Characters of an authority's certificate; those of hubs have some 700."""
PERSON_DIGITS = 9

NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which Python has no name."""

TABLE_PATTERN = "[a-z0-9-]{8,23}"
TableId = Annotated[str, String(23, pattern=TABLE_PATTERN, raw=True)]
GameId = Annotated[str, String(64, pattern="[A-Za-z0-9_-]{16,64}", raw=True)]
REVISION_LIMIT = 2**31 - 1
RevisionNumber = Annotated[int, Whole(0, REVISION_LIMIT)]
Short = Annotated[str, String(40)]
"""`p`, `evening`, `reason`, `why`."""
OfferState = Literal["offered", "started", "refused"]
_PEM = re.compile(
    r"\s*-----BEGIN CERTIFICATE-----\s*([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*"
)


def body(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object of a request or an answer, with its version."""
    return {"v": VERSION, **facts}


# --- joining


class JoinAsked(Message):
    code: Annotated[str, String(CODE_DIGITS, pattern=r"\d{6}", raw=True)] = field(repr=False)
    nonce: Word
    software: Short = ""


class JoinAnswer(Message):
    table: TableId
    token: Annotated[str, String(128, pattern=r"[!-~]{16,128}", raw=True)] = field(repr=False)
    hub: Word
    club: Annotated[str, String(NAME_LIMIT, cut=True)]
    ca_pem: Annotated[str, String(PEM_LIMIT, raw=True)] | None


# --- requests


class HelloAsked(Message):
    boot: Word
    software: Short = ""
    waiting: Number = 0


class HelloAnswer(Message):
    """`had` and `has`: how many revisions of this table the hub held before and after."""

    hub: Word
    era: Word
    had: Number
    has: Number


class Verdict(Message):
    """The hub's verdict on a revision; `highest` is the highest one that it holds."""

    game_id: GameId
    revision: RevisionNumber
    verdict: Literal["counted", "known", "kept", "disputed", "locked", "refused"]
    why: Short | None = None
    highest: RevisionNumber | None = None

    @property
    def counts(self) -> bool:
        return self.verdict in ("counted", "known") and self.why != "older"


class ResultsAnswer(Message):
    era: Word
    had: Number
    has: Number
    verdicts: Annotated[tuple[Verdict, ...], Items(BATCH_RESULTS)]


class AssignmentAnswer(Message):
    """The table's answer to an assignment."""

    evening: Short
    round: Count
    rev: Number
    answer: OfferState


class TableTurn(Message):
    """The seat to move, from 1 on, and its colour by name, at home also as `#rrggbb`."""

    seat: Annotated[int, Whole(1, SEATS)]
    colour: Word
    hex: Word | None = None


class TableState(Message):
    """A table's state now."""

    game: Word | None = None
    phase: Literal["idle", "playing", "over"] = "idle"
    turn: TableTurn | None = None
    players: Annotated[int, Whole(0, SEATS)] = 0
    waiting: Number = 0
    assignment: AssignmentAnswer | None = None


# --- news


class EraNews(Message):
    era: Word


class AssignedSeat(Message):
    """A seat of an assignment, counted from 1; `p` is None for somebody without a number."""

    seat: Count
    p: Short | None = None
    show: Annotated[str, String(NAME_LIMIT, cut=True)] | None = None
    team: Number | None = None


class Assignment(Message):
    """The people and the game of this table in a round; with `round` None nothing is assigned."""

    rev: Number
    evening: Short | None = None
    round: Count | None = None
    game: Word | None = None
    rules: Annotated[str, String(SAY_LIMIT, cut=True)] | None = None
    board: Word | None = None
    seats: Annotated[tuple[AssignedSeat, ...], Items(SEATS)] = ()

    @classmethod
    def read(cls, facts: object) -> Self:
        """Return an assignment; MessageError if an assignment for a round is incomplete."""
        read = super().read(facts)
        if read.round is None:
            return read
        if sorted(seat.seat for seat in read.seats) != [*range(1, len(read.seats) + 1)]:
            raise MessageError("seats must be numbered from 1 on")
        if not read.seats or read.evening is None or read.game is None:
            raise MessageError("a round has seats, an evening and a game")
        return replace(read, seats=tuple(sorted(read.seats, key=lambda seat: seat.seat)))

    @property
    def people(self) -> tuple[str | None, ...]:
        """The numbers of the people by their seats."""
        return tuple(seat.p for seat in self.seats)


class Say(Message):
    """A text to show and say once, within `for_s` seconds."""

    id: Word
    text: Annotated[str, String(SAY_LIMIT, cut=True)]
    for_s: Annotated[int, Whole(1, 24 * 3600)] = 600


# --- random words, people and authorities


def random_word(length: int) -> str:
    """Return random letters and digits, without easily confused ones."""
    return "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(length))


def person(keyed: str) -> str | None:
    """Return `p17` for a number that was keyed in place of a name (`17`, `p017`), else None."""
    number = keyed.strip().lower().removeprefix("p")
    is_number = number.isascii() and number.isdigit() and len(number) <= PERSON_DIGITS
    return f"p{int(number)}" if is_number else None


def one_certificate(pem: str) -> str:
    """Return a certificate's PEM as this program writes it; MessageError unless it is exactly one.

    So the compared certificate is the one trusted later.
    """
    text = base64.b64encode(_der(pem)).decode("ascii")
    rows = "\n".join(text[at : at + 64] for at in range(0, len(text), 64))
    return f"-----BEGIN CERTIFICATE-----\n{rows}\n-----END CERTIFICATE-----\n"


def fingerprint(pem: str) -> str:
    """Return the SHA-256 of an authority's certificate in hexadecimal."""
    return sha256(_der(pem)).hexdigest()


def mark(pem: str) -> str:
    """Return an authority's mark, for comparing: the first digits of its SHA-256, in fours."""
    digits = fingerprint(pem)[:MARK_DIGITS]
    return " ".join(digits[at : at + 4] for at in range(0, MARK_DIGITS, 4))


def _der(pem: str) -> bytes:
    found = _PEM.fullmatch(pem) if len(pem) <= PEM_LIMIT else None
    if found is None:
        raise MessageError("this is not one certificate")
    try:
        return base64.b64decode("".join(found[1].split()), validate=True)
    except binascii.Error as error:
        raise MessageError("this is not one certificate") from error
