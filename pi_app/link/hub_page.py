"""How a table joins a club: what is asked at its hub's page, and what people compare before.

The companion says what to ask, and the link's process asks it: the companion has no network.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pi_app.link.contract import (
    MOST_ID,
    TABLE,
    ContractError,
    Json,
    choice,
    number,
    word,
)

if TYPE_CHECKING:
    from ssl import SSLContext

PORT = 8443
"""The port of a hub's page if none is named."""
CODE_DIGITS = 6
MOST_HOST = 253
MOST_PEM = 8_000
"""Characters of an authority's certificate; those of hubs have some 700."""
MOST_BODY = 20_000
MOST_PASSWORD = 128
ANSWER_S = 10.0
"""How long the hub may be silent."""
FAULTS = ("", "name", "away", "no-hub", "certificate", "wrong", "closed", "not-open", "hub")
"""Why a table could not join: the hub's name is unknown (`name`), nobody answers (`away`), who
answers is no hub (`no-hub`), another hub answers than the one that was compared (`certificate`),
the code is `wrong`, too many were (`closed`), the hub lets nobody join now (`not-open`), the hub
cannot do it now (`hub`)."""
MARK_DIGITS = 20
"""Digits of an authority's mark: nobody finds another authority with the same 80 bits."""
_PEM = re.compile(
    r"\s*-----BEGIN CERTIFICATE-----\s*([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*"
)
NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which Python has no name."""
_PLACE = re.compile(r"(?:https?://)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?/?")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*")


def place_of(keyed: str) -> tuple[str, int] | None:
    """Return host and port of a hub's page as people key it, None if this is no address."""
    found = _PLACE.fullmatch(keyed.strip().lower())
    if found is None:
        return None
    host, port = found[1].strip("[]"), int(found[2] or PORT)
    return (host, port) if 0 < port < 65536 and _is_host(host) else None


def _is_host(name: str) -> bool:
    return len(name) <= MOST_HOST and _HOST.fullmatch(name) is not None


def one_certificate(pem: str) -> str:
    """Return a certificate's PEM as this program writes it; ContractError unless it is exactly one.

    What is compared and what is trusted later is then the same, whatever came beside it.
    """
    text = base64.b64encode(_der(pem)).decode("ascii")
    rows = "\n".join(text[at : at + 64] for at in range(0, len(text), 64))
    return f"-----BEGIN CERTIFICATE-----\n{rows}\n-----END CERTIFICATE-----\n"


def mark(pem: str) -> str:
    """Return what people compare of an authority: the first digits of its SHA-256, in fours."""
    digits = sha256(_der(pem)).hexdigest()[:MARK_DIGITS].upper()
    return " ".join(digits[at : at + 4] for at in range(0, MARK_DIGITS, 4))


def _der(pem: str) -> bytes:
    found = _PEM.fullmatch(pem) if len(pem) <= MOST_PEM else None
    if found is None:
        raise ContractError("this is not one certificate")
    try:
        return base64.b64decode("".join(found[1].split()), validate=True)
    except binascii.Error as error:
        raise ContractError("this is not one certificate") from error


# --- what companion and link say to each other


@dataclass(frozen=True, slots=True)
class AskHub:
    """Ask a hub for its authority, or, with a `code`, to let this table join.

    Then only a hub whose `authority` (PEM) is this one is asked. `number` is for the answer.
    """

    number: int
    host: str
    port: int = PORT
    authority: str = ""
    code: str = ""

    def line(self) -> dict[str, Any]:
        return {
            "kind": "join",
            "number": self.number,
            "host": self.host,
            "port": self.port,
            "authority": self.authority,
            "code": self.code,
        }

    @classmethod
    def read(cls, facts: Json) -> AskHub:
        authority, code = _string(facts, "authority", MOST_PEM), _string(facts, "code", MOST_ID)
        return cls(
            number(facts, "number"),
            _host(facts),
            number(facts, "port", 1, 65535),
            one_certificate(authority) if authority or code else "",
            code,
        )


@dataclass(frozen=True, slots=True)
class TableAccess:
    """With what a table connects to its club's broker; `authority` is the PEM that it trusts."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    authority: str

    def facts(self) -> dict[str, Any]:
        return {
            "host": self.host,
            "port": self.port,
            "user": self.user,
            "password": self.password,
            "ca_pem": self.authority,
        }

    @classmethod
    def read(cls, facts: Json) -> TableAccess:
        user, password = word(facts, "user"), _string(facts, "password", MOST_PASSWORD)
        if not TABLE.fullmatch(user) or not password or not password.isprintable():
            raise ContractError("this is no table's access")
        authority = one_certificate(_string(facts, "ca_pem", MOST_PEM))
        return cls(_host(facts), number(facts, "port", 1, 65535), user, password, authority)


@dataclass(frozen=True, slots=True)
class HubAnswer:
    """What the hub has answered to the request of this number, or one of FAULTS."""

    number: int
    fault: str = ""
    authority: str = ""
    access: TableAccess | None = None

    def line(self) -> dict[str, Any]:
        return {
            "kind": "joined",
            "number": self.number,
            "fault": self.fault,
            "authority": self.authority,
            "access": self.access and self.access.facts(),
        }

    @classmethod
    def read(cls, facts: Json) -> HubAnswer:
        authority, access = _string(facts, "authority", MOST_PEM), facts.get("access")
        return cls(
            number(facts, "number"),
            choice(facts, "fault", FAULTS),
            one_certificate(authority) if authority else "",
            TableAccess.read(access) if isinstance(access, dict) else None,
        )


def _host(facts: Json) -> str:
    host = _string(facts, "host", MOST_HOST)
    if not _is_host(host):
        raise ContractError("this is no host")
    return host


def _string(facts: Json, name: str, most: int) -> str:
    value = facts.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise ContractError(f"{name} must be a text of at most {most} characters")
    return value


# --- the link's process


def ask(asked: AskHub) -> HubAnswer:
    """Ask a hub's page; every failure is an answer. It may take half a minute."""
    import socket
    import ssl
    from http.client import HTTPException

    try:
        if not asked.code:
            _, body = _fetch(asked, _context(""), "GET", "/ca.pem")
            return HubAnswer(asked.number, authority=one_certificate(body))
        return _join(asked)
    except ssl.SSLCertVerificationError:
        fault = "certificate"
    except (socket.gaierror, UnicodeError):  # a name that is none cannot be encoded
        fault = "name"
    except (ssl.SSLError, HTTPException, ValueError):  # ContractError too
        fault = "no-hub"
    except OSError:
        fault = "away"
    return HubAnswer(asked.number, fault)


def _join(asked: AskHub) -> HubAnswer:
    body = json.dumps({"code": asked.code})
    status, text = _fetch(asked, _context(asked.authority), "POST", "/join", body)
    facts = json.loads(text)
    if not isinstance(facts, dict):
        raise ContractError("this is no answer of a hub")
    if status != 200:
        error = facts.get("error")
        return HubAnswer(asked.number, error if error in ("wrong", "closed", "not-open") else "hub")
    access = TableAccess.read(facts)
    if access.authority != asked.authority:  # what was compared is what is trusted from now on
        return HubAnswer(asked.number, "certificate")
    return HubAnswer(asked.number, access=access)


def _context(authority: str) -> SSLContext:
    """Return what trusts this authority alone, or, for "", whoever answers.

    The name is not checked: a hub's authority signs for nobody else.
    """
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if not authority:
        context.verify_mode = ssl.CERT_NONE
        return context
    context.verify_flags |= ssl.VerifyFlags(NO_CHECK_TIME)  # people have just compared it
    context.load_verify_locations(cadata=authority)
    return context


def _fetch(
    asked: AskHub, context: SSLContext, method: str, path: str, body: str | None = None
) -> tuple[int, str]:
    from http.client import HTTPSConnection

    connection = HTTPSConnection(asked.host, asked.port, timeout=ANSWER_S, context=context)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        data = answer.read(MOST_BODY + 1)
        if len(data) > MOST_BODY or (method == "GET" and answer.status != 200):
            raise ContractError("this is no answer of a hub")
        return answer.status, data.decode("utf-8")
    finally:
        connection.close()
