"""Asks a club's hub to let this table in, for the link's process."""

from __future__ import annotations

from pi_app.link.contract import ROOT, JoinAnswer, JoinAsked, one_certificate
from pi_app.link.ends import https
from pi_app.link.ends.credentials import ClubAccess
from pi_app.link.protocol import JoinHub
from pi_app.wire.messages import MessageError


class JoinError(Exception):
    """The hub has not let this table in; `fault` is one of FAULTS."""

    def __init__(self, fault: str, details: str = "") -> None:
        super().__init__(f"{fault}: {details}")
        self.fault = fault


async def ask_to_join(
    asked: JoinHub, nonce: str, software: str, known: ClubAccess | None, *, sure: bool
) -> ClubAccess:
    """Return the hub's access for the code; JoinError if it refuses.

    It asks any server that answers. Safety comes from two checks: the authority in the answer has
    signed the server's certificate, and people compare this authority's mark. The previous club's
    token is sent only to the hub that gave it.
    """
    try:
        connection, token = await _first(asked, known, sure=sure)
        try:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            question = JoinAsked(code=asked.code, nonce=nonce, software=software).facts()
            reply = await connection.request("POST", f"{ROOT}/join", headers, question)
            answer = _read_reply(reply)
            leaf = connection.leaf
        finally:
            connection.close()
        authority = None if answer.ca_pem is None else one_certificate(answer.ca_pem)
        context = (
            https.public(sure=sure) if authority is None else https.pinned(authority, sure=sure)
        )
        vouched = await https.HubConnection.connect(asked.host, asked.port, context)
        is_same = vouched.leaf == leaf
        vouched.close()
    except https.ConnectError as error:
        raise JoinError(error.code, str(error)) from None
    except (https.LostError, TimeoutError, MessageError, OSError) as error:
        raise JoinError("no-hub", str(error)) from None
    if not is_same:
        raise JoinError("certificate", "another one was shown")
    return ClubAccess(
        hub=answer.hub,
        table=answer.table,
        token=answer.token,
        ca_pem=authority,
        club=answer.club,
    )


async def _first(
    asked: JoinHub, known: ClubAccess | None, *, sure: bool
) -> tuple[https.HubConnection, str]:
    """Return a connection, and the token for this table's own hub only."""
    if known is not None and known.ca_pem is not None:
        try:
            context = https.pinned(known.ca_pem, sure=sure)
            return await https.HubConnection.connect(asked.host, asked.port, context), known.token
        except https.ConnectError as error:
            if error.code != "certificate":
                raise
    return await https.HubConnection.connect(asked.host, asked.port, https.unverified()), ""


def _read_reply(reply: https.HubReply) -> JoinAnswer:
    if reply.status == 200:
        return JoinAnswer.read(reply.facts())
    fault = "busy" if reply.status in (429, 503) else "no-hub"
    if reply.status == 403 and reply.error in ("code", "closed"):
        fault = reply.error
    raise JoinError(fault, f"{reply.status} {reply.error}")
