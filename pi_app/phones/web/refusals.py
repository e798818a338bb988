"""Answers to browsers: JSON that nobody keeps."""

import json

from starlette.responses import Response

from pi_app.phones.protocol import refused, status_of
from pi_app.texts.language import Texts

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
    return json_response(refused(tx, code), status_of(code))
