"""One connection to an MQTT 5 broker, made anew for every attempt: nothing of an old one is left.

The library's own reconnecting and its threads are not used: `link.py` owns both. A clean start and
a session that ends with its connection make the broker a wire; what must not be lost is with the
companion.
"""

import logging
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from pi_app.link.mqtt.trouble import ConnectError, LinkFault, LinkTrouble, from_error

log = logging.getLogger(__name__)

CONNECT_S = 8.0
"""How long a connection, and then TLS, may take."""
WELCOME_S = 10.0
"""How long the broker may take to say that it accepts the connection."""
KEEP_ALIVE_S = 20
"""After this long without a word the broker is asked whether it is there; as long again, and it is
not."""
MOST_PACKET = 128 * 1024
"""The most bytes of a packet that the broker may send."""
MARK = "boot"
"""The user property with the name of the process that sends a message."""
_TAKEN_OVER = 0x8E
_NOT_SUPPORTED = 0x84
_LOGIN = (0x85, 0x86, 0x87, 0x8C)
"""Client identifier not valid, bad user name or password, not authorized, bad method."""


@dataclass(frozen=True, slots=True)
class MqttPlace:
    """Where the broker is, and who comes: user name and client id are the same."""

    host: str
    port: int
    user: str
    password: str
    tls: ssl.SSLContext | None
    """None: no TLS."""
    fall_back: bool = False
    """Whether a broker without TLS is accepted: only ever for this machine itself."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A message to be published; `expires_s` None: never."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    expires_s: int | None = None
    mark: str = ""
    """Who sends it, as a user property MARK: subscribers see it beside the payload."""


class BrokerListener(Protocol):
    """Who hears of a connection; called only from within `Broker.turn`."""

    def welcomed(self) -> None:
        """Subscribe and publish: the broker has accepted the connection."""

    def came(self, topic: str, payload: bytes, *, retained: bool, mark: str) -> None:
        """Take a message; `mark` is its sender's, or ""."""

    def published(self, number: int, reason: int) -> None:
        """Note that the broker has a message; from reason 0x80 on it has refused it."""

    def subscribed(self, number: int, reasons: tuple[int, ...]) -> None:
        """Note the answer to a subscription; from 0x80 on a filter is refused."""


class Broker:
    """A connection to the broker at `address`, with `will` left with it.

    `connect` blocks, all else does not: call `turn` whenever the socket is ready or a second has
    gone by. When `lost` is no longer None the connection has ended.
    """

    def __init__(
        self,
        address: MqttPlace,
        will: Publication | None,
        listener: BrokerListener,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lost: LinkTrouble | None = None
        self.is_welcome = False
        self.is_plain = address.tls is None
        self._address = address
        self._listener = listener
        self._clock = clock
        self._deadline = clock() + CONNECT_S * 2 + WELCOME_S
        self._will = will
        self._numbers: set[int] = set()
        """The messages that the broker has not confirmed."""
        self._client = self._made(address.tls)

    def connect(self) -> None:
        """Connect and send the first packet; ConnectError says what did not work."""
        try:
            self._open(self._client)
        except ConnectError as error:
            if not (self._address.fall_back and error.trouble.fault is LinkFault.TLS):
                raise
            log.info("no TLS at %s, which is this machine", self._address.host)
            self._client = self._made(None)
            self.is_plain = True
            self._open(self._client)
        self._deadline = self._clock() + WELCOME_S

    @property
    def protection(self) -> str:
        """What protects the connection, such as `TLSv1.3`, or "" without TLS."""
        link = self._client.socket()
        return str(link.version()) if isinstance(link, ssl.SSLSocket) else ""

    def fileno(self) -> int:
        """Return the socket to wait for; -1 without one."""
        link = self._client.socket()
        return -1 if link is None else int(link.fileno())

    @property
    def wants_write(self) -> bool:
        """Whether something waits until the socket takes more."""
        return bool(self._client.want_write())

    def turn(self) -> None:
        """Read, write and check what is due; calls the listener."""
        if self.lost is not None:
            return
        with self._guarded():
            self._read()
            if self._client.want_write():
                self._note(self._client.loop_write())
            self._note(self._client.loop_misc())
        if not self.is_welcome and self._clock() >= self._deadline:
            self._lose(LinkTrouble(LinkFault.SILENT, "no CONNACK"))

    def publish(self, letter: Publication) -> int:
        """Hand a message over; return its number, which `published` repeats, or 0."""
        if self.lost is not None:
            return 0
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's
        if letter.expires_s is not None:
            properties.MessageExpiryInterval = letter.expires_s
        if letter.mark:
            properties.UserProperty = (MARK, letter.mark)
        with self._guarded():
            sent = self._client.publish(
                letter.topic, letter.payload, letter.qos, letter.retain, properties
            )
            if letter.qos:
                self._numbers.add(sent.mid)
            return sent.mid
        return 0

    def subscribe(self, *filters: str) -> int:
        """Subscribe to filters; return the number that `subscribed` repeats, or 0."""
        wanted = [(each, SubscribeOptions(qos=1)) for each in filters]
        with self._guarded():
            _, number = self._client.subscribe(wanted)
            return number or 0
        return 0

    def say_goodbye(self, within_s: float) -> None:
        """Send what waits, disconnect without the will being sent, and close."""
        self._flush(within_s)
        with self._guarded():
            self._client.disconnect()
            self._flush(0.1)
        self.close()

    def _flush(self, within_s: float) -> None:
        """Write, and read the answers, until nothing waits or the time is up."""
        end = self._clock() + within_s
        while self.lost is None and self._clock() < end:
            self.turn()
            if not self.wants_write and not self._numbers:
                return
            self._wait(0.05)

    def close(self) -> None:
        """Close the socket, whatever waits."""
        link = self._client.socket()
        if link is not None:
            link.close()
        if self.lost is None:
            self.lost = LinkTrouble(LinkFault.LOST, "closed")

    # --- inside

    def _made(self, tls: ssl.SSLContext | None) -> Client:
        address = self._address
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=address.user,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.username_pw_set(address.user, address.password)
        client.connect_timeout = CONNECT_S
        client.suppress_exceptions = False
        if tls is not None:
            client.tls_set_context(tls)
        if self._will is not None:
            will = self._will
            properties = Properties(PacketTypes.WILLMESSAGE)  # type: ignore[no-untyped-call]
            if will.mark:
                properties.UserProperty = (MARK, will.mark)
            client.will_set(will.topic, will.payload, will.qos, will.retain, properties)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_subscribe = self._on_subscribe
        return client

    def _open(self, client: Client) -> None:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
        properties.SessionExpiryInterval = 0
        properties.MaximumPacketSize = MOST_PACKET
        address = self._address
        try:
            client.connect(
                address.host,
                address.port,
                keepalive=KEEP_ALIVE_S,
                clean_start=True,
                properties=properties,
            )
        except (ssl.SSLEOFError, ConnectionResetError, BrokenPipeError) as error:
            raise ConnectError(
                LinkTrouble(LinkFault.TLS, f"{type(error).__name__}: {error}")
            ) from None
        except (OSError, ValueError) as error:
            raise ConnectError(from_error(error)) from None

    def _read(self) -> None:
        """Read all that is there: TLS may hold packets back for which no socket becomes ready."""
        client = self._client
        for _ in range(100):  # other work has its turn too
            link = client.socket()
            if link is None:
                return
            if not _has_bytes(link):
                return
            self._note(client.loop_read())

    def _note(self, code: MQTTErrorCode) -> None:
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS and self.lost is None:
            self._lose(self._how_lost(f"{code.name}"))

    def _how_lost(self, details: str) -> LinkTrouble:
        if self.is_welcome:
            return LinkTrouble(LinkFault.LOST, details)
        # one that only knows an older protocol may answer nothing and close
        return LinkTrouble(LinkFault.VERSION, f"closed without an answer ({details})")

    def _lose(self, trouble: LinkTrouble) -> None:
        if self.lost is None:
            self.lost = trouble
        link = self._client.socket()
        if link is not None:
            link.close()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Take whatever a hostile packet makes the library raise for a lost connection."""
        try:
            yield
        except Exception as error:  # a broker may send any bytes
            log.debug("the connection failed", exc_info=error)
            self._lose(self._how_lost(f"{type(error).__name__}: {error}"))

    def _wait(self, seconds: float) -> None:
        import select

        number = self.fileno()
        if number >= 0:
            select.select([number], [], [], seconds)

    def _on_connect(
        self, _client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _p: Any
    ) -> None:
        if not reason.is_failure:
            self.is_welcome = True
            self._listener.welcomed()
            return
        name = reason.getName()
        if reason.value == _NOT_SUPPORTED or "protocol version" in name.lower():
            self._lose(LinkTrouble(LinkFault.VERSION, name))
        elif reason.value in _LOGIN:
            self._lose(LinkTrouble(LinkFault.LOGIN, name))
        else:
            self._lose(LinkTrouble(LinkFault.REFUSED, name))

    def _on_disconnect(
        self, _client: Client, _data: Any, flags: DisconnectFlags, reason: ReasonCode, _p: Any
    ) -> None:
        if flags.is_disconnect_packet_from_server:
            taken = reason.value == _TAKEN_OVER
            self._lose(LinkTrouble(LinkFault.TAKEN if taken else LinkFault.LOST, reason.getName()))
        else:
            self._lose(self._how_lost(reason.getName()))

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        given = getattr(message.properties, "UserProperty", [])
        mark = next((str(value) for name, value in given if name == MARK), "")
        self._listener.came(
            message.topic, bytes(message.payload), retained=bool(message.retain), mark=mark
        )

    def _on_publish(
        self, _client: Client, _data: Any, number: int, reason: ReasonCode, _p: Any
    ) -> None:
        if number in self._numbers:  # one without an answer is "published" when it is written
            self._numbers.discard(number)
            self._listener.published(number, reason.value)

    def _on_subscribe(
        self, _client: Client, _data: Any, number: int, reasons: list[ReasonCode], _p: Any
    ) -> None:
        self._listener.subscribed(number, tuple(each.value for each in reasons))


def _has_bytes(link: Any) -> bool:
    """Tell whether a socket has something to read now, or has been closed."""
    if isinstance(link, ssl.SSLSocket) and link.pending():
        return True
    import select

    poll = select.poll()
    poll.register(link, select.POLLIN)
    return bool(poll.poll(0))
