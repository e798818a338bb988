"""What both ends of the socket hold to: where it is, its lines, and why a request is refused.

docs/remote.md has the lines to the letter.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_app.texts.language import Texts

VARIABLE = "BEISITZER_REMOTE"
"""Names the socket's file for whoever runs with another runtime directory."""

NAME = "remote.sock"

VERSION = 1
"""Of the lines; the first one says it."""
MOST_REQUEST = 8 * 1024
"""Bytes of a line that a client may send, its line feed included."""
MOST_LINE = 256 * 1024
"""Bytes of a line that the companion sends at most, its line feed included."""


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


def switch_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file that is there while phones are let in: systemd follows it. None without."""
    folder = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(folder, "web.on") if folder else None


def socket_mode(environ: Mapping[str, str] = os.environ) -> int:
    """Return who may open it: the service's group, else its owner alone."""
    return 0o660 if environ.get("RUNTIME_DIRECTORY") else 0o600


MOST_ID = 64
MOST_NUMBER = 2**53
"""Numbers are whole and below this: a browser knows no larger ones."""

Answered = Mapping[str, Any]
"""What a request is answered with: `ok` and facts, or `error` and a sentence."""
Reply = Callable[[Answered], None]
"""Takes the answer, from any thread."""


Lines = Callable[[], Mapping[str, Any]]
"""Makes a line, as soon as somebody is to read it."""


class BadRequestError(ValueError):
    """A line that is no request; the text says why, `id` is the request's where it has one."""

    def __init__(self, why: str, identity: str = "") -> None:
        super().__init__(why)
        self.id = identity


@dataclass(frozen=True, slots=True)
class Request:
    """One line of a client; its fields are looked at when they are asked for."""

    kind: str
    id: str
    fields: Mapping[str, Any]

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """Return a text of at most so many characters; BadRequestError if it is none."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise BadRequestError(f"{name} must be a text of at most {most} characters", self.id)
        return value

    def number(self, name: str, default: int | None = None) -> int:
        """Return a whole number from 0 on; BadRequestError if it is none."""
        value = self.fields.get(name, default)
        if type(value) is not int or not 0 <= value < MOST_NUMBER:
            raise BadRequestError(f"{name} must be a whole number from 0 on", self.id)
        return value


def read_request(line: bytes) -> Request:
    """Read one line without its line feed; BadRequestError where it is no request."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("this line is no JSON") from error
    if not isinstance(found, dict):
        raise BadRequestError("a request is an object")
    identity, kind = found.get("id"), found.get("kind")
    if not isinstance(identity, str) or len(identity) > MOST_ID:
        raise BadRequestError(f"id must be a text of at most {MOST_ID} characters")
    if not isinstance(kind, str):
        raise BadRequestError("kind must be a text", identity)
    return Request(kind, identity, found)


def line_of(value: Mapping[str, Any]) -> bytes:
    """Return an object as a line; ValueError where it is longer than a line may be."""
    line = json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > MOST_LINE:
        raise ValueError(f"a line of {len(line)} bytes is too long")
    return line


_SENTENCES: Mapping[str, Callable[[Texts], str]] = {
    "unpaired": lambda tx: tx(
        "page", "This browser is not paired: System, Phone at the table shows how."
    ),
    "epoch": lambda tx: tx(
        "page", "The companion was started anew: what was not confirmed is gone."
    ),
    "n": lambda tx: tx("page", "This was keyed in another window of this browser: reload it."),
    "old": lambda tx: tx("page", "This was keyed in another window of this browser: reload it."),
    "busy": lambda tx: tx("page", "The companion is busy: try again."),
    "wrong": lambda tx: tx("page", "This is not the code on show."),
    "wait": lambda tx: tx("page", "Wait a moment before you try again."),
    "closed": lambda tx: tx("page", "No code is on show: choose System, Phone at the table."),
    "claimed": lambda tx: tx("page", "Somebody else has this seat."),
    "unclaimed": lambda tx: tx("page", "Take your seat first."),
    "turn": lambda tx: tx("page", "It is somebody else's turn."),
    "elsewhere": lambda tx: tx(
        "page", "The table is busy with something else: go back to the game there."
    ),
    "none": lambda tx: tx("page", "There is no such thing at the table."),
    "cards": lambda tx: tx("page", "These cards cannot be a hand."),
    "help": lambda tx: tx("page", "Your level of help gives no tips."),
    "fault": lambda tx: tx("page", "This failed: beisitzer report collects what helps to mend it."),
}


def sentence(tx: Texts, error: str) -> str:
    """Say in one sentence why a request was not carried out."""
    said = _SENTENCES.get(error)
    return said(tx) if said else tx("page", "The companion does not understand this.")
