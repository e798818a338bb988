"""What protects the connection: TLS with a checked certificate, and the password."""

import ipaddress
import ssl
from pathlib import Path

from pi_app.files.regular import read_text
from pi_app.link.hub_page import NO_CHECK_TIME
from pi_app.link.mqtt.trouble import ConnectError, LinkFault, LinkTrouble

MOST_PASSWORD = 1024
"""The most characters of a password."""


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, by name or address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.rstrip(".").lower() == "localhost"


def read_password(path: Path) -> str:
    """Return the one line of the password's file; ConnectError if there is none."""
    try:
        lines = read_text(path, 4 * MOST_PASSWORD).splitlines()
    except (OSError, ValueError) as error:
        raise ConnectError(LinkTrouble(LinkFault.PASSWORD, f"{path}: {error}")) from None
    if len(lines) != 1 or not 0 < len(lines[0]) <= MOST_PASSWORD:
        raise ConnectError(LinkTrouble(LinkFault.PASSWORD, f"{path} is not one line"))
    return lines[0]


class ClosedSocket(ssl.SSLSocket):
    """Closed when its handshake fails: the library leaves that to the garbage collector."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002  # ssl's
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def tls_context(ca: Path | None, *, sure: bool) -> ssl.SSLContext:
    """Return what checks the broker's certificate and name; `ca` None: by the system's authorities.

    Only while the clock is not `sure`, dates are not checked. ConnectError without a usable `ca`.
    """
    try:
        context = ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ValueError) as error:  # an SSLError, for a file that is no PEM, is an OSError
        raise ConnectError(LinkTrouble(LinkFault.CA, f"{ca}: {error}")) from None
    context.sslsocket_class = ClosedSocket
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if ca is not None:
        # a club's own authority need not have all that newer Pythons ask of public ones
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not sure:
        context.verify_flags |= ssl.VerifyFlags(NO_CHECK_TIME)
    return context
