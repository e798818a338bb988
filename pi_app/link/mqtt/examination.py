"""Tries the way to the broker step by step, for `beisitzer doctor`."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from pi_app.files.host import clock_is_sure, utc_now
from pi_app.link.contract import topic
from pi_app.link.mqtt.broker import CONNECT_S, Broker, MqttPlace, Publication
from pi_app.link.mqtt.process import address_of
from pi_app.link.mqtt.trouble import ConnectError, LinkFault, LinkTrouble, from_error
from pi_app.settings.schema import LinkSettings

ANSWER_S = 5.0
"""How long the broker may take to answer."""
_REFUSED = 0x80
_FOR_NOBODY = ("signal", "up/doctor")
"""Where a table writes: nobody takes an empty event, or what comes up under another name."""


class BrokerStep(StrEnum):
    """What is tried, in this order."""

    NAME = "name"
    PORT = "port"
    CERTIFICATE = "certificate"
    LOGIN = "login"
    RIGHTS = "rights"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Tried:
    """A step with what was found, or with what is in the way."""

    step: BrokerStep
    found: str = ""
    trouble: LinkTrouble | None = None


class _Answers:
    """Hears what the broker says to a table that writes and reads a little."""

    def __init__(self) -> None:
        self.is_welcome = False
        self.reasons: list[int] = []

    def welcomed(self) -> None:
        self.is_welcome = True

    def came(self, topic: str, payload: bytes, *, retained: bool, mark: str) -> None:
        """Take no notice: that it may be read is all that counts."""

    def published(self, number: int, reason: int) -> None:
        del number
        self.reasons.append(reason)

    def subscribed(self, number: int, reasons: tuple[int, ...]) -> None:
        del number
        self.reasons += reasons


def examine(settings: LinkSettings) -> Iterator[Tried]:
    """Yield each step that was tried; the first one with trouble is the last.

    A link that runs meanwhile loses its connection, because both come under the table's name: for
    a moment, or for half a minute where the broker says that it was taken over.
    """
    try:
        address = address_of(settings)
    except ConnectError as error:
        yield Tried(BrokerStep.LOGIN, trouble=error.trouble)
        return
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        yield Tried(BrokerStep.NAME, trouble=replace(from_error(error), fault=LinkFault.NAME))
        return
    yield Tried(BrokerStep.NAME, str(found[0][4][0]))
    try:
        socket.create_connection((address.host, address.port), CONNECT_S).close()
    except OSError as error:
        yield Tried(BrokerStep.PORT, trouble=from_error(error))
        return
    yield Tried(BrokerStep.PORT, str(address.port))
    yield from _connect(address)
    if not clock_is_sure(utc_now()):
        yield Tried(BrokerStep.CLOCK, trouble=LinkTrouble(LinkFault.CLOCK))


def _connect(address: MqttPlace) -> Iterator[Tried]:
    answers = _Answers()
    broker = Broker(address, None, answers)
    try:
        broker.connect()
    except ConnectError as error:
        yield Tried(BrokerStep.CERTIFICATE, trouble=error.trouble)
        return
    yield Tried(BrokerStep.CERTIFICATE, broker.protection)
    try:
        _turn(broker, lambda: answers.is_welcome)
        if not answers.is_welcome:
            silent = LinkTrouble(LinkFault.SILENT)
            yield Tried(BrokerStep.LOGIN, trouble=broker.lost or silent)
            return
        yield Tried(BrokerStep.LOGIN, address.user)
        broker.subscribe(f"{topic(address.user, 'down')}/#")
        for leaf in _FOR_NOBODY:
            broker.publish(Publication(topic(address.user, leaf), b""))
        wanted = 1 + len(_FOR_NOBODY)
        _turn(broker, lambda: len(answers.reasons) == wanted)
        refused = len(answers.reasons) < wanted or max(answers.reasons) >= _REFUSED
        rights = LinkTrouble(LinkFault.RIGHTS, str(answers.reasons))
        yield Tried(BrokerStep.RIGHTS, trouble=rights if refused else None)
    finally:
        broker.say_goodbye(1.0)


def _turn(broker: Broker, is_done: Callable[[], bool]) -> None:
    """Let the connection work until something is there, or it has taken too long."""
    end = time.monotonic() + ANSWER_S
    while broker.lost is None and not is_done() and time.monotonic() < end:
        select.select([broker.fileno()], [], [], 0.1)
        broker.turn()
