"""The lines on the socket: one JSON object each, as docs/remote.md has them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pi_app.files.remote_socket import MOST_LINE

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
