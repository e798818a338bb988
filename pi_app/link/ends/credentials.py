"""The secrets in the link's own folder: access to its club and its house, and a machine id.

The companion cannot read it, and no secret leaves the link's process.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from engines.notation import decode_text
from pi_app.link import contract
from pi_app.link.protocol import PASSWORD_LIMIT
from pi_app.system.replace import PRIVATE, write_safely
from pi_app.wire.messages import Message, MessageError, String, Word, read_object

CLUB_FILE = "club.json"
PASSWORD_FILE = "home-password"  # noqa: S105  # a file's name
HOME_AUTHORITY_FILE = "home-ca.pem"
HOME_TABLE_FILE, MACHINE_FILE = "home-table", "machine"
FILE_LIMIT_BYTES = 64 * 1024
SERIAL_LIMIT_BYTES = 256
_SERIALS = (
    # a Pi's; outside of /proc, which the service may not see
    "sys/firmware/devicetree/base/serial-number",
    "sys/class/dmi/id/product_uuid",
    "sys/class/dmi/id/board_serial",
)


class ClubAccess(Message):
    """A hub's access for this table; `ca_pem` None: the system's authorities vouch for the hub."""

    hub: Word
    table: contract.TableId
    token: Annotated[str, String(128, pattern=r"[!-~]{1,128}", raw=True)] = field(repr=False)
    ca_pem: Annotated[str, String(contract.PEM_LIMIT, raw=True)] | None = None
    club: Annotated[str, String(contract.NAME_LIMIT, cut=True)] = ""


class LinkFolder:
    """The link's own folder."""

    def __init__(self, path: Path, root: Path = Path("/")) -> None:
        self._path = path
        self._root = root

    def club(self) -> ClubAccess | None:
        """Return the access to the club; None if there is none, or it is unreadable."""
        try:
            access = ClubAccess.read(read_object(self._read(CLUB_FILE)))
            if access.ca_pem is not None:
                contract.one_certificate(access.ca_pem)
        except MessageError:
            return None
        return access

    def keep_club(self, access: ClubAccess) -> None:
        """Store the access to a club; OSError if it cannot be written."""
        self._write(CLUB_FILE, json.dumps(access.facts()))

    def password(self) -> str:
        """Return the password of the house's broker, "" without one."""
        try:
            text = decode_text(self._read(PASSWORD_FILE))
        except UnicodeDecodeError:
            return ""
        return text.strip("\r\n")[:PASSWORD_LIMIT]

    def keep_password(self, password: str) -> None:
        self._write(PASSWORD_FILE, f"{password}\n")

    def home_authority(self) -> Path | None:
        """Return the authority of the house's broker; None for the system's authorities."""
        path = self._path / HOME_AUTHORITY_FILE
        return path if path.is_file() else None

    def home_table(self) -> str:
        """Return this table's name in the house, made once."""
        return self._once(HOME_TABLE_FILE, f"table-{contract.random_word(6)}")

    def machine(self, access: ClubAccess) -> str:
        """Return a hash of the board's serial number, salted with the authority's fingerprint.

        Never of /etc/machine-id, which is copied with the card. Without a serial number, it is a
        random one stored in this folder, which no image of a card has.
        """
        numbers = (_serial(self._root / place) for place in _SERIALS)
        number = next(filter(None, numbers), "") or self._once(MACHINE_FILE, secrets.token_hex(16))
        salt = "" if access.ca_pem is None else contract.fingerprint(access.ca_pem)
        return sha256(f"beisitzer {salt} {number}".encode()).hexdigest()[:32]

    def _once(self, name: str, made: str) -> str:
        """Return a stored word, at first `made`."""
        kept = self._read(name).decode("ascii", "ignore").strip()
        if not kept:
            self._write(name, f"{made}\n")
        return kept or made

    def _read(self, name: str) -> bytes:
        try:
            with (self._path / name).open("rb") as file:
                return file.read(FILE_LIMIT_BYTES)
        except OSError:
            return b""

    def _write(self, name: str, text: str) -> None:
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_safely(self._path / name, text.encode(), PRIVATE)


def _serial(path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(SERIAL_LIMIT_BYTES).decode("ascii", "ignore").strip("\0 \n").lower()
    except OSError:
        return ""
    return text if any(sign.isdigit() for sign in text) and text.strip("0-") else ""
