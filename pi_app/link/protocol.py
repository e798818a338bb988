"""The messages of companion and link on the companion's socket: docs/remote.md, "The link".

The link is a process of its own, which speaks with the network; the companion opens none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from pi_app.link import contract
from pi_app.wire import messages

VERSION = 2
"""The first version of the companion's socket with a place for the link."""
LINE_LIMIT_BYTES = 256 * 1024
"""The longest line to or from the link."""
FEW_RESULTS = 5
"""The most results that the companion writes at once: its keys come first."""
HOST_LIMIT = 253
PASSWORD_LIMIT = 1024

Host = Annotated[str, messages.String(HOST_LIMIT, pattern=r"[A-Za-z0-9][A-Za-z0-9._:-]*", raw=True)]
PortNumber = Annotated[int, messages.Whole(1, 65535)]
Code = Annotated[str, messages.String(64, pattern="[a-z-]*", raw=True)]

# --- messages of the companion


class ClubWanted(messages.Message):
    """The club in the settings."""

    enabled: bool
    host: Host
    port: PortNumber


class HomeWanted(messages.Message):
    """The smart home in the settings."""

    enabled: bool
    host: Host
    port: PortNumber
    user: Annotated[str, messages.String(128)]
    insecure: bool
    discovery: bool


class Wanted(messages.Message):
    """The link's settings; sent again after each change."""

    club: ClubWanted
    home: HomeWanted


class TableEvent(messages.Message):
    """Something happened at the table, at the seat from 1 on (0: at none)."""

    event_type: Literal["turn", "row", "illegal", "win", "help"]
    seat: Annotated[int, messages.Whole(0, contract.SEATS)]


class JoinHub(messages.Message):
    """Ask a hub to let this table join; `number` is for the answer."""

    number: messages.Number
    host: Host
    port: PortNumber
    code: Annotated[str, messages.String(contract.CODE_DIGITS, raw=True)] = field(repr=False)


class KeepHub(messages.Message):
    """People have compared the mark: store the answer to `JoinHub`, and connect."""

    number: messages.Number


class HomePassword(messages.Message):
    """The password for the house's broker, stored in the link's own folder."""

    password: Annotated[str, messages.String(PASSWORD_LIMIT, raw=True)] = field(repr=False)


class SwitchedOff(messages.Message):
    """The link was switched off at the table."""


NEWS: Mapping[str, type[messages.Message]] = {
    "wanted": Wanted,
    "state": contract.TableState,
    "event": TableEvent,
    "join": JoinHub,
    "keep": KeepHub,
    "password": HomePassword,
    "off": SwitchedOff,
}
"""Messages that the companion sends to the link unasked."""


# --- what the link asks


class TakePlace(messages.Message):
    """Take the link's place; the answer is a `Wanted`, then news follow."""

    version: Annotated[int, messages.Whole(VERSION)]


class JoinedClub(messages.Message):
    """The hub to which this link has access: games that begin from now on belong to it."""

    hub: messages.Word
    table: messages.Word
    club: Annotated[str, messages.String(contract.NAME_LIMIT, cut=True)] = ""


class AskResults(messages.Message):
    """Ask for results without a verdict, of games after the number `after`."""

    hub: messages.Word
    after: messages.Number = 0
    few: Annotated[int, messages.Whole(1, FEW_RESULTS)] = FEW_RESULTS


class Results(messages.Message):
    """The answer: results for the hub, and the number to go on after; None at the end."""

    results: Annotated[tuple[dict[str, Any], ...], messages.Items(FEW_RESULTS)]
    after: messages.Number | None


class HubWords(messages.Message):
    """A hub's answer about results. It is confirmed with `Waiting` once it is on the disk.

    `had` and `has` are None for a change that the hub announced by itself.
    """

    hub: messages.Word
    era: messages.Word
    had: messages.Number | None = None
    has: messages.Number | None = None
    verdicts: Annotated[tuple[contract.Verdict, ...], messages.Items(contract.BATCH_RESULTS)] = ()


class Waiting(messages.Message):
    waiting: messages.Number


class Assigned(messages.Message):
    """An assignment from this era of a hub."""

    hub: messages.Word
    era: messages.Word
    assignment: contract.Assignment


class TextToSay(messages.Message):
    """A text for the table to show and speak."""

    say: contract.Say


class LinkStatus(messages.Message):
    """Whether one end is connected, and the current trouble if there is any.

    `detail` is a name for the sentence, such as the hub's address.
    """

    end: Literal["club", "home"]
    connected: bool
    why: Code = ""
    detail: Annotated[str, messages.String(contract.NAME_LIMIT, cut=True)] = ""


class JoinOutcome(messages.Message):
    """A hub's answer to the `JoinHub` of this number, or why the hub could not be asked.

    `fault` is "" or a word of `joining.FAULTS`; `mark` is "" where the system's authorities vouch
    for the hub.
    """

    number: messages.Number
    fault: Code = ""
    table: Annotated[str, messages.String(23)] = ""
    club: Annotated[str, messages.String(contract.NAME_LIMIT, cut=True)] = ""
    mark: Annotated[str, messages.String(40)] = ""


REQUESTS: Mapping[str, type[messages.Message]] = {
    "link": TakePlace,
    "club": JoinedClub,
    "results": AskResults,
    "heard": HubWords,
    "seat": Assigned,
    "say": TextToSay,
    "status": LinkStatus,
    "joined": JoinOutcome,
}
"""Requests that the link may send to the companion."""


def read_asked(kind: str, facts: Mapping[str, Any]) -> messages.Message:
    """Return the link's request; MessageError for an invalid one."""
    if kind not in REQUESTS:
        raise messages.MessageError("there is no such request")
    return REQUESTS[kind].read(facts)
