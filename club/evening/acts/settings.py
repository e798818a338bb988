"""Changes settings of all evenings: password, the club's name, the season."""

from __future__ import annotations

from typing import Annotated

from club.evening.acts.shared import ActFacts, PersonName, act
from club.evening.passwords import set_password
from club.store.database import Writing
from pi_app.wire.messages import String, Whole


@act("password", "new password")
def renew_password(writing: Writing) -> ActFacts:
    """Set a new password for the organiser's page; signed-in devices must enter it."""
    password = set_password(writing)
    writing.act("password")
    return {"password": password}


@act("settings", "settings of the club changed")
def change_settings(
    writing: Writing,
    club: PersonName | None = None,
    since: Annotated[str, String(10, r"|[0-9]{4}-[0-9]{2}-[0-9]{2}")] | None = None,
    best: Annotated[int, Whole(0, 1000)] | None = None,
) -> None:
    """Change the settings that are not None.

    The season counts evenings from the day `since` on ("": all), and each person's `best` ones (0:
    all).
    """
    said = {"club": club, "since": since, "best": best}
    changed = {name: value for name, value in said.items() if value is not None}
    for name, value in changed.items():
        writing.put(name, str(value))
    writing.act("settings", **changed)
