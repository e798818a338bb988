"""A paired phone's requests about the table's Wi-Fi: networks, joining, forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pi_app.card.helper import HelperError
from pi_app.network.pages import AskWifi, ask_wifi, reason_line, status_line
from pi_app.phones.protocol import ForgetNetwork, FromBrowser, JoinNetwork, LookAround, refused
from pi_app.screens.context import Context


def answer_phone(ctx: Context, asked: FromBrowser, ask: AskWifi = ask_wifi) -> Mapping[str, Any]:
    """Carry out a request; called outside the loop, as a scan takes seconds."""
    tx = ctx.texts
    try:
        if isinstance(asked, JoinNetwork):
            values = {"name": asked.name, "password": asked.password, "kind": asked.security}
            return {"ok": True, **ask("join", **values)}
        if isinstance(asked, ForgetNetwork):
            ask("forget", name=asked.name)
        status = ask("look" if isinstance(asked, LookAround) else "status")
    except HelperError as error:
        return refused(tx, _REFUSALS.get(error.code, "no-wifi"))
    return {
        "ok": True,
        "link": status["link"],
        "name": status["name"],
        "own": status["own"],
        "asked": status["asked"],
        "age": status["age_s"],
        "where": status_line(tx, status),
        "why": reason_line(tx, status),
        "known": status["known"],
        "networks": status["networks"],
    }


_REFUSALS: Mapping[str, str] = {
    "argument": "argument-wifi",
    "password": "argument-wifi",
    "request": "argument-wifi",
    "stays": "stays",
    "house": "house",
}
"""The sentence for a phone by the service's error code."""
