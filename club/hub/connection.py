"""The hub's connection to its broker: MQTT 5, and nothing remembered there."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from pi_app.link.contract import ROOT

log = logging.getLogger(__name__)

KEEP_ALIVE_S = 15
LIVE = (f"{ROOT}/+/up/hello", f"{ROOT}/+/up/events")
KEPT = (f"{ROOT}/+/availability", f"{ROOT}/+/state")
OURS = (f"{ROOT}/+/down/seat", f"{ROOT}/club/standings", f"{ROOT}/club/round")
"""What a hub wrote and the broker has kept."""
PORTS = {"mqtts": 8883, "mqtt": 1883}


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """Where a broker is, and as whom; `authority` is a PEM file, None: the system's."""

    host: str
    port: int
    tls: bool
    user: str | None = None
    password: str | None = None
    authority: str | None = None


def read_place(url: str, authority: str | None) -> BrokerPlace:
    """Read `mqtts://[USER:PASSWORD@]HOST[:PORT]`; ValueError if it is none."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError(url)
    return BrokerPlace(
        parts.hostname,
        parts.port or PORTS[parts.scheme],
        parts.scheme == "mqtts",
        unquote(parts.username) if parts.username else None,
        unquote(parts.password) if parts.password else None,
        authority,
    )


class BrokerConnection:
    """A connection that is made anew whenever it is lost.

    `take(topic, payload, retained)` and `connected()` are called in its own thread.
    """

    def __init__(
        self,
        place: BrokerPlace,
        client_id: str,
        take: Callable[[str, bytes, bool], None],
        connected: Callable[[], None],
    ) -> None:
        self.up = threading.Event()
        self.refused = ""
        """Why the broker refuses us, "" if it does not."""
        self._take = take
        self._connected = connected
        self._place = place
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=mqtt.MQTTv5
        )
        self._client.reconnect_delay_set(1, 2)
        self._client.max_queued_messages_set(0)
        self._client.max_inflight_messages_set(100)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.on_subscribe = self._on_subscribe
        self._client.on_socket_open = self._on_socket_open
        if place.user is not None:
            self._client.username_pw_set(place.user, place.password)
        if place.tls:
            context = ssl.create_default_context(cafile=place.authority)
            self._client.tls_set_context(context)

    def start(self) -> None:
        self._client.connect_async(
            self._place.host, self._place.port, KEEP_ALIVE_S, clean_start=True
        )
        self._client.loop_start()

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, expires_s: int | None = None
    ) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's
        if expires_s is not None:
            properties.MessageExpiryInterval = expires_s
        self._client.publish(topic, payload, qos=1, retain=retain, properties=properties)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def forget_ours(self) -> None:
        """Hear no more of what we publish ourselves."""
        self._client.unsubscribe(list(OURS))

    @staticmethod
    def _on_socket_open(_client: mqtt.Client, _data: Any, opened: Any) -> None:
        # an ack must not wait for the broker's acknowledgement of the one before
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _on_connect(
        self, client: mqtt.Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        if reason.is_failure:
            self.refused = str(reason)
            log.error("the broker refuses the hub: %s", reason)
            return
        self.refused = ""
        fresh = SubscribeOptions(qos=1, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
        kept = SubscribeOptions(qos=1)
        ours = SubscribeOptions(qos=0, noLocal=True)
        options: Mapping[str, SubscribeOptions] = {
            **dict.fromkeys(LIVE, fresh),
            **dict.fromkeys(KEPT, kept),
            **dict.fromkeys(OURS, ours),
        }
        client.subscribe(list(options.items()))

    def _on_subscribe(
        self, _client: mqtt.Client, _data: Any, _mid: int, reasons: Any, _properties: Any
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self.refused = str(reasons)
            log.error("the broker does not let the hub read: %s", reasons)
            return
        self.up.set()
        self._connected()

    def _on_disconnect(
        self, _client: mqtt.Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        self.up.clear()
        if reason.value != MQTTErrorCode.MQTT_ERR_SUCCESS:
            log.warning("the broker is away: %s", reason)

    def _on_message(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        self._take(message.topic, bytes(message.payload), message.retain)
