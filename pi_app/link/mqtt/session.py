"""What is said over one connection to the broker: docs/link.md has every topic."""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from pi_app.link.contract import (
    MOST_EVENTS,
    Ack,
    Assignment,
    ContractError,
    EventBatch,
    Say,
    TableHello,
    clean,
    payload,
    read_payload,
    topic,
)
from pi_app.link.mqtt.broker import Broker, Publication
from pi_app.link.mqtt.home_assistant import STATUS, discovery
from pi_app.link.mqtt.trouble import LinkFault
from pi_app.link.mqtt.uplink import Newest, Uplink
from pi_app.link.protocol import (
    EventAnswer,
    LinkNews,
    LinkSource,
    OutboxState,
    TableEvent,
    TableState,
)

log = logging.getLogger(__name__)

HELLO_S = 300.0
"""How often a hello goes up, beside the one at each connection."""
MOST_INBOX = 100
"""How many messages may wait to be taken."""
ONLINE_S = 1.0
"""The shortest time between two answers to one's own `offline`."""
MOST_SAID = 256
"""How many texts are remembered, so that none is said twice."""
ONLINE, OFFLINE = b"online", b"offline"
_REFUSED = 0x80
"""Reasons from here on mean that the broker refuses."""
_NOT_AUTHORIZED = 0x87


class Need(Enum):
    """Whether the link can do without a subscription."""

    NEEDED = "needed"
    WISHED = "wished"


@dataclass
class LinkMemory:
    """What outlives a connection: the process's own name, and what was heard already."""

    boot: str
    machine: str
    software: str
    n: int = 0
    """The number of the last state."""
    state: TableState = field(default_factory=TableState)
    """What the table does now."""
    assigned: tuple[int, int] = (-1, -1)
    """The highest era and revision of an assignment."""
    said: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def is_new(self, say: Say) -> bool:
        """Tell once that a text has not been said."""
        if say.id in self.said:
            return False
        self.said[say.id] = None
        while len(self.said) > MOST_SAID:
            self.said.popitem(last=False)
        return True


class TableSession:
    """Speaks for the table `table` over one connection; a listener of its broker."""

    def __init__(
        self,
        table: str,
        source: LinkSource,
        memory: LinkMemory,
        clock: Callable[[], float],
        *,
        home: bool,
    ) -> None:
        self.fault: LinkFault | None = None
        """What is wrong although the connection stands: rights, or another hub."""
        self.others_mark = ""
        """The mark of another process that has spoken for this table, as the broker has it."""
        self._table = table
        self._source = source
        self._memory = memory
        self._clock = clock
        self._home = home
        self._broker: Broker | None = None
        self._uplink: Uplink | None = None
        self._states: Newest[TableState] = Newest()
        self._signals: Newest[TableEvent] = Newest()
        self._inbox: deque[tuple[str, bytes, bool]] = deque(maxlen=MOST_INBOX)
        self._hello_at = 0.0
        self._online: Newest[Publication] = Newest(ONLINE_S)
        self._needs: dict[int, Need] = {}
        self._refused: set[str] = set()
        self._letters: dict[int, str] = {}
        """The topics of messages that the broker has not confirmed."""

    @property
    def will(self) -> Publication:
        """What the broker says when this connection ends without a goodbye."""
        return self._availability(OFFLINE)

    @property
    def heard(self) -> bool:
        """Whether the hub has answered on this connection."""
        return self._uplink is not None and self._uplink.heard

    @property
    def outbox(self) -> OutboxState:
        """The outbox as the table last said it."""
        return self._source.outbox() if self._uplink is None else self._uplink.outbox

    def attach(self, broker: Broker) -> None:
        """Speak over this connection."""
        self._broker = broker

    # --- what the broker says

    def welcomed(self) -> None:
        """Publish and subscribe anew: of an older connection the broker knows nothing."""
        now = self._clock()
        self._uplink = Uplink(self._source.outbox(), now)
        # first, so that it brings who spoke for this table last
        self._subscribe(Need.WISHED, self._topic("availability"))
        self._publish(self._availability(ONLINE))
        self._subscribe(Need.NEEDED, f"{self._topic('down')}/#")
        if self._home:
            self._subscribe(Need.WISHED, STATUS)
            self._discover()
        self._greet(now)
        self._states.put(self._memory.state)

    def came(self, name: str, data: bytes, *, retained: bool, mark: str) -> None:
        """Keep a message for `tick`; of a flood the oldest are dropped."""
        if mark not in ("", self._memory.boot) and name == self._topic("availability"):
            self.others_mark = mark
        self._inbox.append((name, data, retained))

    def _open(self, name: str, data: bytes, *, retained: bool) -> None:
        """Take a message; what is not as the contract says is logged and dropped."""
        try:
            if name == self._topic("availability"):
                self._take_availability(data)
            elif name == STATUS:
                if self._home and data == ONLINE and not retained:
                    self._discover()
            elif name == self._topic("down/ack"):
                self._take_ack(Ack.read(read_payload(data)))
            elif name == self._topic("down/seat"):
                if data:  # an empty one takes a retained message away
                    self._take_assignment(Assignment.read(read_payload(data)))
            elif name == self._topic("down/say") and not retained:
                self._take_say(Say.read(read_payload(data)))
        except ContractError as error:
            log.warning("%s: %s", clean(name, 80), error)

    def published(self, number: int, reason: int) -> None:
        """Note whether the broker lets this table write."""
        name = self._letters.pop(number, "")
        if reason >= _REFUSED:
            log.warning("the broker refuses %s (0x%02X)", name or "a message", reason)
        if reason == _NOT_AUTHORIZED:
            self._refused.add(name)
        else:
            self._refused.discard(name)
        self._judge_rights()

    def subscribed(self, number: int, reasons: tuple[int, ...]) -> None:
        """Note whether the broker lets this table read."""
        need = self._needs.pop(number, Need.WISHED)
        if need is Need.NEEDED and any(reason >= _REFUSED for reason in reasons):
            log.warning("the broker refuses what comes down: %s", reasons)
            self._refused.add("down")
            self._judge_rights()

    # --- what the table says

    def take(self, news: LinkNews) -> None:
        """Take what has happened at the table."""
        if isinstance(news, TableState):
            self._memory.state = news
            self._states.put(news)
        elif isinstance(news, TableEvent):
            self._signals.put(news)
        elif isinstance(news, OutboxState) and self._uplink is not None:
            self._take_outbox(news)

    # --- what is due

    def tick(self) -> None:
        """Send what may go now."""
        broker, uplink, now = self._broker, self._uplink, self._clock()
        if broker is None or uplink is None or broker.lost is not None:
            return
        while self._inbox:
            name, data, retained = self._inbox.popleft()
            self._open(name, data, retained=retained)
        if (letter := self._online.take(now)) is not None:
            self._publish(letter)
        if now >= self._hello_at:
            self._publish(self._availability(ONLINE))
            self._greet(now)
        if broker.wants_write:  # what cannot leave now is older than what comes next
            return
        if (state := self._states.take(now)) is not None:
            self._publish_state(state)
        if (signal := self._signals.take(now)) is not None:
            data = payload(signal.facts())
            self._publish(Publication(self._topic("signal"), data, qos=0))
        while (wanted := uplink.take(now)) is not None and self._send(uplink, *wanted, now):
            pass

    def due(self) -> float:
        """Return after how many seconds something may be due."""
        now = self._clock()
        dues = [each.due(now) for each in (self._states, self._signals, self._online)]
        dues.append(0.0 if self._inbox else self._hello_at - now)
        if self._uplink is not None:
            dues.append(self._uplink.due(now))
        return max(0.0, min(dues))

    def say_goodbye(self) -> None:
        """Say `offline` as the last word."""
        self._publish(self._availability(OFFLINE))

    # --- inside

    def _topic(self, leaf: str) -> str:
        return topic(self._table, leaf)

    def _availability(self, word: bytes) -> Publication:
        return Publication(self._topic("availability"), word, retain=True, mark=self._memory.boot)

    def _publish(self, letter: Publication) -> None:
        if self._broker is None:
            return
        number = self._broker.publish(letter)
        if number and letter.qos:
            self._letters[number] = letter.topic

    def _subscribe(self, need: Need, name: str) -> None:
        if self._broker is not None:
            self._needs[self._broker.subscribe(name)] = need

    def _discover(self) -> None:
        self._publish(discovery(self._table, self._memory.software))

    def _greet(self, now: float) -> None:
        outbox, memory = self.outbox, self._memory
        self._hello_at = now + HELLO_S
        if not outbox.store:  # its file cannot be written at the moment
            return
        hello = TableHello(
            outbox.store,
            outbox.previous,
            outbox.last,
            memory.machine,
            memory.boot,
            memory.software,
        )
        self._publish(Publication(self._topic("up/hello"), payload(hello.facts())))

    def _publish_state(self, state: TableState) -> None:
        self._memory.n += 1
        facts = {"boot": self._memory.boot, "n": self._memory.n, **state.facts()}
        self._publish(Publication(self._topic("state"), payload(facts), retain=True))

    def _send(self, uplink: Uplink, seq: int, most: int, now: float) -> bool:
        """Send events from `seq` on; return whether there were any."""
        batch = self._batch(uplink.outbox, seq, most)
        if batch.store != uplink.outbox.store or not batch.events:
            return False
        data = payload(EventBatch(batch.store, tuple(dict(each) for each in batch.events)).facts())
        self._publish(Publication(self._topic("up/events"), data))
        uplink.sent(batch.events[0]["seq"], batch.events[-1]["seq"], now)
        return True

    def _batch(self, outbox: OutboxState, seq: int, most: int) -> EventAnswer:
        """Return events from exactly `seq` on; what the table may have forgotten is `lost`."""
        batch = self._source.events(seq, most)
        found = [int(event["seq"]) for event in batch.events]
        first = found[0] if found else outbox.last + 1
        if first > seq and seq <= outbox.closed:
            end = min(first, outbox.closed + 1, seq + most, seq + MOST_EVENTS)
            return replace(
                batch, events=tuple({"seq": each, "kind": "lost"} for each in range(seq, end))
            )
        if first > seq:
            log.error("event %s is not there, and the hub has not closed it", seq)
        within = tuple(event for event in batch.events if event["seq"] < seq + most)
        return replace(batch, events=within)

    def _take_outbox(self, outbox: OutboxState) -> None:
        now = self._clock()
        if self._uplink is not None and self._uplink.changed(outbox, now):
            self._greet(now)

    def _take_availability(self, data: bytes) -> None:
        if data == OFFLINE:
            self._online.put(self._availability(ONLINE))

    def _take_ack(self, ack: Ack) -> None:
        uplink, now = self._uplink, self._clock()
        if uplink is None:
            return
        joined = uplink.outbox.hub
        if joined is not None and ack.hub != joined:
            log.warning("an ack of the hub %s is ignored: %s was joined", ack.hub, joined)
            self._set(LinkFault.HUB)
            return
        if ack.store != uplink.outbox.store:
            log.info("an ack for the store %s is ignored", ack.store)
            return
        if self.fault is LinkFault.HUB:
            self.fault = None
        if uplink.acked(ack, self._source.ack(ack), now):
            self._greet(now)

    def _take_assignment(self, assignment: Assignment) -> None:
        if assignment.pair < self._memory.assigned:
            log.info("an assignment with a lower revision is ignored")
            return
        self._memory.assigned = assignment.pair
        self._source.assign(assignment)

    def _take_say(self, say: Say) -> None:
        if self._memory.is_new(say):
            self._source.say(say)

    def _set(self, fault: LinkFault) -> None:
        if self.fault is not LinkFault.RIGHTS:
            self.fault = fault

    def _judge_rights(self) -> None:
        if self._refused:
            self.fault = LinkFault.RIGHTS
        elif self.fault is LinkFault.RIGHTS:
            self.fault = None
