"""What the outbox says of each game is what the hub's own referee finds in its record."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from club.judging.reading import read_event
from club.judging.referee import fault
from engines.game import Refusal
from engines.games import GAMES
from engines.record import begin_game, parse
from pi_app.store.store import Store
from pi_app.table.table import SETTLED, Table
from tests.pi_app.link.test_outbox import Rig
from tests.stand_ins.hub import bodies

RECORDS = sorted(Path("tests/records").glob("*.txt"))
NAMES = {"Anna", "Ben", "Cem", "Dora", "Caro", "Emil"}


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_golden_record_that_ends_is_sent_as_the_hub_replays_it(
    path: Path, names: bool
) -> None:
    record = parse(path.read_text("utf-8"))
    rig = Rig(names=names)
    with closing(rig.store):
        table = Table.begin(rig.store, record.tags)
        for token in record.tokens:
            move = table.judge(token)
            if not isinstance(move, Refusal):
                table.play(move)
        events = bodies(rig.box)
        assert len(events) == (table.position.result is not None)
        for event in events:
            assert fault(read_event(event), event["record"]) is None
            if not names:
                people = {player.name for player in table.position.players}
                assert not [name for name in people if name in json.dumps(event)]


def test_some_golden_record_of_every_game_ends() -> None:
    ended = set()
    for path in RECORDS:
        record = parse(path.read_text("utf-8"))
        with closing(Store(":memory:")) as store:
            table = Table.begin(store, record.tags)
            for token in record.tokens:
                move = table.judge(token)
                if not isinstance(move, Refusal):
                    table.play(move)
            if table.position.result is not None:
                ended.add(table.game.name)
    assert ended >= {"just4fun", "numeri", "sequence", "einmaleins"}


@pytest.mark.parametrize(
    ("game", "players", "position"),
    [
        ("just4fun", "Anna yellow, Ben red", "yellow 36x2 3; red 4"),
        ("just4fun", "Anna yellow, Ben red", "yellow 3; red 3"),
        ("numeri", "Anna yellow, Ben red", "yellow 1@36; red 6@35"),
    ],
)
def test_a_game_that_was_only_settled_is_sent_as_the_hub_settles_it(
    game: str, players: str, position: str
) -> None:
    rig = Rig()
    with closing(rig.store):
        tags = {"Game": game, "Players": players, "Position": position}
        _, start = begin_game(tags)
        settle = GAMES[game].score
        assert settle is not None
        kept = ({**tags, SETTLED: "yes"}, (), rig.now.isoformat(), settle(start))
        rig.store.add_all([kept], here=True)
        (event,) = bodies(rig.box)
        assert fault(read_event(event), event["record"]) is None
