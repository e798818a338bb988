"""The owner of both connections: opens the companion's place, then the broker, and again.

One thread does everything but connecting, which may take long and blocks.
"""

import logging
import os
import random
import select
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from threading import Thread

from pi_app.link.hub_page import AskHub, HubAnswer, ask
from pi_app.link.mqtt.broker import Broker, MqttPlace
from pi_app.link.mqtt.session import LinkMemory, TableSession
from pi_app.link.mqtt.trouble import WHYS, ConnectError, LinkFault, LinkTrouble
from pi_app.link.protocol import LinkSource, LinkSourceError, LinkStatus, SwitchedOff, TableState

log = logging.getLogger(__name__)

RETRIES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""The pauses between attempts to reach the broker; the last one repeats."""
JITTER = 0.25
"""By which part a pause may be longer: twenty tables do not come back in the same moment."""
SOURCE_RETRIES_S = (0.2, 0.5, 1.0, 2.0)
"""The pauses between attempts to reach the companion."""
TAKEN_S = 30.0
"""How long the link waits after another connection has taken its place."""
TWICE = 3
"""How often that must happen until it can only be a copied card."""
FLAPS = 5
"""Consecutive short connections before we assume a copied card."""
FLAP_S = 10.0
"""A connection that ends sooner is a short one."""
CALM_S = 600.0
"""A connection that lasts this long rules out a copied card."""
TICK_S = 1.0
"""The longest time between two looks at what is due."""
GOODBYE_S = 2.0
"""How long the last words may take."""


class LinkEnd(Enum):
    """Why `TableLink.run` has returned."""

    STOPPED = "stopped"
    AGAIN = "again"
    """The settings have changed."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class LinkWishes:
    """What the link should do."""

    home: bool = False
    """Announce the table to Home Assistant."""
    joins: bool = False
    """Only help the table to join a club: ask the hub's page, connect to no broker."""


@dataclass(frozen=True, slots=True)
class LinkVoices:
    """Callbacks: connected, each new trouble of the broker, each new one of the companion."""

    connected: Callable[[], None]
    trouble: Callable[[LinkTrouble], None]
    source: Callable[[LinkSourceError], None]


class _Connecting(Thread):
    """Makes one connection, in a thread, and then wakes the link."""

    def __init__(self, make: Callable[[], Broker], wake: Callable[[], None]) -> None:
        super().__init__(name="connecting", daemon=True)
        self.broker: Broker | None = None
        self.trouble: LinkTrouble | None = None
        self.is_done = False
        self.is_unwanted = False
        self._make = make
        self._wake = wake

    def run(self) -> None:
        try:
            broker = self._make()
            broker.connect()
            self.broker = broker
        except ConnectError as error:
            self.trouble = error.trouble
        except Exception as error:  # the link must learn that this thread has ended
            log.exception("connecting failed")
            self.trouble = LinkTrouble(LinkFault.AWAY, f"{type(error).__name__}: {error}")
        self.is_done = True
        if self.is_unwanted and self.broker is not None:
            self.broker.close()
        self._wake()


class _Asking(Thread):
    """Asks a hub's page, in a thread, and then wakes the link."""

    def __init__(self, asked: AskHub, wake: Callable[[], None]) -> None:
        super().__init__(name="asking a hub", daemon=True)
        self.answer: HubAnswer | None = None
        self._asked = asked
        self._wake = wake

    def run(self) -> None:
        try:
            self.answer = ask(self._asked)
        except Exception:  # somebody waits for an answer
            log.exception("asking a hub failed")
            self.answer = HubAnswer(self._asked.number, "hub")
        log.info("the hub's page at %s: %s", self._asked.host, self.answer.fault or "answered")
        self._wake()


class TableLink:
    """Runs until it is stopped; `address` may raise ConnectError, `open_source` LinkSourceError."""

    def __init__(
        self,
        table: str,
        address: Callable[[], MqttPlace],
        open_source: Callable[[], LinkSource],
        memory: LinkMemory,
        voices: LinkVoices,
        wishes: LinkWishes,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._address = address
        self._open_source = open_source
        self._memory = memory
        self._voices = voices
        self._wishes = wishes
        self._clock = clock
        self._waking, self._waker = os.pipe()
        for each in (self._waking, self._waker):
            os.set_blocking(each, False)
        self._source: LinkSource | None = None
        self._source_at = 0.0
        self._source_tries = 0
        self._source_code = ""
        self._connecting: _Connecting | None = None
        self._asking: _Asking | None = None
        self._session: TableSession | None = None
        self._broker: Broker | None = None
        self._broker_at = 0.0
        self._broker_tries = 0
        self._taken = 0
        self._welcomes = 0
        self._attempts = 0
        """How many since the last connection was lost."""
        self._flaps = 0
        self._is_rivalled = False
        """Whether another process has spoken for this table since this one did."""
        self._welcome_s: float | None = None
        self._told: LinkFault | None = None
        self._status: LinkStatus | None = None
        self._is_stopped = False
        self._end: LinkEnd | None = None

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._is_stopped = True
        self._wake()

    def run(self) -> LinkEnd:
        """Connect, carry and reconnect until there is a reason to end."""
        try:
            while True:
                if self._is_stopped:
                    return LinkEnd.STOPPED
                self._turn()
                if self._end is not None:
                    return self._end
                self._wait()
        finally:
            self._close()

    # --- one turn

    def _turn(self) -> None:
        try:
            if self._source is None:
                self._try_source()
            if self._source is not None:
                self._take_news(self._source)
                self._tell_answer(self._source)
                if not self._wishes.joins and self._end is None:
                    self._turn_broker(self._source)
                self._report(self._source)
        except LinkSourceError as error:
            self._lose_source(error)

    def _try_source(self) -> None:
        if self._clock() < self._source_at:
            return
        self._source = self._open_source()
        self._source_tries = 0
        self._source_code = ""
        self._status = None
        self._broker_at = min(self._broker_at, self._clock())

    def _lose_source(self, error: LinkSourceError) -> None:
        if self._source is not None:
            with suppress(LinkSourceError):  # it may have said that it switches the link off
                self._take_news(self._source)
        if (
            self._end is None and error.code != self._source_code
        ):  # attempts that fail again are no news
            self._source_code = error.code
            self._voices.source(error)
        if self._wishes.joins and self._end is None:
            self._end = LinkEnd.OFF
        self._drop_broker(goodbye=True)
        if self._source is not None:
            self._source.close()
            self._source = None
        pause_s = SOURCE_RETRIES_S[min(self._source_tries, len(SOURCE_RETRIES_S) - 1)]
        self._source_tries += 1
        self._source_at = self._clock() + pause_s

    def _take_news(self, source: LinkSource) -> None:
        for each in source.news(0):
            if isinstance(each, SwitchedOff):
                self._end = LinkEnd.AGAIN if each.again else LinkEnd.OFF
            elif isinstance(each, AskHub):
                self._asking = _Asking(each, self._wake)  # a newer question is the only one
                self._asking.start()
            elif self._session is not None:
                self._session.take(each)
            elif isinstance(each, TableState):
                self._memory.state = each

    def _tell_answer(self, source: LinkSource) -> None:
        if self._asking is not None and self._asking.answer is not None:
            answer, self._asking = self._asking.answer, None
            source.joined(answer)

    def _turn_broker(self, source: LinkSource) -> None:
        now = self._clock()
        if self._broker is not None and self._session is not None:
            self._broker.turn()
            if self._broker.is_welcome and self._welcome_s is None:
                self._welcome_s = now
                self._told = None
                self._welcomes += 1
                self._voices.connected()
            self._session.tick()
            # at the first connection it is the process before this one
            if self._session.others_mark and self._welcomes > 1:
                self._is_rivalled = True
            if self._session.heard:
                self._broker_tries = 0
            if self._broker.lost is not None:
                self._lose_broker(self._broker.lost, now)
        elif self._connecting is not None:
            if self._connecting.is_done:
                self._take_connection(self._connecting, now)
        elif now >= self._broker_at:
            self._connect(source)

    def _connect(self, source: LinkSource) -> None:
        self._attempts += 1
        session = TableSession(
            self._table, source, self._memory, self._clock, home=self._wishes.home
        )
        self._session = session

        def make() -> Broker:
            broker = Broker(self._address(), session.will, session, self._clock)
            session.attach(broker)
            return broker

        self._connecting = _Connecting(make, self._wake)
        self._connecting.start()

    def _take_connection(self, connecting: _Connecting, now: float) -> None:
        self._connecting = None
        self._broker = connecting.broker
        self._welcome_s = None
        if connecting.trouble is not None:
            self._lose_broker(connecting.trouble, now)
        elif self._broker is not None:
            self._broker.turn()

    def _lose_broker(self, trouble: LinkTrouble, now: float) -> None:
        lasted_s = 0.0 if self._welcome_s is None else now - self._welcome_s
        if lasted_s >= CALM_S:
            self._taken = 0
        self._drop_broker(goodbye=False)
        pause_s = RETRIES_S[min(self._broker_tries, len(RETRIES_S) - 1)]
        pause_s *= 1 + random.uniform(0, JITTER)  # noqa: S311  # no secret
        self._broker_tries += 1
        if self._is_taken(trouble, lasted_s):
            self._taken += 1
            trouble = LinkTrouble(LinkFault.TAKEN, trouble.details)
            pause_s = TAKEN_S
            if self._taken >= TWICE:
                trouble = LinkTrouble(LinkFault.TWICE, trouble.details)
        self._broker_at = now + pause_s
        self._tell(trouble)

    def _is_taken(self, trouble: LinkTrouble, lasted_s: float) -> bool:
        """Tell whether another connection has taken this table's place.

        A broker should say so (0x8E), but some, such as Mosquitto 2.0.11, just close the older
        connection. Then two things show it: somebody else's mark beside `availability`, and where
        that may not be read, connections that are closed again and again by a broker that is there.
        """
        if trouble.fault is LinkFault.TAKEN:
            return True
        if trouble.fault is not LinkFault.LOST:
            return False
        is_flap = lasted_s < FLAP_S and self._attempts == 1
        self._flaps = self._flaps + 1 if is_flap else 0
        self._attempts = 0
        rivalled, self._is_rivalled = self._is_rivalled, False
        return rivalled or self._flaps >= FLAPS

    def _tell(self, trouble: LinkTrouble) -> None:
        log.info("no connection: %s (%s)", trouble.fault, trouble.details)
        if trouble.fault is not self._told:
            self._told = trouble.fault
            self._voices.trouble(trouble)

    def _report(self, source: LinkSource) -> None:
        """Tell the companion what has changed about the connection."""
        session = self._session
        if session is not None and self._broker is not None and self._broker.is_welcome:
            if session.fault is not None:
                if session.fault is not self._told:
                    self._tell(LinkTrouble(session.fault))
                status = LinkStatus(connected=True, why=WHYS[session.fault])
            else:
                status = LinkStatus(connected=True, why="" if session.heard else "waiting")
        elif self._told is not None:
            status = LinkStatus(connected=False, why=WHYS[self._told])
        else:
            return
        if status != self._status:
            self._status = status
            source.status(status)

    # --- waiting, and the end

    def _wait(self) -> None:
        """Wait until something can be read or written, or something is due."""
        poll = select.poll()
        poll.register(self._waking, select.POLLIN)
        left_s = [TICK_S]
        if self._source is None:
            left_s.append(self._source_at - self._clock())
        else:
            poll.register(self._source.fileno(), select.POLLIN)
        if self._broker is not None and self._broker.fileno() >= 0:
            wanted = select.POLLIN | (select.POLLOUT if self._broker.wants_write else 0)
            poll.register(self._broker.fileno(), wanted)
            if self._session is not None:
                left_s.append(self._session.due())
        elif self._connecting is None and self._source is not None and not self._wishes.joins:
            left_s.append(self._broker_at - self._clock())
        poll.poll(max(0.0, min(left_s)) * 1000)
        try:
            os.read(self._waking, 4096)
        except BlockingIOError:
            return

    def _wake(self) -> None:
        try:
            os.write(self._waker, b"\0")
        except (BlockingIOError, OSError):  # it wakes anyway, or has ended
            return

    def _drop_broker(self, *, goodbye: bool) -> None:
        if self._connecting is not None:
            self._connecting.is_unwanted = True
            if self._connecting.is_done and self._connecting.broker is not None:
                self._connecting.broker.close()
            self._connecting = None
        if self._broker is not None:
            if goodbye and self._broker.is_welcome and self._session is not None:
                self._session.say_goodbye()
                self._broker.say_goodbye(GOODBYE_S)
            self._broker.close()
        self._broker = None
        self._session = None
        self._welcome_s = None

    def _close(self) -> None:
        self._drop_broker(goodbye=True)
        if self._source is not None:
            try:
                self._source.status(LinkStatus(connected=False, why="off"))
            except LinkSourceError as error:
                log.info("the companion was not told of the end: %s", error)
            self._source.close()
        ends, self._waking, self._waker = (self._waking, self._waker), -1, -1
        for each in ends:  # a thread that still connects writes to none that others have by then
            os.close(each)
