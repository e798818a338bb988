"""Which browsers may key: the code that lets one in, and those that were let in.

A browser is known by a random token of which only a hash is kept, in a small file beside the
store. Used by the loop and by the server's thread.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Lock

from pi_app.files.host import utc_now
from pi_app.files.regular import open_regular
from pi_app.files.replace import write_safely
from pi_app.texts.printable import shorten

log = logging.getLogger(__name__)

CODE_S = 60.0
"""A code lets browsers in for so long, in seconds."""
MOST_WRONG = 10
"""After so many wrong guesses a code lets nobody in any more."""
MOST_BROWSERS = 32
"""The browser that was let in longest ago gives way to one more."""
MOST_NAME = 40
"""Characters of a browser's name."""
_TOKEN_BYTES = 32
_MOST_BYTES = 100_000
"""No file of ours is longer."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that may key: the hash of its token, its name, the day it was let in (ISO).

    Until somebody has `called` it something, its name follows who plays by it.
    """

    mark: str
    name: str
    since: str
    called: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """A guess that lets nobody in: "wrong", "wait" for so many seconds, or "closed"."""

    error: str
    wait_s: float = 0.0


@dataclass(slots=True)
class _Code:
    """A code on show: when it ends, and how long a wrong one makes everybody wait.

    `tokens` are those that it let in, by the tab that asked.
    """

    digits: str
    until: float
    tokens: dict[str, str] = field(default_factory=dict)
    wrong: int = 0
    wait_until: float = 0.0


class Pairing:
    """The code on show, if any, and the browsers that are known.

    `path` is their file, None for a table that keeps nothing; `digits` makes a code, `now` tells
    the day somebody is let in. `changed` is called, in any thread, after a browser was let in or
    forgotten, or a code was closed.
    """

    def __init__(
        self,
        path: Path | None,
        clock: Callable[[], float],
        digits: Callable[[], str] | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._path = path
        self._clock = clock
        self._now = now
        self._digits = digits or _random_digits
        self._lock = Lock()
        self._code: _Code | None = None
        self._browsers: dict[str, Browser] | None = None
        self.changed: Callable[[], object] = _nobody

    # --- the code

    def show_code(self) -> str:
        """Return a new code of six digits, which holds for a minute; older ones hold no more."""
        digits = self._digits()
        with self._lock:
            self._code = _Code(digits, self._clock() + CODE_S)
        return digits

    def hide_code(self) -> None:
        """Let nobody in from now on."""
        with self._lock:
            self._code = None

    @property
    def code(self) -> str:
        """The code that still lets somebody in, "" where there is none."""
        with self._lock:
            code = self._open()
            return code.digits if code else ""

    @property
    def until(self) -> float:
        """When the code on show ends, on the clock; 0 without one."""
        with self._lock:
            return self._code.until if self._code else 0.0

    def _open(self) -> _Code | None:
        code = self._code
        if code is None or self._clock() >= code.until or code.wrong >= MOST_WRONG:
            return None
        return code

    def pair(
        self, guess: str, name: str, called: str = "", tab: str = "", token: str = ""
    ) -> str | Refused:
        """Let a browser in and return its token, or say why not.

        Each wrong guess makes everybody wait a second longer than the one before. `called` is what
        somebody named it, `name` what it is otherwise. Who asks again, with the `token` it has or
        from the same `tab`, is the same browser.
        """
        found = self._pair(guess, name, called, tab, token)
        if isinstance(found, str) or found.error == "closed":
            self.changed()
        return found

    def _pair(self, guess: str, name: str, called: str, tab: str, token: str) -> str | Refused:
        import hmac

        with self._lock:
            code, now = self._open(), self._clock()
            if code is None:
                return Refused("closed")
            if now < code.wait_until:
                return Refused("wait", code.wait_until - now)
            if not hmac.compare_digest(guess.encode("utf-8", "replace"), code.digits.encode()):
                code.wrong += 1
                code.wait_until = now + code.wrong
                last = code.wrong >= MOST_WRONG
                return Refused("closed") if last else Refused("wrong", float(code.wrong))
            known = self._known()
            token = code.tokens.get(tab, token) if tab else token
            if _mark(token) not in known:
                token = os.urandom(_TOKEN_BYTES).hex()
            if tab:
                code.tokens[tab] = token
            mark, today = _mark(token), self._now().date().isoformat()
            was = known.pop(mark, None)
            browser = was or Browser(mark, self._free_name(name), today)
            if called.strip():
                browser = replace(browser, name=self._free_name(called), called=True)
            known[mark] = replace(browser, since=today)
            while len(known) > MOST_BROWSERS:
                del known[next(iter(known))]
            self._write(known)
        log.info("a browser was let in: %s", browser.name)
        return token

    def _free_name(self, wanted: str) -> str:
        """Return a name as it can be shown, with a number where another browser has it."""
        name = shorten(wanted.strip(), MOST_NAME - 3) or "?"
        taken = {browser.name for browser in self._known().values()}
        numbered = (f"{name} {n}" for n in range(2, MOST_BROWSERS + 2))
        return next(each for each in (name, *numbered) if each not in taken)

    # --- the browsers

    @property
    def browsers(self) -> tuple[Browser, ...]:
        """Return who may key, the latest last."""
        with self._lock:
            return tuple(self._known().values())

    def browser(self, token: str) -> Browser | None:
        """Return the browser that has this token, None for a token that nobody has."""
        mark = _mark(token)
        with self._lock:
            return self._known().get(mark)

    def rename(self, mark: str, name: str, *, called: bool) -> None:
        """Name a browser; one that somebody `called` something keeps that until it is called anew.

        A name without a letter changes nothing.
        """
        with self._lock:
            known = self._known()
            browser = known.get(mark)
            if browser is None or not name.strip() or (browser.called and not called):
                return
            known[mark] = replace(browser, name="")
            found = replace(browser, name=self._free_name(name), called=called)
            known[mark] = found
            if found != browser:
                self._write(known)

    def forget(self, mark: str) -> None:
        """Let a browser key no more."""
        with self._lock:
            known = self._known()
            if known.pop(mark, None) is None:
                return
            self._write(known)
        self.changed()

    def _known(self) -> dict[str, Browser]:
        if self._browsers is None:
            self._browsers = {} if self._path is None else _read(self._path)
        return self._browsers

    def _write(self, known: dict[str, Browser]) -> None:
        """Keep who is known; where that cannot be written it holds until the end."""
        if self._path is None:
            return
        rows = [asdict(browser) for browser in known.values()]
        try:
            write_safely(self._path, json.dumps(rows, indent=1).encode())
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)


def _random_digits() -> str:
    return f"{int.from_bytes(os.urandom(8), 'big') % 1_000_000:06}"


def _nobody() -> None:
    """Tell nobody."""


def _mark(token: str) -> str:
    """Return the hash by which a token is known; the token itself is kept nowhere."""
    import hashlib

    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> dict[str, Browser]:
    """Return the browsers of the file; one that cannot be read knows none."""
    try:
        with open_regular(path) as file:
            rows = json.loads(file.read(_MOST_BYTES))
        browsers = [
            Browser(str(r["mark"]), str(r["name"]), str(r["since"]), r.get("called") is True)
            for r in rows
        ]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        log.warning("%s cannot be read, nobody is paired: %s", path, error)
        return {}
    return {browser.mark: browser for browser in browsers[-MOST_BROWSERS:]}


class Claims:
    """The seats that browsers have taken, by the players' names; kept until the companion ends."""

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing
        self._marks: dict[str, str] = {}
        """The hash of a browser's token by the name of a player."""

    def browser(self, name: str) -> Browser | None:
        """Return by which browser somebody plays; None by none, or by one that was forgotten."""
        mark = self._marks.get(name)
        return next((known for known in self._pairing.browsers if known.mark == mark), None)

    def has(self, browser: Browser, name: str) -> bool:
        return self._marks.get(name) == browser.mark

    def give(self, browser: Browser, name: str) -> None:
        """Give a seat to a browser, in place of any other that has it."""
        self._marks[name] = browser.mark

    def free(self, name: str) -> None:
        """Take a seat from its browser."""
        self._marks.pop(name, None)
