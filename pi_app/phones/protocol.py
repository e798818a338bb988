"""What both ends of the socket hold to: where it is, its lines, what may be asked, what is refused.

docs/remote.md has the lines to the letter.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_app.texts.language import Texts
from pi_app.texts.printable import printable_data

VARIABLE = "BEISITZER_REMOTE"
"""Names the socket's file for whoever runs with another runtime directory."""

NAME = "remote.sock"

VERSION = 1
"""Of the lines; the first one says it."""
MOST_REQUEST = 8 * 1024
"""Bytes of a line that a client may send, its line feed included."""
MOST_LINE = 256 * 1024
"""Bytes of a line that the companion sends at most, its line feed included."""
MOST_ID = 64
MOST_NUMBER = 2**53
"""Numbers are whole and below this: a browser knows no larger ones."""

Answered = Mapping[str, Any]
"""What a request is answered with: `ok` and facts, or `error` and a sentence."""
Reply = Callable[[Answered], None]
"""Takes the answer, from any thread."""
Lines = Callable[[], Mapping[str, Any]]
"""Makes a line, as soon as somebody is to read it."""


# --- where both ends meet


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the socket's file: the named one, the service's, the user's, else beside the log."""
    if named := environ.get(VARIABLE):
        return Path(named)
    if service := environ.get("RUNTIME_DIRECTORY"):
        return Path(service.partition(":")[0]) / NAME
    if user := environ.get("XDG_RUNTIME_DIR"):
        return Path(user) / "beisitzer" / NAME
    import platformdirs

    return platformdirs.user_state_path("beisitzer", appauthor=False) / NAME


def socket_mode(environ: Mapping[str, str] = os.environ) -> int:
    """Return who may open it: the service's group, else its owner alone."""
    return 0o660 if environ.get("RUNTIME_DIRECTORY") else 0o600


# --- what may be asked


@dataclass(frozen=True, slots=True)
class Field:
    """A text of at most `most` characters, or a whole number from 0 on where that is 0.

    A request may leave out a field with a default.
    """

    most: int = 0
    default: str | int | None = None

    def check(self, name: str, value: object) -> None:
        """Raise BadRequestError for a value that does not fit."""
        if self.most and not (isinstance(value, str) and len(value) <= self.most):
            raise BadRequestError(f"{name} must be a text of at most {self.most} characters")
        if not self.most and not (type(value) is int and 0 <= value < MOST_NUMBER):
            raise BadRequestError(f"{name} must be a whole number from 0 on")


_TOKEN = {"token": Field(128, "")}
_TAB = {"tab": Field(32, "")}
_ONCE = _TOKEN | _TAB | {"epoch": Field(64), "n": Field()}
_SEAT = _TOKEN | {"seat": Field()}
_CARDS = _SEAT | {"cards": Field(200)}
_PICKED = {"picked": Field(200, ""), "cell": Field(32, "")}

REQUESTS: Mapping[str, Mapping[str, Field]] = {
    "who": _TOKEN | _TAB,
    "pair": _TOKEN | _TAB | {"code": Field(16), "name": Field(64), "called": Field(64, "")},
    "rename": _TOKEN | {"name": Field(64)},
    "key": _ONCE | {"key": Field(32, ""), "tap": Field(32, "")},
    "play": _ONCE | {"seat": Field(), "move": Field(200)},
    "undo": _ONCE | {"seat": Field()},
    "seats": _TOKEN,
    "claim": _SEAT | {"over": Field(default=0)},
    "release": _SEAT,
    "hand": _CARDS | _PICKED,
    "tip": _CARDS,
    "history": {"page": Field(default=0)},
    "game": {"game": Field()},
    "statistics": {"game": Field(64, "")},
}
"""Every request and its fields, by their names."""


class BadRequestError(ValueError):
    """Something that is no request; the text says why, `id` is the request's where it has one."""

    def __init__(self, why: str, identity: str = "") -> None:
        super().__init__(why)
        self.id = identity


@dataclass(frozen=True, slots=True)
class Request:
    """One line of a client; `facts` has each field of its kind."""

    kind: str
    id: str
    facts: Mapping[str, Any]


def facts_of(kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request, without others; BadRequestError where one does not fit."""
    if kind not in REQUESTS:
        raise BadRequestError("there is no such request")
    facts = {name: given.get(name, field.default) for name, field in REQUESTS[kind].items()}
    for name, field in REQUESTS[kind].items():
        field.check(name, facts[name])
    return facts


def read_request(line: bytes) -> Request:
    """Read one line without its line feed; BadRequestError where it is no request."""
    if len(line) >= MOST_REQUEST:
        raise BadRequestError(f"a line has at most {MOST_REQUEST} bytes")
    try:
        found = read_object(line)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("this line is no JSON object") from error
    identity, kind = found.get("id"), found.get("kind")
    if not isinstance(identity, str) or len(identity) > MOST_ID:
        raise BadRequestError(f"id must be a text of at most {MOST_ID} characters")
    try:
        facts = printable_data(facts_of(str(kind), found))
        return Request(str(kind), identity, facts)
    except BadRequestError as error:
        error.id = identity
        raise


def read_object(text: bytes | bytearray) -> dict[str, Any]:
    """Return a JSON object; ValueError or RecursionError for anything else."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("this is no object")  # noqa: TRY004  # what json raises too
    return found


def line_of(value: Mapping[str, Any], most: int = MOST_LINE) -> bytes:
    """Return an object as a line; ValueError where it is longer than a line may be."""
    line = json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > most:
        raise ValueError(f"a line of {len(line)} bytes is too long")
    return line


# --- what is refused


def _elsewhere_keyed(tx: Texts) -> str:
    return tx("page", "This was keyed in another window of this browser: reload it.")


def _too_much(tx: Texts) -> str:
    return tx("page", "That was too much at once. Try again in a moment.")


def _unreadable(tx: Texts) -> str:
    return tx("page", "This cannot be read. Load the page again.")


_REFUSALS: Mapping[str, tuple[int, Callable[[Texts], str]]] = {
    # the companion's
    "unpaired": (
        401,
        lambda tx: tx("page", "This browser is not paired: System, Phone at the table shows how."),
    ),
    "wrong": (403, lambda tx: tx("page", "This is not the code on show.")),
    "wait": (403, lambda tx: tx("page", "Wait a moment before you try again.")),
    "closed": (
        403,
        lambda tx: tx("page", "No code is on show: choose System, Phone at the table."),
    ),
    "epoch": (
        409,
        lambda tx: tx("page", "The companion was restarted: what was not confirmed is gone."),
    ),
    "n": (409, _elsewhere_keyed),
    "old": (409, _elsewhere_keyed),
    "busy": (429, _too_much),
    "claimed": (409, lambda tx: tx("page", "Somebody else has this seat.")),
    "unclaimed": (409, lambda tx: tx("page", "Take your seat first.")),
    "moved": (409, lambda tx: tx("page", "Somebody has moved since: take it back at the table.")),
    "turn": (409, lambda tx: tx("page", "It is somebody else's turn.")),
    "elsewhere": (
        409,
        lambda tx: tx("page", "The table is busy with something else: go back to the game there."),
    ),
    "illegal": (409, _unreadable),
    "cards": (400, lambda tx: tx("page", "These cards cannot be a hand.")),
    "help": (400, lambda tx: tx("page", "Your level of help gives no tips.")),
    "none": (404, lambda tx: tx("page", "There is no such thing at the table.")),
    "bad": (400, _unreadable),
    "long": (413, _unreadable),
    "fault": (
        500,
        lambda tx: tx("page", "This failed: beisitzer report collects what helps to mend it."),
    ),
    # those of the pages' process
    "away": (
        503,
        lambda tx: tx("page", "The companion does not answer. Is it switched on?"),
    ),
    "host": (
        403,
        lambda tx: tx("page", "Open the address that the companion shows: this is not its name."),
    ),
    "network": (403, lambda tx: tx("page", "Join the network that the companion is in.")),
    "origin": (403, lambda tx: tx("page", "Only the companion's own pages may ask for this.")),
    "rate": (429, _too_much),
    "missing": (404, lambda tx: tx("page", "There is no such page here.")),
    "method": (405, _unreadable),
    "slow": (408, _unreadable),
    "type": (415, _unreadable),
}
"""Why something is refused: the status that a browser gets, and the sentence.

The referee has a sentence of its own for a move that is `illegal`.
"""


def refused(tx: Texts, code: str, **more: object) -> Answered:
    """Return the answer to what was not carried out, in the table's language."""
    return {"error": code, "text": _REFUSALS[code][1](tx), **more}


def status_of(code: str) -> int:
    """Return the HTTP status of a refusal."""
    return _REFUSALS[code][0] if code in _REFUSALS else 400
