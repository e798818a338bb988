"""A table with a place for the link, and the link's connection to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pi_app.link.settings import ClubSettings
from pi_app.screens.base import OK, Open
from pi_app.table.table import Table as GameTable
from tests.pi_app.phones import client
from tests.pi_app.phones.client import Client, Line, Table

ON = ClubSettings(enabled=True)
HUB, ERA = "hub-1", "era-1"
OVER_SOON = {
    "Game": "just4fun",
    "Players": "Anna yellow, Ben red",
    "Position": "yellow 1 14 30; red 2 3 4",
}
WINS = ("1", "2", "STAR", "1", "2", "ENTER")
SEATS = [
    {"seat": 1, "p": "p17", "show": "Cem"},
    {"seat": 2, "p": "p3", "show": "Dora"},
    {"seat": 3, "p": None, "show": 'Emil, der \u202e"Große"'},
]
ASSIGNED: dict[str, Any] = {
    "rev": 2,
    "evening": "e7k2",
    "round": 3,
    "game": "just4fun",
    "rules": "rounds=20",
    "board": None,
    "seats": SEATS,
}


def table(
    tags: dict[str, str] | None = None, folder: Path | None = None, **options: Any
) -> AbstractContextManager[Table]:
    """Open a table for a while that lets the link in, and no phones unless told so."""
    return client.table(tags, folder, **{"link": ON, "phones": False, **options})


class Link(Client):
    """The link's process as the companion knows it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        assert self.line()["kind"] == "hello"

    def take(self) -> Line:
        return self.ask("link", version=2)

    def join(self) -> Line:
        """Take the place, and tell which hub this table belongs to; return the first answer."""
        answer = self.take()
        assert self.ask("club", hub=HUB, table="table-07-x3k9", club="Spielkreis")["ok"]
        return answer

    def seat(self, assignment: Line, era: str = ERA) -> Line:
        """Pass on an assignment."""
        return self.ask("seat", hub=HUB, era=era, assignment=assignment)

    def results(self) -> list[Line]:
        """Return the results that wait."""
        found: list[Line] = self.ask("results", hub=HUB)["results"]
        return found

    def news(self, kind: str, wanted: Callable[[Line], object] = lambda _: True) -> Line:
        """Return the next line of this kind that is wanted."""
        return self.until(lambda line: line["kind"] == kind and bool(wanted(line)))


def judge(link: Link, results: list[Line], verdict: str = "counted", **more: Any) -> Line:
    """Pass on what the hub has said of results."""
    said = [
        {"game_id": each["game_id"], "revision": each["revision"], "verdict": verdict, **more}
        for each in results
    ]
    return link.ask("heard", hub=HUB, era=ERA, had=0, has=len(said), verdicts=said)


def open_evening(link: Link) -> None:
    """Let games that begin now belong to an evening."""
    assert link.seat({"rev": 1, "evening": "e7k2", "round": None})["ok"]


def offer_round(link: Link, opened: Table, **changed: Any) -> None:
    """Let the hub give an idle table its round, with these fields changed; wait for the offer."""
    link.join()
    assert link.seat({**ASSIGNED, **changed})["ok"]
    opened.see(lambda frame: frame.header.title == "Round 3")


def play_a_game(opened: Table) -> None:
    """Begin a game at a table and play it to its end."""

    def begin() -> None:
        opened.program.do(lambda: Open(OK, "table", table=GameTable.begin(opened.store, OVER_SOON)))

    opened.do(begin)
    opened.see(lambda frame: frame.header.title == "Anna")
    opened.press(*WINS)
