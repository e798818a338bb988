"""What companion and link say to each other on the companion's socket: docs/remote.md, "The link".

Each message is a frozen value with `line` (the object to send) and `read`, which raises
ContractError for a malformed line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pi_app.link.contract import (
    ANSWERS,
    EVENT_TYPES,
    MOST_EVENTS,
    MOST_NAME,
    MOST_PAYLOAD,
    MOST_SEATS,
    PHASES,
    Ack,
    Assignment,
    ContractError,
    Json,
    Say,
    choice,
    number,
    objects,
    text,
    word,
    word_or_none,
)
from pi_app.link.hub_page import AskHub, HubAnswer

VERSION = 2
"""The version of the companion's socket from which on it has a place for the link."""
MOST_LINE = 4 * MOST_PAYLOAD
"""The most bytes of a line to or from the link, its line feed included.

A line may be ASCII where a payload is UTF-8: then two bytes become six.
"""
SETTINGS_COPY, PASSWORD_COPY, AUTHORITY_COPY = "settings.toml", "password", "ca.pem"
"""The names of the copies that the companion sends to the link's service.

The service has no right to open the companion's folder, and root must not open it for the service:
a file there may be a link to anything.
"""
COPY_LIMIT_BYTES = 16 * 1024
"""A longer file is not sent: all copies, with JSON's escapes, fit into one line."""

WHYS = (
    "",
    "off",
    "settings",
    "name",
    "broker",
    "certificate",
    "login",
    "version",
    "rights",
    "twice",
    "hub",
    "waiting",
)
"""Why the link has no connection that is of use, for `LinkStatus.why`; "" where all is well:
off or not set up (`off`), settings that cannot work (`settings`), the broker's name is unknown
(`name`), nobody answers (`broker`), its certificate is not the one (`certificate`), user or
password are refused (`login`), it does not speak MQTT 5 (`version`), it forbids writing or reading
(`rights`), the same card is in two machines (`twice`), acks of another hub come in (`hub`), it is
connected, and no hub has acknowledged yet (`waiting`)."""


# --- what the companion sends


@dataclass(frozen=True, slots=True)
class TableTurn:
    """Whose turn it is: the seat from 1 on, and its colour by name and as `#rrggbb`."""

    seat: int
    colour: str
    hex: str

    def facts(self) -> dict[str, Any]:
        return {"seat": self.seat, "colour": self.colour, "hex": self.hex}

    @classmethod
    def read(cls, facts: Json) -> TableTurn:
        return cls(number(facts, "seat", 1, MOST_SEATS), word(facts, "colour"), word(facts, "hex"))


@dataclass(frozen=True, slots=True)
class OfferAnswer:
    """What became of an assignment at the table: `answer` is one of ANSWERS."""

    evening: str
    round: int
    era: int
    rev: int
    answer: str

    def facts(self) -> dict[str, Any]:
        return {
            "evening": self.evening,
            "round": self.round,
            "era": self.era,
            "rev": self.rev,
            "answer": self.answer,
        }

    @classmethod
    def read(cls, facts: Json) -> OfferAnswer:
        return cls(
            word(facts, "evening"),
            number(facts, "round", 1),
            number(facts, "era"),
            number(facts, "rev"),
            choice(facts, "answer", ANSWERS),
        )


@dataclass(frozen=True, slots=True)
class TableState:
    """What the table does now, as `state` of the contract has it without `v`, `boot` and `n`."""

    game: str | None = None
    phase: str = "idle"
    turn: TableTurn | None = None
    players: int = 0
    waiting: int = 0
    assignment: OfferAnswer | None = None

    def facts(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "phase": self.phase,
            "turn": self.turn and self.turn.facts(),
            "players": self.players,
            "waiting": self.waiting,
            "assignment": self.assignment and self.assignment.facts(),
        }

    def line(self) -> dict[str, Any]:
        return {"kind": "state", **self.facts()}

    @classmethod
    def read(cls, facts: Json) -> TableState:
        turn, assignment = facts.get("turn"), facts.get("assignment")
        return cls(
            word_or_none(facts, "game"),
            choice(facts, "phase", PHASES),
            TableTurn.read(turn) if isinstance(turn, dict) else None,
            number(facts, "players", 0, MOST_SEATS),
            number(facts, "waiting"),
            OfferAnswer.read(assignment) if isinstance(assignment, dict) else None,
        )


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something happened at the table: one of EVENT_TYPES, at the seat from 1 on (0: at none)."""

    event_type: str
    seat: int

    def facts(self) -> dict[str, Any]:
        return {"event_type": self.event_type, "seat": self.seat}

    def line(self) -> dict[str, Any]:
        return {"kind": "event", **self.facts()}

    @classmethod
    def read(cls, facts: Json) -> TableEvent:
        return cls(
            choice(facts, "event_type", EVENT_TYPES),
            number(facts, "seat", 0, MOST_SEATS),
        )


@dataclass(frozen=True, slots=True)
class OutboxState:
    """Where the outbox stands; numbers of another `store` than the last one mean nothing any more.

    `waiting` events have not passed `upto`. `hub` is the one that was joined, None before the
    first ack.
    """

    store: str
    previous: tuple[str, ...] = ()
    last: int = 0
    upto: int = 0
    closed: int = 0
    waiting: int = 0
    hub: str | None = None

    def facts(self) -> dict[str, Any]:
        return {
            "store": self.store,
            "previous": list(self.previous),
            "last": self.last,
            "upto": self.upto,
            "closed": self.closed,
            "waiting": self.waiting,
            "hub": self.hub,
        }

    def line(self) -> dict[str, Any]:
        return {"kind": "outbox", **self.facts()}

    @classmethod
    def read(cls, facts: Json) -> OutboxState:
        previous = facts.get("previous")
        if not isinstance(previous, list):
            raise ContractError("previous must be a list of stores")
        return cls(
            word(facts, "store"),
            tuple(word({"previous": each}, "previous") for each in previous),
            number(facts, "last"),
            number(facts, "upto"),
            number(facts, "closed"),
            number(facts, "waiting"),
            word_or_none(facts, "hub"),
        )


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """The link was switched off, or its settings changed: say goodbye to the broker.

    With `again` the link reads its settings and connects anew; else it ends.
    """

    again: bool = False

    def line(self) -> dict[str, Any]:
        return {"kind": "off", "again": self.again}

    @classmethod
    def read(cls, facts: Json) -> SwitchedOff:
        return cls(facts.get("again") is True)


LinkNews = TableState | TableEvent | OutboxState | SwitchedOff | AskHub
"""What the companion sends unasked to the link."""
_NEWS: Mapping[
    str,
    type[TableState] | type[TableEvent] | type[OutboxState] | type[SwitchedOff] | type[AskHub],
] = {
    "state": TableState,
    "event": TableEvent,
    "outbox": OutboxState,
    "off": SwitchedOff,
    "join": AskHub,
}


def read_news(line: Json) -> LinkNews | None:
    """Return what a line of the companion says; None for lines that are not for the link."""
    kind = _NEWS.get(str(line.get("kind")))
    return kind.read(line) if kind else None


# --- what the link asks


@dataclass(frozen=True, slots=True)
class TakePlace:
    """Take the link's place; the answer is an `OutboxState`, then news follow."""

    def line(self) -> dict[str, Any]:
        return {"kind": "link", "version": VERSION}

    @classmethod
    def read(cls, facts: Json) -> TakePlace:
        number(facts, "version", VERSION)
        return cls()


@dataclass(frozen=True, slots=True)
class AskEvents:
    """Ask for events from number `seq` on; the answer has `store` and `events`, ready to send."""

    seq: int
    most: int = MOST_EVENTS

    def line(self) -> dict[str, Any]:
        return {"kind": "events", "seq": self.seq, "most": self.most}

    @classmethod
    def read(cls, facts: Json) -> AskEvents:
        most = number({"most": facts.get("most", MOST_EVENTS)}, "most", 1, MOST_EVENTS)
        return cls(number(facts, "seq", 1), most)


@dataclass(frozen=True, slots=True)
class Acked:
    """A hub's ack has come; the answer, an `OutboxState`, comes when it is on the disk."""

    ack: Ack

    def line(self) -> dict[str, Any]:
        return {"kind": "ack", **self.ack.facts()}

    @classmethod
    def read(cls, facts: Json) -> Acked:
        return cls(Ack.read(facts))


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment has come."""

    assignment: Assignment

    def line(self) -> dict[str, Any]:
        return {"kind": "seat", **self.assignment.facts()}

    @classmethod
    def read(cls, facts: Json) -> Assigned:
        return cls(Assignment.read(facts))


@dataclass(frozen=True, slots=True)
class Told:
    """A text has come that the table is to show and say. `say` is the contract's message."""

    say: Say

    def line(self) -> dict[str, Any]:
        facts = self.say.facts()
        # the line's own `id` numbers the request
        return {"kind": "say", "say": facts.pop("id"), **facts}

    @classmethod
    def read(cls, facts: Json) -> Told:
        return cls(Say.read({**facts, "id": facts.get("say")}))


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """Whether the link is connected, and one of WHYS where something is in the way.

    `detail` is a word for the sentence, such as the broker's name or the port.
    """

    connected: bool
    why: str = ""
    detail: str = ""

    def line(self) -> dict[str, Any]:
        return {
            "kind": "status",
            "connected": self.connected,
            "why": self.why,
            "detail": self.detail,
        }

    @classmethod
    def read(cls, facts: Json) -> LinkStatus:
        if type(facts.get("connected")) is not bool:
            raise ContractError("connected must be true or false")
        detail = text({"detail": facts.get("detail", "")}, "detail", MOST_NAME)
        return cls(facts["connected"], choice(facts, "why", WHYS), detail)


LinkRequest = TakePlace | AskEvents | Acked | Assigned | Told | LinkStatus | HubAnswer
"""What the link may ask of the companion."""
_ASKED: Mapping[
    str,
    type[TakePlace]
    | type[AskEvents]
    | type[Acked]
    | type[Assigned]
    | type[Told]
    | type[LinkStatus]
    | type[HubAnswer],
] = {
    "link": TakePlace,
    "events": AskEvents,
    "ack": Acked,
    "seat": Assigned,
    "say": Told,
    "status": LinkStatus,
    "joined": HubAnswer,
}


def read_asked(kind: str, facts: Json) -> LinkRequest:
    """Return what the link asks; ContractError if it is no such request."""
    if kind not in _ASKED:
        raise ContractError("there is no such request")
    return _ASKED[kind].read(facts)


# --- answers


@dataclass(frozen=True, slots=True)
class EventAnswer:
    """Some events of the store, ready to send: one to forty, at most 64 KiB as one payload.

    Empty when there is none with this number or a higher one.
    """

    store: str
    events: tuple[Mapping[str, Any], ...] = field(default=())

    def facts(self) -> dict[str, Any]:
        return {"store": self.store, "events": list(self.events)}

    @classmethod
    def read(cls, facts: Json) -> EventAnswer:
        return cls(word(facts, "store"), tuple(objects(facts, "events", MOST_EVENTS)))


class LinkSource(Protocol):
    """What the link's process needs from the table, through the companion's socket.

    Every method may raise LinkSourceError, after which the process begins anew with a new source.
    """

    def fileno(self) -> int:
        """Return the descriptor to poll, which is ready when something arrives."""

    def outbox(self) -> OutboxState:
        """Return where the outbox stands."""

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        """Return events from this number on, ready to send."""

    def ack(self, ack: Ack) -> OutboxState:
        """Take note of what a hub has acknowledged; durable when this returns."""

    def assign(self, assignment: Assignment) -> None:
        """Pass on an assignment to the table."""

    def say(self, say: Say) -> None:
        """Pass on a text to show and say."""

    def status(self, status: LinkStatus) -> None:
        """Pass on whether the link is connected."""

    def joined(self, answer: HubAnswer) -> None:
        """Pass on what a hub's page has answered."""

    def news(self, timeout_s: float) -> list[LinkNews]:
        """Return what has happened at the table since, waiting for it for at most that long."""

    def close(self) -> None:
        """Free the link's place."""


class LinkSourceError(Exception):
    """The companion cannot be reached; `code` says why.

    `away` (nobody listens), `off` (switched off at the table), `forbidden` (not the link's user),
    `taken` (another link has the place), `lost` (the connection ended).
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code
