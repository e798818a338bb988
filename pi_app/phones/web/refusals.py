"""What is refused before or behind the companion: a status, a code and one sentence."""

import json

from starlette.responses import Response

from pi_app.texts.language import Texts

STATUS = {
    "bad": 400,
    "unpaired": 401,
    "host": 403,
    "network": 403,
    "origin": 403,
    "closed": 403,
    "wrong": 403,
    "missing": 404,
    "none": 404,
    "method": 405,
    "slow": 408,
    **dict.fromkeys(("claimed", "elsewhere", "epoch", "illegal", "n", "old"), 409),
    **dict.fromkeys(("turn", "unclaimed"), 409),
    "long": 413,
    "type": 415,
    "busy": 429,
    "rate": 429,
    "wait": 429,
    "fault": 500,
    "away": 503,
}
"""The companion may refuse by other codes as well: they are 400, a request that was in vain."""

LATER_S = 1


def json_response(facts: object, status: int = 200) -> Response:
    """Return JSON that nobody keeps."""
    headers = {"Cache-Control": "no-store"}
    if status in (429, 503):
        headers["Retry-After"] = str(LATER_S)
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(data, status, headers, "application/json")


def refusal(tx: Texts, code: str) -> Response:
    """Return a refusal of our own; the companion's bring their sentence."""
    return json_response({"error": code, "text": sentence(tx, code)}, STATUS[code])


def sentence(tx: Texts, code: str) -> str:
    """Say what to do about a refusal."""
    match code:
        case "away":
            return tx("page", "The companion does not answer. Is it switched on?")
        case "busy" | "rate":
            return tx("page", "That was too much at once. Try again in a moment.")
        case "host":
            return tx("page", "Open the address that the companion shows: this is not its name.")
        case "network":
            return tx("page", "Join the network that the companion is in.")
        case "origin":
            return tx("page", "Only the companion's own pages may ask for this.")
        case "unpaired":
            return tx("page", "Pair this device first: System, Phone.")
        case "missing":
            return tx("page", "There is no such page here.")
        case "fault":
            return tx("page", "This is a fault. Load the page again.")
        case _:
            return tx("page", "This cannot be read. Load the page again.")
