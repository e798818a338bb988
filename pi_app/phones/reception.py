"""Checks who may send which request, and passes it on to the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

from hardware.keys import DIAL_KEYS, Key
from pi_app.phones.idempotency import Ledger
from pi_app.phones.pairing import Browser, Pairing
from pi_app.phones.protocol import (
    Answered,
    AnswerMoment,
    AskGame,
    AskGames,
    AskHistory,
    AskMoments,
    AskNetworks,
    AskSeats,
    AskStatistics,
    AskTip,
    AskWho,
    ClaimSeat,
    ContinueGame,
    ForgetNetwork,
    FromBrowser,
    InvitePhones,
    JoinNetwork,
    LookAround,
    Once,
    PairBrowser,
    PlayAgain,
    PlayMove,
    PressKey,
    ReleaseSeat,
    Rename,
    Reply,
    Request,
    ShowHand,
    StartGame,
    Timely,
    UndoMove,
    refused,
)
from pi_app.phones.table import RemoteTable
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
        self._answers: Mapping[type[FromBrowser], Callable[[Browser, Any, Reply], bool]] = {
            ClaimSeat: table.claim,
            ReleaseSeat: table.release,
            AskGames: table.games,
            ContinueGame: table.begin,
            PlayAgain: table.begin,
            StartGame: table.begin,
            ShowHand: table.hand,
            AskTip: table.tip,
            InvitePhones: table.invite,
            AskHistory: table.history,
            AskGame: table.game,
            AskStatistics: table.statistics,
            AskMoments: table.moments,
            AnswerMoment: table.moments,
            AskNetworks: table.wifi,
            LookAround: table.wifi,
            JoinNetwork: table.wifi,
            ForgetNetwork: table.wifi,
        }
        """Answers a paired browser's request, or returns False if there is no room for it."""

    def ask(self, request: Request, done: Reply) -> None:
        """Answer a request, now or later."""
        asked = request.asked
        browser = self._pairing.browser(asked.token) if asked.token else None
        error = ""
        match asked:
            case AskWho():
                done(self._who(browser, asked.tab))
            case PairBrowser():
                done(self._pair(asked))
            case AskSeats():
                error = "" if self._table.seats(browser, done) else "busy"
            case _ if browser is None:
                error = "unpaired"
            case Timely() if asked.epoch != self._epoch:
                error = "epoch"
            case Rename():
                self._pairing.rename(browser.mark, asked.name, called=True)
                done({"ok": True})
            case Once():
                error = self._once(asked, browser, done)
            case _:
                answer = self._answers[type(asked)]
                error = "" if answer(browser, asked, done) else "busy"
        if error:
            done(refused(self._texts(), error))

    def _who(self, browser: Browser | None, tab: str) -> Answered:
        if browser is None:
            return {"ok": True, "paired": False, "name": "", "n": -1}
        last = self._ledger.last(browser.mark, tab)
        return {"ok": True, "paired": True, "name": browser.name, "n": last}

    def _pair(self, asked: PairBrowser) -> Answered:
        guess = "".join(asked.code.split())  # the code is shown with a space in its middle
        outcome = self._pairing.pair(
            guess, name=asked.name, called=asked.called, tab=asked.tab, token=asked.token
        )
        if isinstance(outcome, str):
            return {"ok": True, "token": outcome}
        wait = {"wait_s": round(outcome.wait_s, 1)} if outcome.wait_s else {}
        return refused(self._texts(), outcome.error, **wait)

    def _once(self, asked: Once, browser: Browser, done: Reply) -> str:
        """Let the loop act on a key or a move exactly once; return an error or ""."""
        content: Hashable  # the ledger compares it: a repetition has the same
        act: Callable[[Reply], bool]
        match asked:
            case PlayMove():
                content = asked.seat, asked.move
                act = partial(self._table.play, browser, asked.seen, asked.seat, asked.move)
            case UndoMove():
                content = asked.seat
                act = partial(self._table.undo, browser, asked.seen, asked.seat)
            case PressKey() if asked.tap or asked.key in _KEYS:
                content = Tap(asked.tap) if asked.tap else Key(asked.key)
                page = browser.mark, asked.tab
                act = partial(self._table.key, page, asked.seen, content)
            case _:
                return "bad"

        def carry_out(finish: Reply) -> bool:
            """Carry it out; the answer comes in another thread, `finish` must run in this one."""
            return act(lambda answer: self._post(partial(finish, answer)))

        return self._ledger.take(browser.mark, asked.tab, asked.n, content, done, carry_out)


_KEYS = frozenset(key.value for key in set(Key) - DIAL_KEYS)
"""The keys that a page may send: those of the keypad, as no page has a dial."""
