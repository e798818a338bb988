"""The protocol of the companion's socket: where it is, its lines, requests and errors.

docs/remote.md describes every line.
"""

import json
import os
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_app.texts.language import Texts
from pi_app.texts.printable import printable_data

VARIABLE = "BEISITZER_REMOTE"
"""The environment variable that names another file for the socket."""

NAME = "remote.sock"

VERSION = 2
"""The protocol's version, which the first line says."""
MOST_REQUEST = 8 * 1024
"""The most bytes of a client's line, its line feed included."""
MOST_LINE = 256 * 1024
"""The most bytes of the companion's line, its line feed included."""
MOST_ID = 64
"""The most characters of a request's `id`."""
LINK = "link"
"""The request that asks for the link's place."""
_PEER = struct.Struct("3i")
"""What the kernel says of who is on the other end: process, user, group."""
MOST_NUMBER = 2**53
"""Numbers are below this: from here on JavaScript cannot tell neighbouring whole numbers apart."""

Answered = Mapping[str, Any]
"""The answer to a request: `ok` and facts, or `error` and a sentence."""
Reply = Callable[[Answered], None]
"""Takes the answer, from any thread."""
Lines = Callable[[], Mapping[str, Any]]
"""Makes a line when somebody is there to read it."""


# --- the socket


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the socket's file: the named one, the service's, the user's, else next to the log."""
    if named := environ.get(VARIABLE):
        return Path(named)
    if service := environ.get("RUNTIME_DIRECTORY"):
        return Path(service.partition(":")[0]) / NAME
    if user := environ.get("XDG_RUNTIME_DIR"):
        return Path(user) / "beisitzer" / NAME
    import platformdirs

    return platformdirs.user_state_path("beisitzer", appauthor=False) / NAME


def socket_mode(environ: Mapping[str, str] = os.environ) -> int:
    """Return the permissions of the socket's file: for the service's group, else for its owner."""
    return 0o660 if environ.get("RUNTIME_DIRECTORY") else 0o600


# --- requests


@dataclass(frozen=True, slots=True)
class Field:
    """A text of at most `most` characters; with `most` 0 a whole number from 0 on.

    A request may leave out a field with a default.
    """

    most: int = 0
    default: str | int | None = None

    def check(self, name: str, value: object) -> None:
        """Raise BadRequestError for a value that does not fit."""
        if self.most and not (isinstance(value, str) and len(value) <= self.most):
            raise BadRequestError(f"{name} must be a text of at most {self.most} characters")
        # not isinstance: True is an int as well
        if not self.most and not (type(value) is int and 0 <= value < MOST_NUMBER):
            raise BadRequestError(f"{name} must be a whole number from 0 on")


_TOKEN = {"token": Field(128, "")}
_TAB = {"tab": Field(32, "")}
# "n" numbers a tab's requests, so that a repeated one is carried out once
# "seen" is the number of the frame or position that the page showed when it was touched, "epoch"
# the companion's run: a request that is older than the table's state is refused
_NOW = {"epoch": Field(64), "seen": Field()}
_ONCE = _TOKEN | _TAB | _NOW | {"n": Field()}
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
    "claim": _SEAT | _NOW | {"over": Field(default=0)},
    "release": _SEAT | _NOW,
    "hand": _CARDS | _PICKED,
    "tip": _CARDS | _NOW,
    "history": _TOKEN | {"page": Field(default=0)},
    "game": _TOKEN | {"game": Field()},
    "statistics": _TOKEN | {"game": Field(64, "")},
    "moments": _TOKEN | {"name": Field(64, "")},
    "answer": _TOKEN
    | {"name": Field(64), "game": Field(), "move": Field(), "asked": Field(), "played": Field(64)},
    "networks": _TOKEN,
    "look": _TOKEN,
    "join": _TOKEN | {"name": Field(64), "password": Field(64, ""), "security": Field(16)},
    "forget": _TOKEN | {"name": Field(64)},
}
"""Every request and its fields, by their names."""
OPEN = frozenset({"who", "pair", "seats"})
"""The requests that any browser may send; all others need the token of a paired browser."""


class BadRequestError(ValueError):
    """A line is not a request; the text says why, `id` is the line's `id` or ""."""

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
    """Return the fields of a request, without others; BadRequestError if one is not valid."""
    if kind not in REQUESTS:
        raise BadRequestError("there is no such request")
    facts = {name: given.get(name, field.default) for name, field in REQUESTS[kind].items()}
    for name, field in REQUESTS[kind].items():
        field.check(name, facts[name])
    return facts


def read_request(line: bytes) -> Request:
    """Read one line without its line feed; BadRequestError if it is not a request."""
    if len(line) >= MOST_REQUEST:  # with its line feed it is longer than allowed
        raise BadRequestError(f"a line has at most {MOST_REQUEST} bytes")
    try:
        fields = read_object(line)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("this line is no JSON object") from error
    identity, kind = fields.get("id"), fields.get("kind")
    if not isinstance(identity, str) or len(identity) > MOST_ID:
        raise BadRequestError(f"id must be a text of at most {MOST_ID} characters")
    try:
        # a kind that is no text becomes one that no request has
        facts = printable_data(facts_of(str(kind), fields))
        return Request(str(kind), identity, facts)
    except BadRequestError as error:
        error.id = identity
        raise


def read_object(text: bytes | bytearray) -> dict[str, Any]:
    """Return a JSON object; ValueError or RecursionError for anything else."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("this is no object")  # noqa: TRY004  # what json raises too
    return value


def read_link_request(line: bytes) -> Answered | None:
    """Return a line as a request, None if it is none."""
    try:
        asked = read_object(line)
    except (ValueError, RecursionError):
        return None
    identity = asked.get("id")
    is_request = isinstance(identity, str) and len(identity) <= MOST_ID
    if not is_request or not isinstance(asked.get("kind"), str):
        return None
    return asked


def user_of(connection: socket.socket) -> int:
    """Return the user whose process is on the other end, as the kernel knows it."""
    if not hasattr(socket, "SO_PEERCRED"):  # elsewhere than on Linux the file's mode decides
        return os.getuid()
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(data)
    return int(user)


def line_of(value: Mapping[str, Any], most: int = MOST_LINE) -> bytes:
    """Return an object as a line; ValueError if it is longer than `most`."""
    line = json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > most:
        raise ValueError(f"a line of {len(line)} bytes is too long")
    return line


# --- errors


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
    "wrong": (403, lambda tx: tx("page", "This is not the code on show. Each one lasts a minute.")),
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
    "stale": (409, lambda tx: tx("page", "The table has moved on: this was not done.")),
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
    "no-wifi": (
        503,
        lambda tx: tx("page", "The table cannot do anything about its Wi-Fi now."),
    ),
    "argument-wifi": (400, lambda tx: tx("page", "A password has 8 to 63 characters.")),
    "stays": (
        409,
        lambda tx: tx("page", "The table is to stay in its own Wi-Fi: System, Own Wi-Fi there."),
    ),
    "house": (
        409,
        lambda tx: tx("page", "This Wi-Fi belongs to the house: a phone cannot forget it."),
    ),
    "none": (404, lambda tx: tx("page", "There is no such thing at the table.")),
    "off": (403, lambda tx: tx("page", "Phones are switched off at the table.")),
    # the link's: it knows them by their codes
    "forbidden": (403, _unreadable),
    "taken": (409, _unreadable),
    "hub": (409, _unreadable),
    "store": (409, _unreadable),
    "trouble": (503, _unreadable),
    "bad": (400, _unreadable),
    "long": (413, _unreadable),
    "fault": (
        500,
        lambda tx: tx("page", "This failed: beisitzer report collects what helps to mend it."),
    ),
    # errors of the process that serves the pages
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
"""For each error its HTTP status and its sentence; an `illegal` move has the referee's sentence."""


def refused(tx: Texts, code: str, **more: object) -> Answered:
    """Return the answer to a refused request, in the table's language."""
    return {"error": code, "text": _REFUSALS[code][1](tx), **more}


def status_of(code: str) -> int:
    """Return the HTTP status of an error."""
    return _REFUSALS[code][0] if code in _REFUSALS else 400
