"""What the hub keeps on its broker: each table's assignment, the round, the standings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from club.evening.results import seats_json, shown_names, standing_lines
from club.evening.shown.export import chosen_evening
from club.pairing.exports import standings_json
from club.store.database import get
from club.store.live import active_tables, current_evening, rounds_of
from club.store.schema import tables
from pi_app.link.contract import (
    ROUND,
    STANDINGS,
    Assignment,
    ContractError,
    compact,
    number,
    payload,
    read_payload,
    split_topic,
    topic,
)

MOST_ERA = 2**40
"""A higher era is nobody's: a hub that went above it could not be followed."""

Publish = Callable[[str, bytes], None]


class Publisher:
    """Publishes what changed; everything again after a new connection (`forget`)."""

    def __init__(self, publish: Publish, era: int) -> None:
        self._publish = publish
        self._era = era
        self._rev = 0
        self._kept: dict[str, bytes] = {}
        self._standings = b""
        """The standings without their pair."""

    def forget(self) -> None:
        self._kept.clear()

    def publish(self, connection: Connection) -> None:
        """Publish what is not as it was published last."""
        wanted = self._seats(connection)
        wanted[ROUND] = self._round(connection)
        for name, data in wanted.items():
            self._keep(name, data)

    def publish_standings(self, connection: Connection) -> None:
        """Compute the standings, and publish them if they are others or not on the broker."""
        evening = chosen_evening(connection, None)
        names = shown_names(connection)
        lines = [
            {**line, "show": names.get(line["p"], line["p"])}
            for line in standings_json(standing_lines(connection, evening))
        ]
        facts = {"evening": evening.id if evening else None, "standings": lines}
        text = compact(facts)
        if text != self._standings:
            self._rev += 1
            self._standings = text
        self._keep(STANDINGS, self._fit({"era": self._era, "rev": self._rev, **facts}, "standings"))

    def _keep(self, name: str, data: bytes) -> None:
        if self._kept.get(name) != data:
            self._publish(name, data)
            self._kept[name] = data

    def _seats(self, connection: Connection) -> dict[str, bytes]:
        """Return every table's assignment; b"" for those that were removed, who keep none."""
        active = set(active_tables(connection))
        rows = connection.execute(select(tables.c.id, tables.c.seat, tables.c.era, tables.c.rev))
        return {
            topic(row.id, "down/seat"): payload(
                {"era": row.era, "rev": row.rev, **json.loads(row.seat)}
            )
            if row.id in active and row.seat
            else b""
            for row in rows
        }

    def _round(self, connection: Connection) -> bytes:
        evening = current_evening(connection)
        paired = rounds_of(connection, evening.id) if evening else []
        if not paired:
            last = int(get(connection, "rev", "0"))
            pair = {"era": self._era, "rev": last}
            here = evening.id if evening else None
            return payload({**pair, "evening": here, "round": None, "tables": [], "byes": []})
        row, names = paired[-1], shown_names(connection)
        seated = [
            {"table": g.table, "game": g.game, "seats": seats_json(g.seats, names)}
            for g in row.groups
        ]
        byes = [{"p": p, "show": names.get(p, p)} for p in row.byes]
        facts = {"evening": row.evening, "round": row.number, "tables": seated, "byes": byes}
        return self._fit({"era": row.era, "rev": row.rev, **facts}, "tables")

    @staticmethod
    def _fit(facts: Mapping[str, Any], rows: str) -> bytes:
        """Return a payload; of one that is too long as many rows as fit."""
        shown = list(facts[rows])
        while True:
            try:
                return payload({**facts, rows: shown})
            except ContractError:
                shown = shown[: len(shown) * 9 // 10]


def read_retained(
    retained: Mapping[str, bytes],
) -> tuple[dict[str, Assignment], list[tuple[int, int]]]:
    """Return what each table was told, and the pairs of all else that the broker keeps."""
    said: dict[str, Assignment] = {}
    pairs: list[tuple[int, int]] = []
    for name, data in retained.items():
        try:
            facts = read_payload(data)
            if name in (STANDINGS, ROUND):
                pairs.append((number(facts, "era", 0, MOST_ERA), number(facts, "rev")))
            else:
                number(facts, "era", 0, MOST_ERA)
                said[split_topic(name)[0]] = Assignment.read(facts)
        except ContractError:
            continue
    return said, pairs
