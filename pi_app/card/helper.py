"""Asks root's helper (`systemd/helper.py`) for one of its calls."""

import json
import socket
from pathlib import Path
from typing import Annotated, Any

from pi_app.system.host import HELPER_SOCKET
from pi_app.wire.messages import Message, MessageError, String, read_object

ANSWER_LIMIT_BYTES = 1 << 20


class HelperDone(Message):
    ok: dict[str, Any]


class HelperRefusal(Message):
    """The code of a refused call; other keys have the details."""

    error: Annotated[str, String(64)]


class CardError(Exception):
    """Something about the machine, its card or a stick failed; the `code` says what."""

    def __init__(self, code: str, *details: object) -> None:
        super().__init__(code, *details)
        self.code = code


class HelperError(CardError):
    """The helper's call failed.

    `code` says why: "no-helper" if there is none, "no-answer" if it was cut off, else a code of
    `systemd/helper.py`.
    """


def call(
    name: str, /, *, at: Path = HELPER_SOCKET, timeout_s: float = 90.0, **values: str | int | bool
) -> dict[str, object]:
    """Make one call and return its answer; HelperError if it was not carried out."""
    request = json.dumps({"call": name, **values}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
        connection.settimeout(timeout_s)
        try:
            connection.connect(str(at))
        except OSError as error:
            raise HelperError("no-helper", str(error)) from error
        try:
            connection.sendall(request)
            with connection.makefile("rb") as answers:
                line = answers.readline(ANSWER_LIMIT_BYTES)
            facts = read_object(line)
            if "ok" in facts:
                return HelperDone.read(facts).ok
            refusal = HelperRefusal.read(facts)
        except (OSError, MessageError) as error:
            raise HelperError("no-answer", str(error)) from error
    del facts["error"]
    raise HelperError(refusal.error, facts)
