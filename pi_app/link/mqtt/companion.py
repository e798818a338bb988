"""The companion's socket, as the source of what goes up and the end of what comes down."""

import json
import logging
import select
import socket
import time
from collections import deque
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from pi_app.files.replace import PRIVATE, write_safely
from pi_app.link.contract import MOST_EVENTS, Ack, Assignment, ContractError, Say
from pi_app.link.hub_page import HubAnswer
from pi_app.link.protocol import (
    AUTHORITY_COPY,
    MOST_LINE,
    PASSWORD_COPY,
    SETTINGS_COPY,
    VERSION,
    Acked,
    AskEvents,
    Assigned,
    EventAnswer,
    LinkNews,
    LinkSourceError,
    LinkStatus,
    OutboxState,
    SwitchedOff,
    TakePlace,
    Told,
    read_news,
)

log = logging.getLogger(__name__)

ANSWER_S = 10.0
"""How long the companion may take to answer."""
MOST_NEWS = 1000
"""The most lines that are kept while an answer is waited for; older ones are dropped."""


class LinkRefusedError(Exception):
    """The companion has refused a request; `code` is its error."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def store_copies(folder: Path, copies: object) -> bool:
    """Store the copies that differ from the stored ones; return whether any did.

    Only the three known names are used, whatever the companion sends.
    """
    changed = False
    for name in (SETTINGS_COPY, PASSWORD_COPY, AUTHORITY_COPY):
        text = copies.get(name) if isinstance(copies, Mapping) else None
        path = folder / name
        if not isinstance(text, str):
            continue
        try:
            if not path.exists() or path.read_bytes() != text.encode():
                write_safely(path, text.encode(), PRIVATE)
                changed = True
        except OSError as error:
            log.warning("%s cannot be stored: %s", path, error)
    return changed


class CompanionSource:
    """The link's place at the companion; LinkSourceError if it is not free or was lost.

    `folder` is where the service stores its copies; None without systemd: the link then opens the
    files themselves.
    """

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        self._numbers = count(1)
        self._rest = bytearray()
        self._news: deque[LinkNews] = deque(maxlen=MOST_NEWS)
        self.copies_changed = False
        """Whether new copies came with the place, so that the settings must be read again."""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._open(path, folder)
        except BaseException:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """Return the socket to wait for; news may be there without it being ready, see `news`."""
        return self._socket.fileno()

    def outbox(self) -> OutboxState:
        """Return where the outbox stood when the companion last said so."""
        return self._outbox

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        """Return events from this number on, ready to send."""
        try:
            return EventAnswer.read(self._asked(AskEvents(seq, most).line()))
        except (LinkRefusedError, ContractError) as error:
            raise LinkSourceError("lost", f"no events: {error}") from None

    def ack(self, ack: Ack) -> OutboxState:
        """Let the companion keep an ack; return the outbox, the same as before if it cannot."""
        try:
            self._outbox = OutboxState.read(self._asked(Acked(ack).line()))
        except LinkRefusedError as error:
            log.warning("the companion did not keep an ack: %s", error.code)
        except ContractError as error:
            raise LinkSourceError("lost", f"no outbox: {error}") from None
        return self._outbox

    def assign(self, assignment: Assignment) -> None:
        """Pass on an assignment to the table."""
        self._tell(Assigned(assignment).line())

    def say(self, say: Say) -> None:
        """Pass on a text to show and say."""
        self._tell(Told(say).line())

    def status(self, status: LinkStatus) -> None:
        """Pass on whether the link is connected."""
        self._tell(status.line())

    def joined(self, answer: HubAnswer) -> None:
        """Pass on what a hub's page has answered."""
        self._tell(answer.line())

    def news(self, timeout_s: float) -> list[LinkNews]:
        """Return what has happened at the table since, waiting for it for at most that long."""
        if self.copies_changed:
            return [SwitchedOff(again=True)]
        end = time.monotonic() + timeout_s
        self._take_lines()  # what came together with an answer
        try:
            while not self._news and self._wait(end):
                self._receive()
                self._take_lines()
            while self._wait(0):
                self._receive()
                self._take_lines()
        except LinkSourceError:
            if not self._news:  # else the last words come first
                raise
        found = list(self._news)
        self._news.clear()
        return found

    def close(self) -> None:
        """Give the place back."""
        self._socket.close()

    # --- inside

    def _open(self, path: Path, folder: Path | None) -> None:
        self._socket.settimeout(ANSWER_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            code = "forbidden" if isinstance(error, PermissionError) else "away"
            raise LinkSourceError(code, f"{path}: {error.strerror or error}") from None
        end = time.monotonic() + ANSWER_S
        hello = self._line(end)
        if hello.get("kind") != "hello" or hello.get("version") != VERSION:
            raise LinkSourceError("lost", f"no hello of version {VERSION}")
        try:
            answer = self._asked(TakePlace().line())
            self._outbox = OutboxState.read(answer)
        except LinkRefusedError as error:
            known = error.code in ("off", "forbidden", "taken")
            raise LinkSourceError(error.code if known else "lost", error.code) from None
        except ContractError as error:
            raise LinkSourceError("lost", f"no outbox: {error}") from None
        self.copies_changed = folder is not None and store_copies(folder, answer.get("copies"))

    def _tell(self, line: Mapping[str, Any]) -> None:
        try:
            self._asked(line)
        except LinkRefusedError as error:
            log.info("the companion refused %s: %s", line["kind"], error.code)

    def _asked(self, line: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request and return its answer; LinkRefusedError or LinkSourceError."""
        identity = str(next(self._numbers))
        data = json.dumps({**line, "id": identity}, separators=(",", ":")).encode() + b"\n"
        end = time.monotonic() + ANSWER_S
        try:
            self._socket.settimeout(ANSWER_S)
            self._socket.sendall(data)
        except OSError as error:
            raise LinkSourceError("lost", str(error)) from None
        while True:
            answer = self._line(end)
            if answer.get("kind") == "answer" and answer.get("id") == identity:
                break
            self._take(answer)
        if "error" in answer:
            raise LinkRefusedError(str(answer["error"]))
        return answer

    def _line(self, end: float) -> dict[str, Any]:
        """Return the next line, waiting until `end` on the monotonic clock."""
        while (at := self._rest.find(b"\n")) < 0:
            if not self._wait(end):
                raise LinkSourceError("lost", "the companion does not answer")
            self._receive()
        data = bytes(self._rest[:at])
        del self._rest[: at + 1]
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise LinkSourceError("lost", f"a line is no JSON: {error}") from None
        if not isinstance(value, dict):
            raise LinkSourceError("lost", "a line is no object")
        return value

    def _take_lines(self) -> None:
        """Keep what the lines say that are whole."""
        while b"\n" in self._rest:
            self._take(self._line(0))

    def _take(self, line: dict[str, Any]) -> None:
        try:
            news = read_news(line)
        except ContractError as error:
            log.warning("the companion's line is not valid: %s", error)
            return
        if isinstance(news, OutboxState):
            self._outbox = news
        if news is not None:
            self._news.append(news)

    def _receive(self) -> None:
        try:
            data = self._socket.recv(64 * 1024)
        except OSError as error:
            raise LinkSourceError("lost", str(error)) from None
        if not data:
            raise LinkSourceError("lost", "the companion closed the connection")
        self._rest += data
        if len(self._rest) > 2 * MOST_LINE:
            raise LinkSourceError("lost", "the companion's line is too long")

    def _wait(self, end: float) -> bool:
        """Wait until something can be read or until `end`; return whether it can."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        left_s = max(0.0, end - time.monotonic()) if end else 0.0
        return bool(poll.poll(left_s * 1000))
