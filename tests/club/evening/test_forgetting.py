"""A person's name goes from everywhere; what they played stays and still counts."""

from pathlib import Path

from sqlalchemy import select

from club.evening import acts
from club.evening.forgetting import forget, record_without
from club.store.schema import METADATA
from engines.record import parse
from tests.club.judging.desk import WHO, Desk
from tests.club.parts import result_event

NAME = "Annegret"


def test_no_table_of_the_database_has_the_name_any_more(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    first, _ = desk.people_at(0)
    with desk.database.write() as writing:
        acts.register(writing, WHO, [acts.Registered(first, NAME, present=True)])
    event = result_event(1, desk.people_at(0), evening=desk.evening, in_round=1)
    event["seats"][0]["show"] = NAME
    named = event["record"].replace("S1 ", f"{NAME} ")
    event["record"] = f'{named}[Start "{NAME}"]\n; {NAME} was quick\n'
    assert desk.send(0, event)["refused"] == []
    with desk.database.write() as writing:
        forget(writing, WHO, first)
    assert desk.verdicts()["store-0", 1] == (True, None)
    with desk.database.read() as connection:
        dump = str([connection.execute(select(table)).all() for table in METADATA.sorted_tables])
    assert NAME not in dump
    assert desk.send(0, event)["refused"] == [], "the same again is still the same"


def test_a_record_keeps_its_game() -> None:
    record = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Start "Anna"]\n'
    changed = record_without(record + "1. <yellow 23x1; to-move=Anna> {Anna!}\n", 0, "p1")
    assert changed is not None
    assert "Anna" not in changed
    assert parse(changed).tags["Start"] == "p1"
    assert record_without("junk [", 0, "p1") is None
