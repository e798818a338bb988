"""The companion's end of the link: what the table does goes up, what a hub says comes down."""

from __future__ import annotations

import logging
import os
import pwd
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.files.regular import read_text
from pi_app.link.contract import Assignment, ContractError, Say
from pi_app.link.hub_page import AskHub, HubAnswer
from pi_app.link.joining import OfJoining
from pi_app.link.menu import LinkMenu, notice
from pi_app.link.offer import Offers, OfferScreen
from pi_app.link.outbox import AckError, Outbox, joined_by
from pi_app.link.protocol import (
    AUTHORITY_COPY,
    COPY_LIMIT_BYTES,
    MOST_LINE,
    PASSWORD_COPY,
    SETTINGS_COPY,
    Acked,
    AskEvents,
    Assigned,
    LinkRequest,
    LinkStatus,
    SwitchedOff,
    TableEvent,
    TableState,
    TableTurn,
    TakePlace,
    Told,
    read_asked,
)
from pi_app.phones.output import Phones
from pi_app.phones.protocol import Answered, Reply, refused
from pi_app.run.extras import Extra
from pi_app.run.loop import Companion
from pi_app.screens.base import OK, Push, Screen
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import LinkSettings, Settings
from pi_app.table.table import Table
from pi_app.view.frame import Frame, Signal, Tone

log = logging.getLogger(__name__)

SERVICE_USER = "beisitzer-link"
"""The user of the link's service."""
MOST_SAID = 200
"""How many ids of texts are remembered, so that none is said twice."""
MOST_TEXTS = 8
TEXTS_S = 60.0
"""At most MOST_TEXTS texts are shown at once, and accepted within TEXTS_S."""
HEXES: Mapping[str, str] = {
    "yellow": "#ffc000",
    "red": "#c00000",
    "white": "#ffffff",
    "pink": "#ff40a0",
    "green": "#00a000",
    "blue": "#0040ff",
}
"""The colours of players for a lamp in the house."""
NO_HEX = "#808080"
"""What a lamp shows for a colour of somebody's own game."""


class LinkAtTable(Extra):
    """Gives the link its place on the socket while the settings want it.

    `switch` lets systemd run the link's process while it is on; None without systemd.
    """

    name = "link"

    def __init__(
        self,
        program: Companion,
        outbox: Outbox,
        phones: Callable[[], Phones],
        switch: Callable[[bool], None] | None = None,
    ) -> None:
        self.ctx = program.ctx
        self.outbox = outbox
        self.status: LinkStatus | None = None
        """What the link's process said last; None while there is none."""
        self.offers = Offers(self.ctx, self._broker)
        self._program = program
        self._phones = phones
        self._switch = switch
        self._settings: LinkSettings | None = None
        """The settings that the place was opened with; None while it is closed."""
        self._is_joining = False
        """Whether the place is open because somebody joins a club, also while the link is off."""
        self._asked = AskHub(0, "")
        """What a hub's page is asked, or was asked last."""
        self._unsent: AskHub | None = None
        """The same while no link's process has come to ask it."""
        self._hub_answer: HubAnswer | None = None
        self._state: TableState | None = None
        self._said: deque[str] = deque(maxlen=MOST_SAID)
        self._texts_until: list[tuple[float, str]] = []
        """When each text that is shown is out of date, on the context's clock."""
        self._told_at: deque[float] = deque(maxlen=MOST_TEXTS)
        """When the last texts arrived; only the server's thread uses it."""
        self._offering = False
        self.ctx.notices.append(partial(notice, self))

    def _broker(self) -> str:
        joined = joined_by(self.ctx.settings.link)
        return "" if joined is None else joined.broker

    def menu(self) -> Screen:
        """Return the menu of the link."""
        return LinkMenu(self.ctx, self)

    def invitation(self) -> Screen:
        """Return the same: nobody joins by it."""
        return self.menu()

    # --- what the table does

    def show(self, frame: Frame) -> None:
        """Send the table's state if it has changed; offer what is assigned when it is free."""
        del frame
        if self._settings is None:
            self.configure(self.ctx.settings)
        self._follow_joining()
        self._send_state()
        self._offer()

    def signal(self, signal: Signal) -> None:
        """Send what happened as an event."""
        event = self._event(signal)
        if event is not None:
            self._inform(event.line())

    def configure(self, settings: Settings) -> None:
        """Open or close the place; let the link connect anew after a change."""
        wanted = settings.link if settings.link.enabled else None
        if wanted == self._settings:
            return
        before, self._settings = self._settings, wanted
        if before is not None or self._is_joining:
            self._dismiss(SwitchedOff(again=wanted is not None).line())
        if wanted is not None and not wanted.names:
            self.outbox.forget_names()
        self._open_place()

    def _open_place(self) -> None:
        """Let the link's process in while the link is on or somebody joins a club."""
        on = self._settings is not None or self._is_joining
        self._phones().attach(_Place(self) if on else None)
        if self._switch is not None:
            self._switch(on)

    def _follow_joining(self) -> None:
        """Open the place when somebody begins to join while the link is off, and close it after."""
        joining = any(isinstance(screen, OfJoining) for screen in self._program.stack)
        if joining == self._is_joining:
            return
        self._is_joining = joining
        if self._settings is None:
            if not joining:
                self._dismiss(SwitchedOff().line())
            self._open_place()

    def begin_anew(self) -> None:
        """Let the link connect anew, because its password has changed."""
        if self._settings is not None:
            self._dismiss(SwitchedOff(again=True).line())

    def poll(self) -> None:
        """Take back texts that are out of date."""
        now = self.ctx.clock()
        if self._show_only_texts([pair for pair in self._texts_until if pair[0] > now]):
            self._program.show()

    def poll_every_s(self) -> float | None:
        if not self._texts_until:
            return None
        return max(0.0, min(until for until, _ in self._texts_until) - self.ctx.clock())

    def close(self) -> None:
        """Leave the place: the socket is closed by the phones' output."""

    def state(self) -> TableState:
        """Return what the table does now."""
        table = self._table()
        answer, waiting = self.offers.answer(), self.outbox.waiting
        if table is None:
            return TableState(waiting=waiting, assignment=answer)
        position = table.position
        players = len(position.players)
        if position.result is not None:
            return TableState(table.game.name, "over", None, players, waiting, answer)
        colour = position.players[position.seat].colour
        turn = TableTurn(position.seat + 1, colour, HEXES.get(colour, NO_HEX))
        return TableState(table.game.name, "playing", turn, players, waiting, answer)

    def _table(self) -> Table | None:
        tables = (getattr(screen, "table", None) for screen in reversed(self._program.stack))
        return next((table for table in tables if isinstance(table, Table) and table.stored), None)

    def _event(self, signal: Signal) -> TableEvent | None:
        table = self._table()
        if table is None:
            return None
        position = table.position
        names = [player.name for player in position.players]
        mover = names.index(table.steps[-1].player.name) + 1 if table.steps else 0
        match signal:
            case Signal.TURN | Signal.AGAIN:
                return TableEvent("turn", position.seat + 1)
            case Signal.ROW:
                return TableEvent("row", mover)
            case Signal.WIN:
                winners = position.result.winners if position.result else ()
                return TableEvent("win", names.index(winners[0]) + 1 if winners else 0)
            case Signal.BAD if isinstance(self._program.screen, TurnScreen):
                return TableEvent("illegal", position.seat + 1)
            case _:
                return None

    def round_game(self) -> Table | None:
        """Return the game on the table if it goes on and a hub has assigned it to a round."""
        table = self._table()
        if table is None or table.position.result is not None:
            return None
        return table if self.outbox.is_of_round(table.id) else None

    def call_for_help(self) -> None:
        """Tell the hub that somebody should come to this table."""
        table = self._table()
        over = table is None or table.position.result is not None
        self._inform(
            TableEvent("help", 0 if table is None or over else table.position.seat + 1).line()
        )

    def ask_hub(self, host: str, port: int, authority: str = "", code: str = "") -> int:
        """Let the link's process ask a hub's page, as soon as it is there; return the number."""
        asked = AskHub(self._asked.number + 1, host, port, authority, code)
        self._asked, self._hub_answer = asked, None
        self._unsent = asked if self.status is None else None
        if self._unsent is None:
            self._inform(asked.line())
        return asked.number

    def hub_answer(self, number: int) -> HubAnswer | None:
        """Return what a hub's page has answered to a question; None while it has not."""
        answer = self._hub_answer
        return answer if answer is not None and answer.number == number else None

    def _send_unsent(self) -> None:
        unsent, self._unsent = self._unsent, None
        if unsent is not None:
            self._inform(unsent.line())

    def _send_state(self) -> None:
        state = self.state()
        if state != self._state:
            if self._state is None or state.waiting != self._state.waiting:
                self._inform(self.outbox.state().line())
            self._state = state
            self._inform(state.line())

    def _inform(self, line: Answered) -> None:
        server = self._phones().server
        if (self._settings is not None or self._is_joining) and server is not None:
            server.inform(line)

    def _dismiss(self, line: Answered) -> None:
        self.status = None  # `gone` is not called when the socket closes too
        server = self._phones().server
        if server is not None:
            server.dismiss(line)

    # --- what a hub says

    def answer(self, asked: LinkRequest) -> Answered:
        """Carry out what the link asks, in the loop's thread."""
        match asked:
            case TakePlace():
                self.status = LinkStatus(connected=False, why="waiting")
                self._state = None  # so that it is sent
                copies = settings_copies(self.ctx.settings)
                return {"ok": True, **self.outbox.state().facts(), "copies": copies}
            case AskEvents(seq=seq, most=most):
                return {"ok": True, **self.outbox.events(seq, most).facts()}
            case Acked(ack=ack):
                try:
                    return {"ok": True, **self.outbox.ack(ack).facts()}
                except AckError as error:
                    return refused(self.ctx.texts, error.code)
            case Assigned(assignment=assignment):
                return self._assign(assignment)
            case Told(say=say):
                self._say(say)
            case LinkStatus():
                self.status = asked
            case HubAnswer():
                self._hub_answer = asked
        return {"ok": True}

    def _assign(self, assignment: Assignment) -> Answered:
        if not self.offers.take(assignment):
            return refused(self.ctx.texts, "old")
        self._offer()
        return {"ok": True}

    def _say(self, say: Say) -> None:
        if say.id in self._said:
            return
        self._said.append(say.id)
        until = self.ctx.clock() + say.for_s
        self._show_only_texts([*self._texts_until, (until, say.text)][-MOST_TEXTS:])
        self._program.bulletin.tell(say.text, Tone.GOOD)

    def _show_only_texts(self, kept: list[tuple[float, str]]) -> bool:
        """Withdraw all texts except these; return whether there were others."""
        before, self._texts_until = self._texts_until, kept
        late = {text for _, text in before} - {text for _, text in kept}
        for text in late:
            self._program.bulletin.withdraw(text)
        return bool(late)

    def gone(self) -> None:
        """Take note that the link's process has left."""
        self.status = None
        self._program.show()

    def _offer(self) -> None:
        """Put an assignment on the screen as soon as no game and no menu is disturbed."""
        offer = self.offers.assignment
        if offer is None or not self.offers.is_open or self.offers.shown == offer.pair:
            return
        latest = self.ctx.store.latest_game()
        if latest is not None and self.outbox.is_of(latest, offer):
            self.offers.settle("started")  # it ended just before it could take note of that
        elif self._is_free() and not self._offering:
            self._offering = self._program.keys.post(self._show_offer)

    def _is_free(self) -> bool:
        stack = self._program.stack
        return len(stack) == 1 and isinstance(stack[0], HomeScreen | ResultScreen)

    def _show_offer(self) -> None:
        self._offering = False
        offer = self.offers.assignment
        if offer is not None and self.offers.is_open and self._is_free():
            self.offers.shown = offer.pair
            self._program.do(lambda: Push(OK, screen=OfferScreen(self.ctx, self.offers)))

    def receive(self, kind: str, facts: Mapping[str, Any], done: Reply) -> None:
        """Answer a request of the link; called in the server's thread."""
        try:
            asked = read_asked(kind, facts)
        except ContractError as error:
            done(refused(self.ctx.texts, "bad", why=str(error)))
            return
        if isinstance(asked, Told) and not self._accepts_text():
            done(refused(self.ctx.texts, "busy"))
            return

        def answer() -> None:
            try:
                done(self.answer(asked))
            except Exception:
                log.exception("a request of the link failed")
                done(refused(self.ctx.texts, "fault"))
            self._program.show()
            self._send_state()  # no frame may have changed
            if isinstance(asked, TakePlace):
                self._send_unsent()

        if not self._program.keys.post(answer):
            done(refused(self.ctx.texts, "busy"))

    def _accepts_text(self) -> bool:
        """Count a text that arrived; False if too many did, which would slow the keys."""
        now, full = self.ctx.clock(), len(self._told_at) == MOST_TEXTS
        if full and now - self._told_at[0] < TEXTS_S:
            return False
        self._told_at.append(now)
        return True

    def leave_place(self) -> None:
        """Let the loop know that the connection has ended; called in the server's thread."""
        self._program.keys.post(self.gone)


def settings_copies(settings: Settings) -> dict[str, str]:
    """Return the copies for the link's service; "" for a file that cannot be read."""
    import tomlkit

    wanted = {"language": settings.language, "link": asdict(settings.link)}
    return {
        SETTINGS_COPY: tomlkit.dumps(wanted),
        PASSWORD_COPY: _short_text(settings.link.password_file),
        AUTHORITY_COPY: _short_text(settings.link.ca),
    }


def _short_text(name: str) -> str:
    try:
        return read_text(Path(name).expanduser(), COPY_LIMIT_BYTES)
    except (OSError, ValueError):
        return ""


class _Place:
    """The link's place on the socket: what the server's thread knows of it."""

    most_line = MOST_LINE

    def __init__(self, link: LinkAtTable) -> None:
        self._link = link

    def refusal(self, user: int) -> str:
        """Return `forbidden` unless it is the companion's own user, or that of the service."""
        return "" if user in allowed_users() else "forbidden"

    def ask(self, kind: str, facts: Mapping[str, Any], done: Reply) -> None:
        self._link.receive(kind, facts, done)

    def left(self) -> None:
        self._link.leave_place()


def allowed_users() -> set[int]:
    """Return the users who may have the link's place."""
    try:
        return {os.getuid(), pwd.getpwnam(SERVICE_USER).pw_uid}
    except KeyError:  # without the service
        return {os.getuid()}
