"""The protocol of the companion's socket: where it is, its lines, requests and errors.

docs/remote.md describes every line.
"""

import os
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from hardware.config import Says
from pi_app.settings.schema import ExtraTable
from pi_app.texts.language import Texts
from pi_app.wire.messages import Message, MessageError, Number, String, read_object

VARIABLE = "BEISITZER_REMOTE"
"""The environment variable that names another file for the socket."""

NAME = "remote.sock"

VERSION = 2
"""The protocol's version, which the first line says."""
MOST_REQUEST = 8 * 1024
"""The most bytes of a client's line, its line feed included."""
MOST_LINE = 256 * 1024
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

    enabled: Annotated[
        bool, Says("whether browsers in the house may look and, once paired, key")
    ] = False
    port: Annotated[
        int, Says("the port on which pages are served, where the system gives no other", 1, 65535)
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
    """A request that any browser may send; `token` is its secret, if it is paired."""

    token: Annotated[str, String(128)] = ""


class Timely(FromBrowser):
    """A request that is refused if it is older than the table's state.

    `seen` is the number of the frame or position that the page showed when it was touched, `epoch`
    the companion's run.
    """

    epoch: Annotated[str, String(64)]
    seen: Number


class Once(Timely):
    """A request that is carried out once, even if repeated: `n` numbers a tab's requests."""

    tab: Annotated[str, String(32)] = ""
    n: Number


class AskWho(FromBrowser):
    tab: Annotated[str, String(32)] = ""


class PairBrowser(FromBrowser):
    tab: Annotated[str, String(32)] = ""
    code: Annotated[str, String(16)]
    name: Annotated[str, String(64)]
    called: Annotated[str, String(64)] = ""


class Rename(FromBrowser):
    name: Annotated[str, String(64)]


class PressKey(Once):
    key: Annotated[str, String(32)] = ""
    tap: Annotated[str, String(32)] = ""


class PlayMove(Once):
    seat: Number
    move: Annotated[str, String(200)]


class UndoMove(Once):
    seat: Number


class AskSeats(FromBrowser):
    pass


class ClaimSeat(Timely):
    seat: Number
    over: Number = 0


class ReleaseSeat(Timely):
    seat: Number


class AskGames(FromBrowser):
    """Which games this browser may begin."""


class ContinueGame(Timely):
    """Go on with the game that waits."""


class PlayAgain(Timely):
    """Begin the finished game once more; `tag` and `value` fill in a missing tag."""

    tag: Annotated[str, String(16)] = ""
    value: Annotated[str, String(16)] = ""


class StartGame(PlayAgain):
    """Begin a game with these people, names with commas between them; one may sit here."""

    game: Annotated[str, String(32)]
    me: Annotated[str, String(64)] = ""
    players: Annotated[str, String(400)]


class ShowHand(FromBrowser):
    """A hand that a phone asks about, and what a player without help touched: cards, a cell."""

    seat: Number
    cards: Annotated[str, String(200)]
    picked: Annotated[str, String(200)] = ""
    cell: Annotated[str, String(32)] = ""


class AskTip(Timely):
    seat: Number
    cards: Annotated[str, String(200)]


class InvitePhones(FromBrowser):
    """Let more phones in."""


class AskHistory(FromBrowser):
    page: Number = 0


class AskGame(FromBrowser):
    game: Number


class AskStatistics(FromBrowser):
    pass


class AskMoments(FromBrowser):
    name: Annotated[str, String(64)] = ""


class AnswerMoment(FromBrowser):
    name: Annotated[str, String(64)]
    game: Number
    move: Number
    asked: Number
    played: Annotated[str, String(64)]


class AskNetworks(FromBrowser):
    pass


class LookAround(FromBrowser):
    pass


class JoinNetwork(FromBrowser):
    name: Annotated[str, String(64)]
    password: Annotated[str, String(64)] = ""
    security: Annotated[str, String(16)]


class ForgetNetwork(FromBrowser):
    name: Annotated[str, String(64)]


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of request; `Reception` knows who answers it.

    `paired`: only paired browsers may send it. `looks`: it changes nothing; pages send it by GET.
    """

    kind: str
    message: type[FromBrowser]
    paired: bool = True
    looks: bool = False


REQUESTS: Mapping[str, Ask] = {
    ask.kind: ask
    for ask in (
        Ask("who", AskWho, paired=False, looks=True),
        Ask("pair", PairBrowser, paired=False),
        Ask("rename", Rename),
        Ask("key", PressKey),
        Ask("play", PlayMove),
        Ask("undo", UndoMove),
        Ask("seats", AskSeats, paired=False, looks=True),
        Ask("claim", ClaimSeat),
        Ask("release", ReleaseSeat),
        Ask("games", AskGames, looks=True),
        Ask("continue", ContinueGame),
        Ask("again", PlayAgain),
        Ask("start", StartGame),
        Ask("hand", ShowHand),
        Ask("tip", AskTip),
        Ask("invite", InvitePhones),
        Ask("history", AskHistory, looks=True),
        Ask("game", AskGame, looks=True),
        Ask("statistics", AskStatistics, looks=True),
        Ask("moments", AskMoments, looks=True),
        Ask("answer", AnswerMoment),
        Ask("networks", AskNetworks, looks=True),
        Ask("look", LookAround),
        Ask("join", JoinNetwork),
        Ask("forget", ForgetNetwork),
    )
}
"""Every request by its kind."""


class BadRequestError(ValueError):
    """A line is not a request; the text says why, `id` is the line's `id` or ""."""

    def __init__(self, why: str, identity: str = "") -> None:
        super().__init__(why)
        self.id = identity


@dataclass(frozen=True, slots=True)
class Request:
    """One line of a client: its kind, its `id` and the request."""

    kind: Ask
    id: str
    asked: FromBrowser


def read_request(line: bytes) -> Request:
    """Read one line without its line feed; BadRequestError if it is not a request."""
    if len(line) >= MOST_REQUEST:  # with its line feed it is longer than allowed
        raise BadRequestError(f"a line has at most {MOST_REQUEST} bytes")
    try:
        fields = read_object(line)
        identity = RequestId.read(fields).id
    except MessageError as error:
        raise BadRequestError(str(error)) from error
    kind = REQUESTS.get(str(fields.get("kind")))
    if kind is None:
        raise BadRequestError("there is no such request", identity)
    try:
        return Request(kind, identity, kind.message.read(fields))
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
    """Return the user whose process is on the other end, as the kernel knows it."""
    if not hasattr(socket, "SO_PEERCRED"):  # elsewhere than on Linux the file's mode decides
        return os.getuid()
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(data)
    return int(user)


# --- errors


def _elsewhere_keyed(tx: Texts) -> str:
    return tx("page", "This was keyed in another window of this browser: reload it.")


def _too_much(tx: Texts) -> str:
    return tx("page", "That was too much at once. Try again in a moment.")


def _unreadable(tx: Texts) -> str:
    return tx("page", "This cannot be read. Load the page again.")


_REFUSALS: Mapping[str, tuple[int, Callable[[Texts], str]]] = {
    # the companion's
    "unpaired": (
        401,
        lambda tx: tx("page", "This browser is not paired: System, Phone at the table shows how."),
    ),
    "wrong": (
        403,
        lambda tx: tx("page", "This is not the code on show. Each one lasts two minutes."),
    ),
    "wait": (403, lambda tx: tx("page", "Wait a moment before you try again.")),
    "closed": (
        403,
        lambda tx: tx("page", "No code is on show: choose System, Phone at the table."),
    ),
    "epoch": (
        409,
        lambda tx: tx("page", "The companion was restarted: what was not confirmed is gone."),
    ),
    "n": (409, _elsewhere_keyed),
    "old": (409, _elsewhere_keyed),
    "busy": (429, _too_much),
    "stale": (409, lambda tx: tx("page", "The table has moved on: this was not done.")),
    "claimed": (409, lambda tx: tx("page", "Somebody else has this seat.")),
    "unclaimed": (409, lambda tx: tx("page", "Take your seat first.")),
    "moved": (409, lambda tx: tx("page", "Somebody has moved since: take it back at the table.")),
    "turn": (409, lambda tx: tx("page", "It is somebody else's turn.")),
    "elsewhere": (
        409,
        lambda tx: tx("page", "The table is busy with something else: go back to the game there."),
    ),
    "illegal": (409, _unreadable),
    "setup": (409, _unreadable),
    "cards": (400, lambda tx: tx("page", "These cards cannot be a hand.")),
    "help": (400, lambda tx: tx("page", "Your level of help gives no tips.")),
    "no-wifi": (
        503,
        lambda tx: tx("page", "The table cannot do anything about its Wi-Fi now."),
    ),
    "argument-wifi": (400, lambda tx: tx("page", "A password has 8 to 63 characters.")),
    "stays": (
        409,
        lambda tx: tx("page", "The table is to stay in its own Wi-Fi: System, Own Wi-Fi there."),
    ),
    "house": (
        409,
        lambda tx: tx("page", "This Wi-Fi belongs to the house: a phone cannot forget it."),
    ),
    "none": (404, lambda tx: tx("page", "There is no such thing at the table.")),
    "off": (403, lambda tx: tx("page", "Phones are switched off at the table.")),
    # the link's: it knows them by their codes
    "forbidden": (403, _unreadable),
    "taken": (409, _unreadable),
    "hub": (409, _unreadable),
    "store": (409, _unreadable),
    "trouble": (503, _unreadable),
    "bad": (400, _unreadable),
    "long": (413, _unreadable),
    "fault": (
        500,
        lambda tx: tx("page", "This failed: beisitzer report collects what helps to mend it."),
    ),
    # errors of the process that serves the pages
    "away": (
        503,
        lambda tx: tx("page", "The companion does not answer. Is it switched on?"),
    ),
    "host": (
        403,
        lambda tx: tx("page", "Open the address that the companion shows: this is not its name."),
    ),
    "network": (403, lambda tx: tx("page", "Join the network that the companion is in.")),
    "origin": (403, lambda tx: tx("page", "Only the companion's own pages may ask for this.")),
    "rate": (429, _too_much),
    "missing": (404, lambda tx: tx("page", "There is no such page here.")),
    "method": (405, _unreadable),
    "slow": (408, _unreadable),
    "type": (415, _unreadable),
}
"""For each error its HTTP status and its sentence; `illegal` and `setup` have the
referee's."""


def refused(tx: Texts, code: str, **more: object) -> Answered:
    """Return the answer to a refused request, in the table's language."""
    return {"error": code, "text": _REFUSALS[code][1](tx), **more}


def status_of(code: str) -> int:
    """Return the HTTP status of an error."""
    return _REFUSALS[code][0] if code in _REFUSALS else 400
