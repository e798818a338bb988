"""Pairing: the code that lets a browser send keys, and the list of paired browsers.

A browser is identified by a random token. Only a hash of it, the browser's *mark*, is stored, in a
small file next to the store. Used by the loop and by the server's thread.
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

from pi_app.system.host import utc_now
from pi_app.system.regular import open_regular
from pi_app.system.replace import write_safely
from pi_app.texts.printable import shorten

log = logging.getLogger(__name__)

CODE_S = 120.0
"""How long a code is valid, in seconds."""
GUESS_LIMIT = 10
"""How many wrong guesses make a code invalid."""
BROWSER_LIMIT = 32
"""The most paired browsers; a further one replaces the one that was paired longest ago."""
NAME_LIMIT_LETTERS = 40
"""The most characters of a browser's name."""
_TOKEN_BYTES = 32
_FILE_LIMIT_BYTES = 100_000
"""The most bytes that are read: no file of this program is longer."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A paired browser: the hash of its token, its name, the day it was paired (ISO).

    `called`: its owner gave it this name, so it does not change with the player who uses it.
    """

    mark: str
    name: str
    since: str
    called: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a failed guess: "wrong" or "wait", with the seconds to wait, or "closed"."""

    error: str
    wait_s: float = 0.0


@dataclass(slots=True)
class _Code:
    """A code that is shown, valid until `until`; after a wrong guess everybody waits.

    `joined` are the marks of all browsers that it let in.
    """

    digits: str
    until: float
    joined: set[str] = field(default_factory=set)
    wrong: int = 0
    wait_until: float = 0.0


class Pairing:
    """The code that is shown, if any, and the paired browsers.

    `path` is the browsers' file, None to store nothing; `digits` makes a code, `now` returns the
    day of a pairing. `changed` is called, in any thread, after a browser was paired or forgotten,
    or a code was closed.
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
        self.changed: Callable[[], object] = lambda: None
        self.welcomes = False
        """Whether the first start shows the code, a new one every two minutes."""
        self.is_served: Callable[[], bool] = lambda: True
        """Tells whether a phone could open the pages now: before that no code is shown."""

    # --- the code

    def invite(self) -> str:
        """Return the valid code, or else a new one: all invitations show the same code."""
        return self.code or self.show_code()

    def show_code(self) -> str:
        """Return a new code of six digits, valid for CODE_S; the code before becomes invalid."""
        digits = self._digits()
        with self._lock:
            self._code = _Code(digits, self._clock() + CODE_S)
        return digits

    def next_code(self) -> None:
        """Replace the code by a new one; wrong guesses of the code before still count."""
        digits = self._digits()
        with self._lock:
            if self._code is not None:
                until = self._clock() + CODE_S
                self._code = replace(self._code, digits=digits, until=until)

    def hide_code(self) -> None:
        """Make the code invalid."""
        with self._lock:
            self._code = None

    @property
    def code(self) -> str:
        """The valid code, or ""."""
        with self._lock:
            code = self._valid_code()
            return code.digits if code else ""

    @property
    def joined(self) -> int:
        """How many browsers the code has let in, also after its end; 0 without a code."""
        with self._lock:
            return len(self._code.joined) if self._code else 0

    @property
    def until(self) -> float:
        """When the code ends, in seconds on the clock; 0 without a code."""
        with self._lock:
            return self._code.until if self._code else 0.0

    def _valid_code(self) -> _Code | None:
        code = self._code
        if code is None or self._clock() >= code.until or code.wrong >= GUESS_LIMIT:
            return None
        return code

    def pair(self, guess: str, name: str, token: str = "") -> str | Refused:
        """Pair a browser and return its token, or say why not.

        Each wrong guess makes everybody wait a second longer than the one before. A browser that
        asks again with its `token` keeps it, and its name.
        """
        outcome = self._pair(guess, name, token)
        if isinstance(outcome, str) or outcome.error == "closed":
            self.changed()
        return outcome

    def _pair(self, guess: str, name: str, token: str) -> str | Refused:
        import hmac  # a start does not need it

        with self._lock:
            code, now = self._valid_code(), self._clock()
            if code is None:
                return Refused("closed")
            if now < code.wait_until:
                return Refused("wait", code.wait_until - now)
            # takes equally long for every guess; "replace": a lone surrogate has no bytes
            if not hmac.compare_digest(guess.encode("utf-8", "replace"), code.digits.encode()):
                code.wrong += 1
                code.wait_until = now + code.wrong  # a second for each wrong guess
                last = code.wrong >= GUESS_LIMIT
                return Refused("closed") if last else Refused("wrong", float(code.wrong))
            known = self._known()
            if _mark(token) not in known:  # a new browser, or one that was forgotten
                token = os.urandom(_TOKEN_BYTES).hex()
            mark, today = _mark(token), self._now().date().isoformat()
            browser = known.pop(mark, None) or Browser(mark, self._free_name(name), today)
            known[mark] = replace(browser, since=today)  # now the last one
            code.joined.add(mark)
            while len(known) > BROWSER_LIMIT:
                del known[next(iter(known))]  # the first, which was paired longest ago
            self._write(known)
        log.info("a browser was paired: %s", browser.name)
        return token

    def _free_name(self, wanted: str) -> str:
        """Return a name that can be shown, with a number if another browser has it."""
        name = shorten(wanted.strip(), NAME_LIMIT_LETTERS - 3) or "?"  # 3: a space and two digits
        taken = {browser.name for browser in self._known().values()}
        numbered = (f"{name} {n}" for n in range(2, BROWSER_LIMIT + 2))
        return next(free for free in (name, *numbered) if free not in taken)

    # --- the browsers

    def owners(self) -> list[str]:
        """Return the names that people gave their browsers, the latest first."""
        return [browser.name for browser in reversed(self.browsers) if browser.called]

    @property
    def browsers(self) -> tuple[Browser, ...]:
        """The paired browsers, the latest last."""
        with self._lock:
            return tuple(self._known().values())

    def browser(self, token: str) -> Browser | None:
        """Return the browser with this token, or None."""
        mark = _mark(token)
        with self._lock:
            return self._known().get(mark)

    def rename(self, mark: str, name: str, *, called: bool) -> None:
        """Give a browser a name; a name that its owner gave is replaced only by one with `called`.

        A blank name changes nothing.
        """
        with self._lock:
            known = self._known()
            browser = known.get(mark)
            if browser is None or not name.strip() or (browser.called and not called):
                return
            known[mark] = replace(browser, name="")  # lets the browser keep its own name
            renamed = replace(browser, name=self._free_name(name), called=called)
            known[mark] = renamed
            if renamed != browser:
                self._write(known)

    def forget(self, mark: str) -> None:
        """Remove a browser: it may send keys no more."""
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
        """Store the browsers; if that fails they are known until the companion ends."""
        if self._path is None:
            return
        rows = [asdict(browser) for browser in known.values()]
        try:
            write_safely(self._path, json.dumps(rows, indent=1).encode())
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)


def _random_digits() -> str:
    # the number is so large that all remainders are practically equally likely
    return f"{int.from_bytes(os.urandom(8), 'big') % 1_000_000:06}"


def _mark(token: str) -> str:
    """Return the hash of a token; the token itself is stored nowhere."""
    import hashlib  # a start does not need it

    # "replace": a lone surrogate, which a request may contain, has no bytes
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> dict[str, Browser]:
    """Return the browsers in the file; none if it cannot be read."""
    try:
        with open_regular(path) as file:
            rows = json.loads(file.read(_FILE_LIMIT_BYTES))
        browsers = [
            Browser(
                str(row["mark"]), str(row["name"]), str(row["since"]), row.get("called") is True
            )
            for row in rows
        ]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        log.warning("%s cannot be read, nobody is paired: %s", path, error)
        return {}
    return {browser.mark: browser for browser in browsers[-BROWSER_LIMIT:]}


class Claims:
    """Which browser has which player's seat, until the companion ends."""

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing
        self._marks: dict[str, str] = {}
        """The mark of a browser by the name of a player."""

    def browser(self, name: str) -> Browser | None:
        """Return the browser that has a player's seat; None if none has, or it was forgotten."""
        mark = self._marks.get(name)
        return next((known for known in self._pairing.browsers if known.mark == mark), None)

    def has(self, browser: Browser, name: str) -> bool:
        return self._marks.get(name) == browser.mark

    def give(self, browser: Browser, name: str) -> None:
        """Give a seat to a browser; another one loses it."""
        self._marks[name] = browser.mark

    def free(self, name: str) -> None:
        """Take a seat from its browser."""
        self._marks.pop(name, None)
