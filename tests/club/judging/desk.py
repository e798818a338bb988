"""Takes in messages without a broker: what a hub does within one transaction."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from club.evening import acts
from club.evening.members import add_table
from club.evening.shown.export import chosen_evening, export
from club.hub.identity import ensure_identity
from club.judging.acks import ack_of
from club.judging.intake import AckWanted, Intake, TableMessage
from club.store.database import ClubDatabase, sqlite_url

WHO = "organiser"


class Desk:
    """A club in a folder, with some tables and people, and an evening of one round."""

    def __init__(self, folder: Path, tables: int = 2, people: int = 4, per_table: int = 2) -> None:
        self.database = ClubDatabase(sqlite_url(folder))
        weakref.finalize(self, self.database.close)
        self.database.prepare()
        with self.database.write() as writing:
            ensure_identity(writing)
            self.tables = [add_table(writing, WHO)[0] for _ in range(tables)]
            everybody = [acts.Registered(f"p{n}", "", present=True) for n in range(1, people + 1)]
            acts.register(writing, WHO, everybody)
            self.evening = acts.open_evening(
                writing, WHO, ["just4fun"], "tables", per_table=per_table
            )
            self.round = acts.pair_next(writing, WHO)

    def people_at(self, table: int) -> tuple[str, ...]:
        return self.round.groups[table].seats

    def pair(self) -> None:
        with self.database.write() as writing:
            acts.pair_next(writing, WHO)

    def decide(self, store: str, seq: int, *, accepted: bool) -> None:
        with self.database.write() as writing:
            acts.decide(writing, WHO, store, seq, accepted=accepted)

    def undo(self) -> None:
        with self.database.write() as writing:
            acts.undo(writing, WHO)

    def take(self, table: int, payload: bytes, leaf: str = "up/events") -> list[dict[str, Any]]:
        """Take in a message of a table; return the acks that follow from it."""
        with self.database.write() as writing:
            intake = Intake(writing)
            intake.take(TableMessage(self.tables[table], leaf, payload))
            intake.finish()
        with self.database.read() as connection:
            return [ack_of(connection, each).facts() for each in intake.wanted.values()]

    def send(self, table: int, *events: Mapping[str, Any], store: str = "") -> dict[str, Any]:
        """Take in events of a table's store; return the ack."""
        facts = {"v": 1, "store": store or self.store(table), "events": list(events)}
        acks = self.take(table, json.dumps(facts).encode())
        return acks[0] if acks else {}

    @staticmethod
    def store(table: int) -> str:
        return f"store-{table}"

    def ack(self, table: int, store: str = "") -> dict[str, Any]:
        wanted = AckWanted(self.tables[table], store or self.store(table))
        with self.database.read() as connection:
            return ack_of(connection, wanted).facts()

    def export(self) -> dict[str, Any]:
        with self.database.read() as connection:
            return export(connection, chosen_evening(connection, None))

    def verdicts(self) -> dict[tuple[str, int], tuple[bool, str | None]]:
        """Return of each result in the export whether it counts, and else why not."""
        return {
            (each["store"], each["seq"]): (each["counted"], each["why"])
            for each in self.export()["results"]
        }
