"""Checks who may send which request, and passes it on to the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from hardware.keys import DIAL_KEYS, Key
from pi_app.phones.idempotency import Ledger
from pi_app.phones.pairing import Browser, Pairing
from pi_app.phones.protocol import Answered, Reply, Request, refused
from pi_app.phones.table import Asked, RemoteTable
from pi_app.texts.language import Texts
from pi_app.view.inputs import Tap


class Reception:
    """Answers requests in the server's thread; `post` lets that thread call a function later.

    `epoch` names the time since the socket was opened; keys with another epoch are refused.
    """

    def __init__(
        self,
        table: RemoteTable,
        pairing: Pairing,
        epoch: str,
        texts: Callable[[], Texts],
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._table = table
        self._pairing = pairing
        self._epoch = epoch
        self._texts = texts
        self._post = post
        self._ledger = Ledger()

    def ask(self, request: Request, done: Reply) -> None:
        """Answer a request, now or later."""
        facts = request.facts
        token = facts.get("token")
        browser = self._pairing.browser(token) if token else None
        match request.kind:
            case "who":
                return done(self._who(browser, facts["tab"]))
            case "pair":
                return done(self._pair(request))
            case "seats":
                error = "" if self._table.seats(browser, done) else "busy"
            case _ if browser is None:  # the cases above are those of OPEN
                error = "unpaired"
            case "history" | "game" | "statistics":
                error = "" if self._ask_history(request, done) else "busy"
            case _ if facts.get("epoch", self._epoch) != self._epoch:
                error = "epoch"
            case "rename":
                self._pairing.rename(browser.mark, facts["name"], called=True)
                return done({"ok": True})
            case "key" | "play" | "undo":
                error = self._once(request, browser, done)
            case "networks" | "look" | "join" | "forget":
                there = self._table.wifi(request.kind, request.facts, done)
                error = "" if there else "busy"
            case _:
                error = "" if self._own(request, browser, done) else "busy"
        return done(refused(self._texts(), error)) if error else None

    def _ask_history(self, request: Request, done: Reply) -> bool:
        """Pass on a request about finished games; return False if too many wait."""
        match request.kind:
            case "history":
                return self._table.history(request.facts["page"], done)
            case "game":
                return self._table.game(request.facts["game"], done)
            case _:
                return self._table.statistics(request.facts["game"], done)

    def _own(self, request: Request, browser: Browser, done: Reply) -> bool:
        """Pass on a request about a browser's own seat; tell whether there was room for it."""
        facts = request.facts
        match request.kind:
            case "claim":
                over = bool(facts["over"])
                return self._table.claim(browser, facts["seen"], facts["seat"], done, over=over)
            case "release":
                return self._table.release(browser, facts["seen"], facts["seat"], done)
            case "hand":
                asked = Asked(facts["cards"], facts["picked"], facts["cell"])
                return self._table.hand(browser, facts["seat"], asked, done)
            case "moments" | "answer":
                return self._table.moments(request.kind, facts, done)
            case _:
                seat, cards = facts["seat"], facts["cards"]
                return self._table.tip(browser, facts["seen"], seat, cards, done)

    def _who(self, browser: Browser | None, tab: str) -> Answered:
        if browser is None:
            return {"ok": True, "paired": False, "name": "", "n": -1}
        last = self._ledger.last(browser.mark, tab)
        return {"ok": True, "paired": True, "name": browser.name, "n": last}

    def _pair(self, request: Request) -> Answered:
        facts = request.facts
        known = {name: facts[name] for name in ("name", "called", "tab", "token")}
        guess = "".join(facts["code"].split())  # the code is shown with a space in its middle
        outcome = self._pairing.pair(guess, **known)
        if isinstance(outcome, str):
            return {"ok": True, "token": outcome}
        wait = {"wait_s": round(outcome.wait_s, 1)} if outcome.wait_s else {}
        return refused(self._texts(), outcome.error, **wait)

    def _once(self, request: Request, browser: Browser, done: Reply) -> str:
        """Let the loop act on a key or a move exactly once; return an error or ""."""
        facts, seen = request.facts, request.facts["seen"]
        content: Hashable  # the ledger compares it: a repetition has the same
        act: Callable[[Reply], bool]
        if request.kind == "play":
            content = facts["seat"], facts["move"]
            act = partial(self._table.play, browser, seen, *content)
        elif request.kind == "undo":
            content = facts["seat"]
            act = partial(self._table.undo, browser, seen, facts["seat"])
        elif facts["tap"] or facts["key"] in _KEYS:
            content = Tap(facts["tap"]) if facts["tap"] else Key(facts["key"])
            act = partial(self._table.key, (browser.mark, facts["tab"]), seen, content)
        else:
            return "bad"

        def carry_out(finish: Reply) -> bool:
            """Carry it out; the answer comes in another thread, `finish` must run in this one."""
            return act(lambda answer: self._post(partial(finish, answer)))

        return self._ledger.take(browser.mark, facts["tab"], facts["n"], content, done, carry_out)


_KEYS = frozenset(key.value for key in set(Key) - DIAL_KEYS)
"""The keys that a page may send: those of the keypad, as no page has a dial."""
