"""Messages on their way from the connection's thread to the one that takes in."""

from __future__ import annotations

import threading
from collections import deque

from club.judging.intake import TableMessage
from club.judging.states import LEAF as STATE
from club.judging.states import state_gist
from pi_app.link.contract import ROOT, ContractError, split_topic

MOST_BYTES = 32 * 1024 * 1024
"""What may wait: beyond it messages are dropped, and their tables told what is there."""
KEPT_BY_TABLES = ("availability", STATE)
"""What tables let the broker keep."""
AT_ONCE = 200
"""Messages in one transaction."""


class Inbox:
    """A queue of messages with a bound; its methods may be called from any thread."""

    def __init__(self) -> None:
        self._messages: deque[TableMessage] = deque()
        self._bytes = 0
        self._condition = threading.Condition()
        self._retained: dict[str, bytes] = {}
        self._arrived = 0
        self._states: dict[str, bytes] = {}
        self.dropped: set[str] = set()
        """Tables whose messages did not fit."""

    def put(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001  # the wire's signature
        """Take a message from the broker; what is of no table's is kept if the broker kept it."""
        if topic.startswith(f"{ROOT}/club/") or topic.endswith("/down/seat"):
            with self._condition:
                if retained and payload:
                    self._retained[topic] = payload
                    self._arrived += 1
            return
        try:
            table, leaf = split_topic(topic)
        except ContractError:
            return
        if retained and leaf not in KEPT_BY_TABLES:
            return  # whoever keeps a result at the broker forges it: the hub asks for none
        if leaf == STATE:
            self._put_state(table, payload)
            return
        self._add(TableMessage(table, leaf, payload))

    def _put_state(self, table: str, payload: bytes) -> None:
        """Take a table's state if it says something new: one comes with every turn."""
        gist = state_gist(payload)
        new = gist is not None and self._states.get(table) != gist
        if gist is not None and new and self._add(TableMessage(table, STATE, payload)):
            self._states[table] = gist

    def forget_states(self) -> None:
        """Take every table's next state, whatever it said before."""
        self._states = {}

    def _add(self, message: TableMessage) -> bool:
        """Return whether the message fits."""
        with self._condition:
            if self._bytes + len(message.payload) > MOST_BYTES:
                self.dropped.add(message.table)
                return False
            self._messages.append(message)
            self._bytes += len(message.payload)
            self._condition.notify()
            return True

    def take(self, timeout_s: float) -> list[TableMessage]:
        """Return what waits, at most AT_ONCE; waits for something for at most that long."""
        with self._condition:
            if not self._messages:
                self._condition.wait(timeout_s)
            count = min(len(self._messages), AT_ONCE)
            taken = [self._messages.popleft() for _ in range(count)]
            self._bytes -= sum(len(message.payload) for message in taken)
            return taken

    def wake(self) -> None:
        with self._condition:
            self._condition.notify()

    @property
    def arrived(self) -> int:
        """How many messages that the broker had kept have come."""
        return self._arrived

    def take_retained(self) -> dict[str, bytes]:
        """Return what the broker had kept, by topic."""
        with self._condition:
            retained, self._retained = self._retained, {}
            return retained
