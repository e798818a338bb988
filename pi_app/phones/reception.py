"""What clients may ask, and who may: requests are looked at here before the table hears of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Protocol

from hardware.keys import Key
from pi_app.phones.once import Ledger
from pi_app.phones.pairing import Browser, Pairing
from pi_app.phones.protocol import Answered, Reply, Request, sentence
from pi_app.texts.language import Texts
from pi_app.view.inputs import Input, Tap

MOST_TAB = 32
MOST_TOKEN = 128
MOST_MOVE = 200
MOST_CARDS = 200
MOST_CODE = 16
MOST_GAME = 64
MOST_BROWSER = 200


class TableDesk(Protocol):
    """The table as clients meet it. Each method returns at once and answers later, in any thread.

    False: there is no room for one more request now, and `done` is not called.
    """

    def key(self, key: Input, done: Reply) -> bool:
        """Press a key, or tap the board."""

    def play(self, browser: Browser, seat: int, move: str, done: Reply) -> bool:
        """Play a move for a seat."""

    def seats(self, browser: Browser | None, done: Reply) -> bool:
        """Tell who sits where, and who claimed a seat."""

    def claim(self, browser: Browser, seat: int, done: Reply) -> bool:
        """Give a seat to a browser, in place of the one it had."""

    def release(self, browser: Browser, seat: int, done: Reply) -> bool:
        """Take a seat from the browser that has it."""

    def hand(self, browser: Browser, seat: int, cards: str, done: Reply) -> bool:
        """Tell what can be done with the cards of a seat."""

    def tip(self, browser: Browser, seat: int, cards: str, done: Reply) -> bool:
        """Tell what would be good with the cards of a seat."""

    def history(self, page: int, done: Reply) -> bool:
        """List games, the latest first."""

    def game(self, game: int, done: Reply) -> bool:
        """Tell all about one game of the history."""

    def statistics(self, game: str, done: Reply) -> bool:
        """Tell what the finished games say of one game; of none ("") which there are."""


class Reception:
    """Answers requests in the server's thread; `post` does something there later.

    `epoch` names the time since the socket was opened: keys that were meant for another time
    are refused.
    """

    def __init__(
        self,
        desk: TableDesk,
        pairing: Pairing,
        epoch: str,
        texts: Callable[[], Texts],
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self.desk = desk
        self.pairing = pairing
        self.epoch = epoch
        self._texts = texts
        self._post = post
        self._ledger = Ledger()

    def ask(self, request: Request, done: Reply) -> None:
        """Answer a request, now or later; BadRequestError for one that cannot be read."""
        match request.kind:
            case "who":
                done(self._who(request))
            case "pair":
                done(self._pair(request))
            case "key":
                self._once(request, done, self._pressed(request))
            case "play":
                self._once(request, done, self._move(request))
            case "seats":
                self._room(self.desk.seats(self._browser(request), done), done)
            case "claim" | "release" | "hand" | "tip":
                self._seat(request, done)
            case "history":
                self._room(self.desk.history(request.number("page", 0), done), done)
            case "game":
                self._room(self.desk.game(request.number("game"), done), done)
            case "statistics":
                game = request.text("game", MOST_GAME, "")
                self._room(self.desk.statistics(game, done), done)
            case _:
                done(self._no("bad"))

    # --- who asks

    def _browser(self, request: Request) -> Browser | None:
        token = request.text("token", MOST_TOKEN, "")
        return self.pairing.browser(token) if token else None

    def _who(self, request: Request) -> Answered:
        browser, tab = self._browser(request), request.text("tab", MOST_TAB, "")
        if browser is None:
            return {"ok": True, "paired": False, "name": "", "n": -1}
        last = self._ledger.last(browser.mark, tab)
        return {"ok": True, "paired": True, "name": browser.name, "n": last}

    def _pair(self, request: Request) -> Answered:
        code, name = request.text("code", MOST_CODE), request.text("name", MOST_BROWSER, "")
        found = self.pairing.pair("".join(code.split()), name)
        if isinstance(found, str):
            return {"ok": True, "token": found}
        answer = dict(self._no(found.error))
        if found.wait_s:
            answer["wait_s"] = round(found.wait_s, 1)
        return answer

    # --- what it asks for

    def _pressed(self, request: Request) -> _What | None:
        """Return the key or the tap of a request and how to press it, None where there is none."""
        found = _input(request)
        if found is None:
            return None
        return found, lambda _, done: self.desk.key(found, done)

    def _move(self, request: Request) -> _What:
        move, seat = request.text("move", MOST_MOVE), request.number("seat")
        return (move, seat), lambda browser, done: self.desk.play(browser, seat, move, done)

    def _once(self, request: Request, done: Reply, asked: _What | None) -> None:
        """Let the loop act on what a paired browser asks for, exactly once."""
        browser, n = self._browser(request), request.number("n")
        tab, epoch = request.text("tab", MOST_TAB, ""), request.text("epoch", MOST_TOKEN)
        if browser is None:
            return done(self._no("unpaired"))
        if epoch != self.epoch:
            return done(self._no("epoch"))
        if asked is None:
            return done(self._no("bad"))
        what, act = asked

        def post(finish: Reply) -> Reply:
            return lambda answer: self._post(partial(finish, answer))

        error = self._ledger.take(
            browser.mark, tab, n, what, done, lambda finish: act(browser, post(finish))
        )
        return done(self._no(error)) if error else None

    def _seat(self, request: Request, done: Reply) -> None:
        browser, seat = self._browser(request), request.number("seat")
        if browser is None:
            return done(self._no("unpaired"))
        if request.kind in ("hand", "tip"):
            cards = request.text("cards", MOST_CARDS)
            look = self.desk.hand if request.kind == "hand" else self.desk.tip
            return self._room(look(browser, seat, cards, done), done)
        act = self.desk.claim if request.kind == "claim" else self.desk.release
        return self._room(act(browser, seat, done), done)

    def _room(self, there: bool, done: Reply) -> None:  # noqa: FBT001  # what the desk answered
        if not there:
            done(self._no("busy"))

    def _no(self, error: str) -> Answered:
        return {"error": error, "text": sentence(self._texts(), error)}


_What = tuple[Hashable, Callable[[Browser, Reply], bool]]
"""What is asked for, and how the table is asked for it."""

_KEYS = frozenset(key.value for key in Key)


def _input(request: Request) -> Input | None:
    """Return the key or the tap of a request, None where there is no such key."""
    named = request.fields.get("key")
    if isinstance(named, dict):
        tapped = named.get("tap")
        return Tap(tapped) if isinstance(tapped, str) and 0 < len(tapped) <= MOST_TAB else None
    name = request.text("key", MOST_TAB)
    return Key(name) if name in _KEYS else None
