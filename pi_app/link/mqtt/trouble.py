"""Why there is no connection to the broker, and what to do about it."""

import errno
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pi_app.texts.language import Texts


class LinkFault(StrEnum):
    """What keeps the link from the broker, in the order in which a connection is made."""

    SETTINGS = "settings"
    PASSWORD = "password"  # noqa: S105  # the file could not be read
    CA = "ca"
    NAME = "name"
    PORT = "port"
    AWAY = "away"
    CERTIFICATE = "certificate"
    DATES = "dates"
    TLS = "tls"
    SILENT = "silent"
    VERSION = "version"
    LOGIN = "login"
    REFUSED = "refused"
    TAKEN = "taken"
    TWICE = "twice"
    LOST = "lost"
    RIGHTS = "rights"
    HUB = "hub"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class LinkTrouble:
    """A fault, with what the system or the broker said about it in English, or ""."""

    fault: LinkFault
    details: str = ""


class ConnectError(Exception):
    """There is no connection; `trouble` says why."""

    def __init__(self, trouble: LinkTrouble) -> None:
        super().__init__(f"{trouble.fault}: {trouble.details}")
        self.trouble = trouble


_SENTENCES: Mapping[LinkFault, Callable[[Texts], str]] = {
    LinkFault.SETTINGS: lambda tx: tx(
        "cli", "the settings name no table: set link.user, 8 to 23 of a-z, 0-9 and -"
    ),
    LinkFault.PASSWORD: lambda tx: tx(
        "cli",
        "the password cannot be read: link.password_file names a file of one line that only the "
        "link may read",
    ),
    LinkFault.CA: lambda tx: tx(
        "cli", "the authority's certificate cannot be read: link.ca names a PEM file"
    ),
    LinkFault.NAME: lambda tx: tx(
        "cli", "nobody knows the broker's name: check link.host and the network"
    ),
    LinkFault.PORT: lambda tx: tx(
        "cli", "nothing listens there: check link.port, and start the broker"
    ),
    LinkFault.AWAY: lambda tx: tx(
        "cli", "the broker cannot be reached: check the network and link.host"
    ),
    LinkFault.CERTIFICATE: lambda tx: tx(
        "cli",
        "the broker's certificate is not the one expected: check link.host and link.ca",
    ),
    LinkFault.DATES: lambda tx: tx(
        "cli", "the broker's certificate is not valid today: renew it, or set this machine's clock"
    ),
    LinkFault.TLS: lambda tx: tx(
        "cli", "there is no TLS 1.2 or newer on this port: check link.port and the broker"
    ),
    LinkFault.SILENT: lambda tx: tx("cli", "the broker does not answer: restart it"),
    LinkFault.VERSION: lambda tx: tx(
        "cli", "the broker does not speak MQTT 5: use one that does, such as Mosquitto 2"
    ),
    LinkFault.LOGIN: lambda tx: tx(
        "cli", "the broker refuses this name and password: check link.user and link.password_file"
    ),
    LinkFault.REFUSED: lambda tx: tx("cli", "the broker refuses the connection: look into its log"),
    LinkFault.TAKEN: lambda tx: tx(
        "cli", "another connection has taken this table's place: waiting for 30 seconds"
    ),
    LinkFault.TWICE: lambda tx: tx(
        "cli", "the same card is in two machines: give each table its own, made by the club"
    ),
    LinkFault.LOST: lambda tx: tx("cli", "the connection was lost: trying again"),
    LinkFault.RIGHTS: lambda tx: tx(
        "cli", "the broker forbids this table to write or to read: mend its list of rights"
    ),
    LinkFault.HUB: lambda tx: tx(
        "cli",
        "another hub answers than the one that this table has joined: what it says is ignored",
    ),
    LinkFault.CLOCK: lambda tx: tx(
        "cli",
        "nobody has told this machine the time: until then no certificate's dates are checked",
    ),
}


WHYS: Mapping[LinkFault, str] = {
    LinkFault.SETTINGS: "settings",
    LinkFault.PASSWORD: "settings",
    LinkFault.CA: "certificate",
    LinkFault.NAME: "name",
    LinkFault.PORT: "broker",
    LinkFault.AWAY: "broker",
    LinkFault.CERTIFICATE: "certificate",
    LinkFault.DATES: "certificate",
    LinkFault.TLS: "certificate",
    LinkFault.SILENT: "broker",
    LinkFault.VERSION: "version",
    LinkFault.LOGIN: "login",
    LinkFault.REFUSED: "broker",
    LinkFault.TAKEN: "broker",
    LinkFault.TWICE: "twice",
    LinkFault.LOST: "broker",
    LinkFault.RIGHTS: "rights",
    LinkFault.HUB: "hub",
    LinkFault.CLOCK: "",
}
"""The word for each fault in the companion's protocol."""


def sentence(tx: Texts, fault: LinkFault) -> str:
    """Say what is wrong and what to do."""
    return _SENTENCES[fault](tx)


_EXPIRED = 10
"""OpenSSL's X509_V_ERR_CERT_HAS_EXPIRED."""
_NOT_YET = 9
"""OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID."""


def from_error(error: Exception) -> LinkTrouble:
    """Tell which fault kept a connection from being made."""
    details = f"{type(error).__name__}: {error}"
    if isinstance(error, ssl.SSLCertVerificationError):
        dated = error.verify_code in (_EXPIRED, _NOT_YET)
        return LinkTrouble(
            LinkFault.DATES if dated else LinkFault.CERTIFICATE, error.verify_message
        )
    if isinstance(error, ssl.SSLError):
        return LinkTrouble(LinkFault.TLS, error.reason or details)
    if isinstance(error, socket.gaierror | UnicodeError):  # a name that is none cannot be encoded
        return LinkTrouble(LinkFault.NAME, details)
    if isinstance(error, TimeoutError):
        return LinkTrouble(LinkFault.SILENT, details)
    if isinstance(error, OSError) and error.errno == errno.ECONNREFUSED:
        return LinkTrouble(LinkFault.PORT, details)
    return LinkTrouble(LinkFault.AWAY, details)
