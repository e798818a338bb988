"""Changes what holds for every evening: the organiser's password, and ratings."""

from __future__ import annotations

from club.evening.acts.shared import ActFacts, Nothing
from club.evening.passwords import new_password, set_password
from club.store.database import Writing
from pi_app.wire.messages import Message


def renew_password(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Set a new password for the organiser's page; whoever is in has to say it."""
    password = new_password()
    set_password(writing, password)
    writing.act(who, "password")
    return {"password": password}


class Switched(Message):
    on: bool


def switch_ratings(writing: Writing, who: str, asked: Switched) -> None:
    writing.put("ratings", "on" if asked.on else "off")
    writing.act(who, "ratings", on=asked.on)
