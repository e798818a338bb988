"""The companion's end of the link: sends the table's state, and receives the hub's messages."""

from __future__ import annotations

import logging
import os
import pwd
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pi_app.link import protocol
from pi_app.link.contract import Say, TableState, TableTurn
from pi_app.link.offer import Offers, OfferScreen
from pi_app.link.outbox import Outbox
from pi_app.link.settings import ClubSettings, HomeSettings
from pi_app.phones.output import Phones
from pi_app.phones.protocol import Answered, Reply, refused
from pi_app.phones.table import tables_on
from pi_app.run.loop import Companion
from pi_app.screens.base import OK, Push
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.starting.home import HomeScreen
from pi_app.settings.schema import Settings
from pi_app.table.table import Table
from pi_app.view.frame import Frame, Signal, Tone
from pi_app.view.output import Output
from pi_app.wire.messages import Message, MessageError

log = logging.getLogger(__name__)

SERVICE_USER = "beisitzer-link"
"""The user of the link's service."""
SAID = "said"
SAID_LIMIT = 40
"""How many ids of texts are remembered under SAID, against saying one twice."""
TEXT_LIMIT = 8
TEXTS_S = 60.0
"""At most TEXT_LIMIT texts are shown at once, and accepted within TEXTS_S."""
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
"""The lamp's colour for a colour of an own game."""


class OfJoining:
    """Marks a screen of joining: while it is open, the link's process may connect."""


class LinkAtTable(Output):
    """Gives the link its place on the socket while the settings want it.

    `switch` lets systemd run the link's process while it is on; None without systemd.
    """

    name = "link"
    dials = False
    most_line = protocol.LINE_LIMIT_BYTES

    def __init__(
        self,
        program: Companion,
        outbox: Outbox,
        offers: Offers,
        phones: Callable[[], Phones],
        switch: Callable[[bool], None] | None = None,
    ) -> None:
        self.ctx = program.ctx
        self.outbox = outbox
        self.offers = offers
        self.status: dict[str, protocol.LinkStatus] = {}
        """What the link's process said last of the club and of the house."""
        self.is_there = False
        """Whether the link's process is there."""
        self._program = program
        self._phones = phones
        self._switch = switch
        self._wanted: protocol.Wanted | None = None
        """What the link was told last; None while its place is closed."""
        self._asked = 0
        """The number of the last question to a hub."""
        self._unsent: list[tuple[str, Message]] = []
        """What the link's process is told as soon as it has come."""
        self._outcome: protocol.JoinOutcome | None = None
        self._state: TableState | None = None
        self._said: deque[str] = deque(
            (self.ctx.store.recall(SAID) or "").split(), maxlen=SAID_LIMIT
        )
        """The ids of the last texts: the hub sends those that are current after each start."""
        self._texts_until: list[tuple[float, str]] = []
        """When each text that is shown is out of date, on the context's clock."""
        self._told_at: deque[float] = deque(maxlen=TEXT_LIMIT)
        """When the last texts arrived; only the server's thread uses it."""
        self._offering = False

    # --- what the table does

    def show(self, frame: Frame) -> None:
        """Send the table's state if it has changed; offer the assignment when the table is free."""
        del frame
        self._follow()
        self._send_state()
        self._offer()

    def signal(self, signal: Signal) -> None:
        """Send a signal as an event."""
        event = self._event(signal)
        if event is not None:
            self._inform("event", event)

    def configure(self, settings: Settings) -> None:
        """Open or close the place, and send the link its new settings."""
        del settings
        self._follow()

    def _follow(self) -> None:
        """Let the link's process in while it is needed, or somebody joins a club."""
        settings = self.ctx.settings
        joins = any(isinstance(screen, OfJoining) for screen in self._program.stack)
        is_on = settings.of(ClubSettings).enabled or settings.of(HomeSettings).enabled or joins
        wanted = wanted_by(settings) if is_on else None
        if wanted == self._wanted:
            return
        before, self._wanted = self._wanted, wanted
        if before is not None and wanted is not None:
            self._inform("wanted", wanted)
            return
        if wanted is None:
            self._dismiss()
        self._phones().attach(None if wanted is None else self)
        if self._switch is not None:
            self._switch(is_on)

    def poll(self) -> None:
        """Withdraw texts that are out of date."""
        now = self.ctx.clock()
        if self._show_only_texts([pair for pair in self._texts_until if pair[0] > now]):
            self._program.show()

    def poll_every_s(self) -> float | None:
        if not self._texts_until:
            return None
        return max(0.0, min(until for until, _ in self._texts_until) - self.ctx.clock())

    def close(self) -> None:
        """Leave the place; the phones' output closes the socket."""

    def state(self) -> TableState:
        """Return the table's state."""
        table = self._table()
        answer, waiting = self.offers.answer(), self.outbox.waiting
        if table is None:
            return TableState(waiting=waiting, assignment=answer)
        position = table.position
        turn = None
        if position.result is None:
            colour = position.players[position.seat].colour
            turn = TableTurn(seat=position.seat + 1, colour=colour, hex=HEXES.get(colour, NO_HEX))
        return TableState(
            game=table.game.name,
            phase="over" if turn is None else "playing",
            turn=turn,
            players=len(position.players),
            waiting=waiting,
            assignment=answer,
        )

    def _table(self) -> Table | None:
        return next((table for table in tables_on(self._program.stack) if table.stored), None)

    def _event(self, signal: Signal) -> protocol.TableEvent | None:
        table = self._table()
        if table is None:
            return None
        position = table.position
        names = [player.name for player in position.players]
        mover = names.index(table.steps[-1].player.name) + 1 if table.steps else 0
        match signal:
            case Signal.TURN | Signal.AGAIN:
                return protocol.TableEvent(event_type="turn", seat=position.seat + 1)
            case Signal.ROW:
                return protocol.TableEvent(event_type="row", seat=mover)
            case Signal.WIN:
                winners = position.result.winners if position.result else ()
                winner = names.index(winners[0]) + 1 if winners else 0
                return protocol.TableEvent(event_type="win", seat=winner)
            case Signal.BAD if isinstance(self._program.screen, TurnScreen):
                return protocol.TableEvent(event_type="illegal", seat=position.seat + 1)
            case _:
                return None

    def round_game(self) -> Table | None:
        """Return the game on the table if it is running and assigned to a round."""
        table = self._table()
        if table is None or table.position.result is not None:
            return None
        return table if self.outbox.is_of_round(table.id) else None

    def call_for_help(self) -> None:
        """Tell the house to send somebody to this table."""
        table = self._table()
        over = table is None or table.position.result is not None
        seat = 0 if table is None or over else table.position.seat + 1
        self._inform("event", protocol.TableEvent(event_type="help", seat=seat))

    def ask_hub(self, host: str, port: int, code: str) -> int:
        """Let the link's process ask a hub, as soon as it is connected; return the number."""
        self._asked += 1
        self._outcome = None
        self._tell_later(
            "join", protocol.JoinHub(number=self._asked, host=host, port=port, code=code)
        )
        return self._asked

    def keep_hub(self, number: int) -> None:
        """Let the link's process store a hub's access, after people compared the mark."""
        self._outcome = None
        self._tell_later("keep", protocol.KeepHub(number=number))

    def outcome(self, number: int) -> protocol.JoinOutcome | None:
        """Return a question's outcome; None until it is known."""
        outcome = self._outcome
        return outcome if outcome is not None and outcome.number == number else None

    def keep_password(self, password: str) -> None:
        """Let the link's process store the password of the house's broker in its folder."""
        self._tell_later("password", protocol.HomePassword(password=password))

    def _tell_later(self, kind: str, message: Message) -> None:
        if self.is_there:
            self._inform(kind, message)
        else:
            self._unsent.append((kind, message))

    def _send_state(self) -> None:
        state = self.state()
        if state != self._state:
            self._state = state
            self._inform("state", state)

    def _inform(self, kind: str, message: Message) -> None:
        server = self._phones().server
        if self._wanted is not None and server is not None:
            server.inform({"kind": kind, **message.facts()})

    def _dismiss(self) -> None:
        self._leave()  # `left` is not called when the socket closes too
        server = self._phones().server
        if server is not None:
            server.dismiss({"kind": "off", **protocol.SwitchedOff().facts()})

    # --- messages of a hub

    def answer(self, asked: Message) -> Answered:
        """Carry out the link's request, in the loop's thread."""
        match asked:
            case protocol.TakePlace() if self._wanted is not None:
                self.is_there = True
                self._state = None  # makes it send the state
                return {"ok": True, **self._wanted.facts()}
            case protocol.JoinedClub():
                self.outbox.join(asked)
            case protocol.AskResults():
                results = self.outbox.results(asked.hub, asked.after, asked.few)
                return {"ok": True, **results.facts()}
            case protocol.HubWords():
                return {"ok": True, **protocol.Waiting(waiting=self.outbox.heard(asked)).facts()}
            case protocol.Assigned():
                return self._assign(asked)
            case protocol.TextToSay():
                self._say(asked.say)
            case protocol.LinkStatus():
                self.status[asked.end] = asked
            case protocol.JoinOutcome():
                self._outcome = asked
            case _:
                return refused(self.ctx.texts, "off")
        return {"ok": True}

    def _assign(self, asked: protocol.Assigned) -> Answered:
        if not self.offers.accept_assignment(asked.hub, asked.era, asked.assignment):
            return refused(self.ctx.texts, "old")
        self._offer()
        return {"ok": True}

    def _say(self, say: Say) -> None:
        if say.id in self._said:
            return
        self._said.append(say.id)
        self.ctx.store.remember(SAID, " ".join(self._said))
        until = self.ctx.clock() + say.for_s
        self._show_only_texts([*self._texts_until, (until, say.text)][-TEXT_LIMIT:])
        self._program.bulletin.tell(say.text, Tone.GOOD)

    def _show_only_texts(self, kept: list[tuple[float, str]]) -> bool:
        """Withdraw all texts except these; return whether there were others."""
        before, self._texts_until = self._texts_until, kept
        late = {text for _, text in before} - {text for _, text in kept}
        for text in late:
            self._program.bulletin.withdraw(text)
        return bool(late)

    def gone(self) -> None:
        """Handle that the link's process has left."""
        self._leave()
        self._program.show()

    def _leave(self) -> None:
        self.is_there = False
        self.status.clear()

    def _offer(self) -> None:
        """Show an assignment as soon as it disturbs no game and no menu."""
        offer = self.offers.assignment
        if offer is None or not self.offers.is_open or self.offers.shown is offer:
            return
        latest = self.ctx.store.latest_game()
        if latest is not None and self.outbox.is_of(latest, offer):
            self.offers.settle("started")  # the program had ended just before it stored this
        elif self._is_free() and not self._offering:
            self._offering = self._program.keys.post(self._show_offer)

    def _is_free(self) -> bool:
        stack = self._program.stack
        return len(stack) == 1 and isinstance(stack[0], HomeScreen | ResultScreen)

    def _show_offer(self) -> None:
        self._offering = False
        offer = self.offers.assignment
        if offer is not None and self.offers.is_open and self._is_free():
            self.offers.shown = offer
            self._program.do(lambda: Push(OfferScreen(self.ctx, self.offers), signals=OK))

    def ask(self, kind: str, facts: Mapping[str, Any], done: Reply) -> None:
        """Answer a request of the link; called in the server's thread."""
        try:
            asked = protocol.read_asked(kind, facts)
        except MessageError as error:
            done(refused(self.ctx.texts, "bad", why=str(error)))
            return
        if isinstance(asked, protocol.TextToSay) and not self._accepts_text():
            done(refused(self.ctx.texts, "busy"))
            return

        def answer_in_loop() -> None:
            try:
                done(self.answer(asked))
            except Exception:
                log.exception("a request of the link failed")
                done(refused(self.ctx.texts, "fault"))
            if not isinstance(asked, protocol.AskResults):
                self._program.show()
            self._send_state()  # no frame may have changed
            if isinstance(asked, protocol.TakePlace):
                unsent, self._unsent = self._unsent, []
                for each, message in unsent:
                    self._inform(each, message)

        if not self._program.keys.post(answer_in_loop):
            done(refused(self.ctx.texts, "busy"))

    def _accepts_text(self) -> bool:
        """Count an arriving text; False if there are too many, which would slow the keys."""
        now, full = self.ctx.clock(), len(self._told_at) == TEXT_LIMIT
        if full and now - self._told_at[0] < TEXTS_S:
            return False
        self._told_at.append(now)
        return True

    def left(self) -> None:
        """Let the loop know that the connection has ended; called in the server's thread."""
        self._program.keys.post(self.gone)

    def refusal(self, user: int) -> str:
        """Return `forbidden` unless it is the companion's own user, or that of the service."""
        return "" if user in allowed_users() else "forbidden"


def wanted_by(settings: Settings) -> protocol.Wanted:
    """Return the settings for the link's process."""
    club, home = asdict(settings.of(ClubSettings)), asdict(settings.of(HomeSettings))
    return protocol.Wanted(club=protocol.ClubWanted.read(club), home=protocol.HomeWanted.read(home))


def allowed_users() -> set[int]:
    """Return the users who may have the link's place."""
    try:
        return {os.getuid(), pwd.getpwnam(SERVICE_USER).pw_uid}
    except KeyError:  # the service is not installed
        return {os.getuid()}
