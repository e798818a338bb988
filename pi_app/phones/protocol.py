"""The protocol of the companion's socket: where it is, its lines, requests and errors.

docs/remote.md describes every line.
"""

import os
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from hardware.config import Says
from pi_app.settings.schema import ExtraTable
from pi_app.texts.language import Text, Texts
from pi_app.wire.messages import Message, MessageError, Number, String, read_object

VARIABLE = "BEISITZER_REMOTE"
"""The environment variable that names another file for the socket."""

NAME = "remote.sock"

VERSION = 2
"""The protocol's version, given in the first line."""
REQUEST_LIMIT_BYTES = 8 * 1024
"""The most bytes of a client's line, its line feed included."""
LINE_LIMIT_BYTES = 256 * 1024
"""The most bytes of the companion's line, its line feed included."""
LINK = "link"
"""The request that asks for the link's place."""
_PEER = struct.Struct("3i")
"""The kernel's facts about the other end of the socket: process, user, group."""

Answered = Mapping[str, Any]
"""The answer to a request: `ok` and facts, or `error` and a sentence."""
Reply = Callable[[Answered], None]
"""Takes the answer, from any thread."""
Lines = Callable[[], Mapping[str, Any]]
"""Makes a line when somebody is there to read it."""


@dataclass(frozen=True)
class WebSettings(ExtraTable):
    """The table on phones and tablets."""

    table = "web"
    called = "Phones"

    enabled: Annotated[
        bool, Says("whether browsers in the house may look and, once paired, key", called="On")
    ] = False
    port: Annotated[
        int,
        Says(
            "the port on which pages are served, where the system gives no other",
            1,
            65535,
            called="Port",
        ),
    ] = 8080


# --- the socket


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the socket's file: the named one, the service's, the user's, else next to the log."""
    if named := environ.get(VARIABLE):
        return Path(named)
    if service := environ.get("RUNTIME_DIRECTORY"):
        return Path(service.partition(":")[0]) / NAME
    if user := environ.get("XDG_RUNTIME_DIR"):
        return Path(user) / "beisitzer" / NAME
    import platformdirs

    return platformdirs.user_state_path("beisitzer", appauthor=False) / NAME


def socket_mode(environ: Mapping[str, str] = os.environ) -> int:
    """Return the permissions of the socket's file: for the service's group, else for its owner."""
    return 0o660 if environ.get("RUNTIME_DIRECTORY") else 0o600


# --- requests


class RequestId(Message):
    """The name of a request, which its answer repeats."""

    id: Annotated[str, String(64, raw=True)]


class AskedByLink(RequestId):
    kind: Annotated[str, String(64, raw=True)]


class FromBrowser(Message):
    """A request of a browser; `token` is the browser's secret, if it is paired.

    A request is declared by its class: `kind` is its name in a line and in an address of `/api/`.
    `paired`: only paired browsers may send it.
    """

    kind: ClassVar[str] = ""
    paired: ClassVar[bool] = True

    token: Annotated[str, String(128)] = ""

    def __init_subclass__(cls, kind: str = "", *, paired: bool = True) -> None:
        super().__init_subclass__()
        cls.kind, cls.paired = kind, paired
        if kind:
            REQUESTS[kind] = cls


REQUESTS: dict[str, type[FromBrowser]] = {}
"""Every request by its kind."""


class Timely(FromBrowser):
    """A request that is refused if it is older than the table's state.

    `seen` is the number of the frame or position that the page showed when it was touched, `epoch`
    the companion's run.
    """

    epoch: Annotated[str, String(64)]
    seen: Number


class Once(Timely):
    """A request that is carried out once, even if repeated: `n` numbers a browser's requests."""

    n: Number


class AskWho(FromBrowser, kind="who", paired=False):
    """Whether this browser is paired, and its name."""


class PairBrowser(FromBrowser, kind="pair", paired=False):
    """Pair this browser."""

    code: Annotated[str, String(16)]
    name: Annotated[str, String(64)]


class Rename(FromBrowser, kind="rename"):
    name: Annotated[str, String(64)]


class PressKey(Once, kind="key"):
    """A key, a touched cell of the board, or a text that was typed whole."""

    key: Annotated[str, String(32)] = ""
    tap: Annotated[str, String(32)] = ""
    text: Annotated[str, String(200)] = ""


class PlayMove(Once, kind="play"):
    seat: Number
    move: Annotated[str, String(200)]


class UndoMove(Once, kind="undo"):
    seat: Number


class AskSeats(FromBrowser, kind="seats", paired=False):
    pass


class ClaimSeat(Timely, kind="claim"):
    seat: Number
    over: Number = 0


class ReleaseSeat(Timely, kind="release"):
    seat: Number


class AskGames(FromBrowser, kind="games"):
    """Which games this browser may begin, and the colours of some people in one of them."""

    game: Annotated[str, String(32)] = ""
    players: Annotated[str, String(400)] = ""


class ContinueGame(Timely, kind="continue"):
    """Go on with a game that waits."""

    game: Number


class PlayAgain(Timely, kind="again"):
    """Begin the finished game once more; `tag` and `value` fill in a missing tag."""

    tag: Annotated[str, String(16)] = ""
    value: Annotated[str, String(16)] = ""


class StartGame(PlayAgain, kind="start"):
    """Begin a game with these people, names with commas between them; one may sit here."""

    game: Annotated[str, String(32)]
    me: Annotated[str, String(64)] = ""
    players: Annotated[str, String(400)]


class ShowHand(FromBrowser, kind="hand"):
    """A hand to examine, and the cards and cell touched by a player without help."""

    seat: Number
    cards: Annotated[str, String(200)]
    picked: Annotated[str, String(200)] = ""
    cell: Annotated[str, String(32)] = ""


class AskTip(Timely, kind="tip"):
    seat: Number
    cards: Annotated[str, String(200)]


class InvitePhones(FromBrowser, kind="invite"):
    """Let more phones in."""


class AskHistory(FromBrowser, kind="history"):
    pass


class AskGame(FromBrowser, kind="game"):
    game: Number


class AskStatistics(FromBrowser, kind="statistics"):
    pass


class AskMoments(FromBrowser, kind="moments"):
    name: Annotated[str, String(64)] = ""


class AnswerMoment(FromBrowser, kind="answer"):
    name: Annotated[str, String(64)]
    game: Number
    move: Number
    asked: Number
    played: Annotated[str, String(64)]


class AskNetworks(FromBrowser, kind="networks"):
    pass


class LookAround(FromBrowser, kind="look"):
    pass


class JoinNetwork(FromBrowser, kind="join"):
    name: Annotated[str, String(64)]
    password: Annotated[str, String(64)] = ""
    security: Annotated[str, String(16)]


class ForgetNetwork(FromBrowser, kind="forget"):
    name: Annotated[str, String(64)]


class BadRequestError(ValueError):
    """A line is not a request; the text says why, `id` is the line's `id` or ""."""

    def __init__(self, why: str, identity: str = "") -> None:
        super().__init__(why)
        self.id = identity


@dataclass(frozen=True, slots=True)
class Request:
    """One line of a client: its `id` and the request."""

    id: str
    asked: FromBrowser


def read_request(line: bytes) -> Request:
    """Read one line without its line feed; BadRequestError if it is not a request."""
    if len(line) >= REQUEST_LIMIT_BYTES:  # too long with its line feed
        raise BadRequestError(f"a line has at most {REQUEST_LIMIT_BYTES} bytes")
    try:
        fields = read_object(line)
        identity = RequestId.read(fields).id
    except MessageError as error:
        raise BadRequestError(str(error)) from error
    kind = REQUESTS.get(str(fields.get("kind")))
    if kind is None:
        raise BadRequestError("there is no such request", identity)
    try:
        return Request(identity, kind.read(fields))
    except MessageError as error:
        raise BadRequestError(str(error), identity) from error


def read_link_request(line: bytes) -> Answered | None:
    """Return a line as a request, None for an invalid one."""
    try:
        asked = read_object(line)
        AskedByLink.read(asked)
    except MessageError:
        return None
    return asked


def user_of(connection: socket.socket) -> int:
    """Return the user of the process on the other end, known by the kernel."""
    if not hasattr(socket, "SO_PEERCRED"):  # elsewhere than on Linux the file's mode decides
        return os.getuid()
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(data)
    return int(user)


# --- errors


_UNREADABLE = Text("page", "This cannot be read. Load the page again.")
"""The sentence for every other error, which only an outdated page causes."""
_ERRORS: Mapping[str, tuple[int, Text]] = {
    # the companion's
    "unpaired": (
        401,
        Text("page", "This browser is not paired: System, Phone at the table shows how."),
    ),
    "wrong": (403, Text("page", "This is not the code on show. Each one lasts two minutes.")),
    "wait": (403, Text("page", "Wait a moment before you try again.")),
    "closed": (403, Text("page", "No code is on show: choose System, Phone at the table.")),
    "epoch": (409, Text("page", "The companion was restarted: what was not confirmed is gone.")),
    "n": (409, Text("page", "This was keyed in another window of this browser: reload it.")),
    "old": (409, Text("page", "This was keyed in another window of this browser: reload it.")),
    "busy": (429, Text("page", "That was too much at once. Try again in a moment.")),
    "stale": (409, Text("page", "The table has moved on: this was not done.")),
    "claimed": (409, Text("page", "Somebody else has this seat.")),
    "unclaimed": (409, Text("page", "Take your seat first.")),
    "moved": (409, Text("page", "Somebody has moved since: take it back at the table.")),
    "turn": (409, Text("page", "It is somebody else's turn.")),
    "elsewhere": (
        409,
        Text("page", "The table is busy with something else: go back to the game there."),
    ),
    "cards": (400, Text("page", "These cards cannot be a hand.")),
    "help": (400, Text("page", "Your level of help gives no tips.")),
    "no-wifi": (503, Text("page", "The table cannot do anything about its Wi-Fi now.")),
    "argument-wifi": (400, Text("page", "A password has 8 to 63 characters.")),
    "stays": (409, Text("page", "The table is to stay in its own Wi-Fi: System, Own Wi-Fi there.")),
    "house": (409, Text("page", "This Wi-Fi belongs to the house: a phone cannot forget it.")),
    "none": (404, Text("page", "There is no such thing at the table.")),
    "off": (403, Text("page", "Phones are switched off at the table.")),
    "fault": (500, Text("page", "This failed: beisitzer report collects what helps to mend it.")),
    # the referee says these in its own words
    "illegal": (409, _UNREADABLE),
    "setup": (409, _UNREADABLE),
    # those of the process that serves the pages
    "away": (503, Text("page", "The companion does not answer. Is it switched on?")),
    "host": (403, Text("page", "Open the address that the companion shows: this is not its name.")),
    "network": (403, Text("page", "Join the network that the companion is in.")),
    "origin": (403, Text("page", "Only the companion's own pages may ask for this.")),
    "rate": (429, Text("page", "That was too much at once. Try again in a moment.")),
    "missing": (404, Text("page", "There is no such page here.")),
    "method": (405, _UNREADABLE),
    "slow": (408, _UNREADABLE),
    "long": (413, _UNREADABLE),
    "type": (415, _UNREADABLE),
}
"""The HTTP status of each error that browsers get, and what it says to a person."""
_OTHER = (400, _UNREADABLE)


def refused(tx: Texts, code: str, **more: object) -> Answered:
    """Return the answer to a refused request, in the table's language."""
    return {"error": code, "text": tx(*_ERRORS.get(code, _OTHER)[1]), **more}


def status_of(code: str) -> int:
    """Return the HTTP status of an error."""
    return _ERRORS.get(code, _OTHER)[0]
