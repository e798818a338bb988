"""Checks who may send which request, and passes it on to the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hardware.keys import DIAL_KEYS, Key
from pi_app.phones import protocol as messages
from pi_app.phones.idempotency import Ledger
from pi_app.phones.pairing import Pairing
from pi_app.phones.table import RemoteTable
from pi_app.texts.language import Texts

_KEYS = frozenset(key.value for key in set(Key) - DIAL_KEYS)
"""The keys that a page may send: those of the keypad, as no page has a dial."""


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
        self._ledger = Ledger(post)

    def ask(self, request: messages.Request, done: messages.Reply) -> None:
        """Answer a request, now or later."""
        asked = request.asked
        browser = self._pairing.browser(asked.token) if asked.token else None
        error = ""
        match asked:
            case messages.AskWho():
                done({"ok": True, "paired": bool(browser), "name": browser.name if browser else ""})
            case messages.PairBrowser():
                done(self._pair(asked))
            case _ if browser is None and asked.paired:
                error = "unpaired"
            case messages.Timely() if asked.epoch != self._epoch:
                error = "epoch"
            case messages.Rename() if browser is not None:
                self._pairing.rename(browser.mark, asked.name, called=True)
                done({"ok": True})
            case messages.PressKey() if not (asked.tap or asked.text or asked.key in _KEYS):
                error = "bad"
            case messages.Once() if browser is not None:
                # a repetition may have seen more; the loop's answer comes in another thread
                act = partial(self._table.answer, browser, asked)
                content = replace(asked, seen=0)
                error = self._ledger.take(browser.mark, asked.n, content, done, act)
            case _:
                error = "" if self._table.answer(browser, asked, done) else "busy"
        if error:
            done(messages.refused(self._texts(), error))

    def _pair(self, asked: messages.PairBrowser) -> messages.Answered:
        guess = "".join(asked.code.split())  # the code is shown with a space in its middle
        outcome = self._pairing.pair(guess, asked.name, asked.token)
        if isinstance(outcome, str):
            return {"ok": True, "token": outcome}
        wait = {"wait_s": round(outcome.wait_s, 1)} if outcome.wait_s else {}
        return messages.refused(self._texts(), outcome.error, **wait)
