"""Puts the link together from the settings."""

import logging
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pi_app.files.host import clock_is_sure, state_folder, utc_now, version
from pi_app.link.contract import MOST_ID, TABLE
from pi_app.link.mqtt.broker import MqttPlace
from pi_app.link.mqtt.security import is_loopback, read_password, tls_context
from pi_app.link.mqtt.session import LinkMemory
from pi_app.link.mqtt.trouble import ConnectError, LinkFault, LinkTrouble
from pi_app.link.protocol import AUTHORITY_COPY, PASSWORD_COPY
from pi_app.settings.schema import LinkSettings

log = logging.getLogger(__name__)

MOST_SERIAL = 256
"""The most bytes of a serial number."""
_SERIALS = (
    # a Pi's, without /proc: the service may not see it
    "sys/firmware/devicetree/base/serial-number",
    "sys/class/dmi/id/product_uuid",
    "sys/class/dmi/id/board_serial",
)


def new_memory() -> LinkMemory:
    """Return what this process is called, new at each start."""
    return LinkMemory(secrets.token_hex(8), machine(), version()[:MOST_ID])


def address_of(settings: LinkSettings, environ: Mapping[str, str] = os.environ) -> MqttPlace:
    """Return where the broker is; ConnectError if the settings or their files do not say it.

    Without TLS only where `insecure` says so, and to this machine itself, if no authority is named
    and the broker there has no TLS.
    """
    if not TABLE.fullmatch(settings.user):
        raise ConnectError(LinkTrouble(LinkFault.SETTINGS, settings.user))
    password = ""
    if settings.password_file:
        password = read_password(_copy_or_own(PASSWORD_COPY, settings.password_file, environ))
    elif not is_loopback(settings.host):
        raise ConnectError(LinkTrouble(LinkFault.PASSWORD, "no link.password_file"))
    tls = None
    if not settings.insecure:
        ca = _copy_or_own(AUTHORITY_COPY, settings.ca, environ) if settings.ca else None
        tls = tls_context(ca, sure=clock_is_sure(utc_now()))
    fall_back = is_loopback(settings.host) and not settings.ca
    return MqttPlace(settings.host, settings.port, settings.user, password, tls, fall_back)


def _copy_or_own(name: str, file: str, environ: Mapping[str, str]) -> Path:
    """Return the path of the service's copy of a file, or of the file itself without a copy."""
    if (folder := state_folder(environ)) is not None:
        with suppress(OSError):
            if (folder / name).stat().st_size:  # an empty copy: the companion had no such file
                return folder / name
    return Path(file).expanduser()


def addresses(settings: LinkSettings) -> Callable[[], MqttPlace]:
    """Return what reads password and certificate anew for each attempt to connect."""
    return lambda: address_of(settings)


def machine(root: Path = Path("/")) -> str:
    """Return a hash of the board's serial number, 16 hexadecimal digits.

    Never of /etc/machine-id, which is copied with the card. Where the board tells no number, it is
    the first network card's; `0` where there is none either.
    """
    for place in _SERIALS:
        if number := _read(root / place):
            return _hash(number)
    found = (_read(each) for each in sorted((root / "sys/class/net").glob("*/address")))
    cards = [number for number in found if number.strip("0:")]  # the loopback has only zeros
    return _hash(cards[0]) if cards else "0"


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST_SERIAL).decode("ascii", "ignore").strip("\0 \n").lower()
    except OSError:
        return ""


def _hash(number: str) -> str:
    return sha256(f"beisitzer {number}".encode()).hexdigest()[:16]
