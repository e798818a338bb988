"""Changes what holds for every evening: password, the club's name, strengths, the season."""

from __future__ import annotations

from typing import Annotated

from club.evening.acts.shared import ActFacts, Nothing
from club.evening.passwords import new_password, set_password
from club.store.database import Writing
from pi_app.wire.messages import Message, String, Whole


def renew_password(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Set a new password for the organiser's page; whoever is in has to say it."""
    password = new_password()
    set_password(writing, password)
    writing.act(who, "password")
    return {"password": password}


class HubSettings(Message):
    """The settings to change; one that is None stays as it is.

    The season has the evenings from the day `since` on ("": all), and of each person the `best`
    ones (0: all).
    """

    club: Annotated[str, String(40, cut=True)] | None = None
    ratings: bool | None = None
    since: Annotated[str, String(10, r"|[0-9]{4}-[0-9]{2}-[0-9]{2}")] | None = None
    best: Annotated[int, Whole(0, 1000)] | None = None


def change_settings(writing: Writing, who: str, asked: HubSettings) -> None:
    changed = {name: value for name, value in asked.facts().items() if value is not None}
    for name, value in changed.items():
        writing.put(name, str(value))
    writing.act(who, "settings", **changed)
