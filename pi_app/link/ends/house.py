"""A table in a smart home: publishes its state to the house's broker, and receives texts to say.

Nothing at home can change a game. All state is published anew on each connection.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable

import aiomqtt

from pi_app.link.contract import Say, TableState, body
from pi_app.link.ends.companion import CompanionError, CompanionTable
from pi_app.link.ends.credentials import LinkFolder
from pi_app.link.ends.home_assistant import STATUS, discovery, topic
from pi_app.link.ends.https import public
from pi_app.link.ends.pauses import Retries
from pi_app.link.protocol import HomeWanted, TableEvent, TextToSay
from pi_app.wire.messages import MessageError, compact, read_object

log = logging.getLogger(__name__)

KEEP_ALIVE_S = 20
ANSWER_S = 10.0
STATE_S = 0.5
"""The least time between two states."""
WAITING_EVENTS = 8
"""The most events that wait for a slow broker; older ones are dropped."""
HOME_VERSION = 1
"""The `v` of an event, and the number in the topics."""
_VERSION_REFUSED = (0x01, 0x84)
_LOGIN_REFUSED = (0x04, 0x05, 0x85, 0x86, 0x87, 0x8C)
"""Client identifier not valid, bad user name or password, not authorized, bad method."""


class House:
    """Serves one broker until its task is cancelled.

    `report` gets the current trouble, or "".
    """

    def __init__(
        self,
        wanted: HomeWanted,
        folder: LinkFolder,
        software: str,
        table: CompanionTable,
        report: Callable[[str], None],
    ) -> None:
        self._wanted = wanted
        self._folder = folder
        self._software = software
        self._table = table
        self._report = report
        self._name = folder.home_table()
        self._state = TableState()
        self._told: TableState | None = None
        self._events: list[TableEvent] = []
        self._is_asked = False
        """Whether Home Assistant has started, and is to be told again what a table is."""
        self._woken = asyncio.Event()

    def show(self, state: TableState) -> None:
        """Store the table's state."""
        self._state = state
        self._woken.set()

    def signal(self, event: TableEvent) -> None:
        """Publish an event, if the broker is connected."""
        self._events = [*self._events, event][-WAITING_EVENTS:]
        self._woken.set()

    async def run(self) -> None:
        """Connect, publish and receive; CompanionError when the companion is gone."""
        backoff = Retries()
        while True:
            try:
                async with self._client() as client:
                    self._report("")
                    backoff.reset()
                    await self._serve(client)
            except* CompanionError as group:
                raise CompanionError("lost", str(group.exceptions[0])) from None
            except* (aiomqtt.MqttError, OSError, ValueError) as errors:
                log.info("the broker: %s", errors.exceptions[0])
                self._report(_why(errors.exceptions[0]))
            await asyncio.sleep(backoff.pause_s())

    def _client(self) -> aiomqtt.Client:
        wanted, password = self._wanted, self._folder.password()
        return aiomqtt.Client(
            wanted.host,
            wanted.port,
            username=wanted.user or None,
            password=password or None,
            identifier=self._name,
            protocol=aiomqtt.ProtocolVersion.V5,
            will=aiomqtt.Will(topic(self._name, "availability"), b"offline", 1, retain=True),
            clean_start=True,
            timeout=ANSWER_S,
            keepalive=KEEP_ALIVE_S,
            tls_context=None if wanted.insecure else self._context(),
        )

    def _context(self) -> ssl.SSLContext:
        context = public(sure=True)
        if (authority := self._folder.home_authority()) is not None:
            context.load_verify_locations(authority)
        return context

    async def _serve(self, client: aiomqtt.Client) -> None:
        """Publish the discovery, then publish and receive until the connection ends."""
        self._events.clear()
        self._told, self._is_asked = None, True
        say = topic(self._name, "say")
        await client.subscribe([(say, 1), (STATUS, 1)])
        await self._publish(client, "availability", b"online", retain=True)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(client))
                tasks.create_task(self._hear(client, say))
        except asyncio.CancelledError:  # the link was told to end
            await self._publish(client, "availability", b"offline", retain=True)
            raise

    async def _tell(self, client: aiomqtt.Client) -> None:
        while True:
            if self._is_asked and self._wanted.discovery:
                place, described = discovery(self._name, self._software)
                await client.publish(place, described, qos=1, retain=True)
            self._is_asked = False
            if self._state != self._told:
                self._told = self._state
                await self._publish(client, "state", _state_data(self._state), retain=True)
            while self._events:
                event = {"v": HOME_VERSION, **self._events.pop(0).facts()}
                await self._publish(client, "signal", compact(event))
            await asyncio.sleep(STATE_S)
            await self._woken.wait()
            self._woken.clear()

    async def _publish(
        self, client: aiomqtt.Client, leaf: str, payload: bytes, *, retain: bool = False
    ) -> None:
        await client.publish(topic(self._name, leaf), payload, qos=1, retain=retain)

    async def _hear(self, client: aiomqtt.Client, say: str) -> None:
        async for message in client.messages:
            if str(message.topic) == STATUS:
                self._is_asked = self._is_asked or message.payload == b"online"
                self._told = None
                self._woken.set()
            elif str(message.topic) == say and not message.retain:
                try:
                    text = TextToSay(say=Say.read(read_object(message.payload)))
                    await self._table.tell("say", text)
                except MessageError as error:
                    log.warning("a text of the house is not valid: %s", error)


def _state_data(state: TableState) -> bytes:
    """Return the state as for a club's hub, without the assignment, and with the lamp."""
    facts = state.facts()
    del facts["assignment"]
    return compact(body(facts))


def _why(error: BaseException) -> str:
    """Return the word of `words.HOME_WORDS` for an error."""
    code = getattr(error, "rc", None)
    number = getattr(code, "value", code)
    text = str(error)
    if number in _VERSION_REFUSED:
        return "version"
    if number in _LOGIN_REFUSED:
        return "login"
    if isinstance(error, aiomqtt.MqttCodeError):
        return "refused"
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "certificate"
    return "name" if "[Errno -" in text else "away"
