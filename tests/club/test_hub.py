"""A hub from outside: what tables send, and what they are told."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from club.web.door import HANDSHAKE_LIMIT
from tests.club.parts import Club, result_of, withdrawal


def test_an_evening_goes_from_the_code_to_the_standings(any_club: Club) -> None:
    club = any_club
    table = club.add_table().greet()
    club.people(4)
    evening = club.act("evening", games=["just4fun"], per_table=2)["evening"]
    paired = club.act("pair", round=1)
    assert club.act("pair", round=1) == paired
    seat = table.news().all()["seat"][-1]
    assert (seat["evening"], seat["round"]) == (evening, 1)
    people = [each["p"] for each in seat["seats"]]
    result = result_of(people, evening=evening, in_round=1)
    assert table.verdicts(result, result) == [("counted", None), ("known", None)]
    assert club.counted() == {result["game_id"]: 0}
    assert club.points()[people[0]] == 4
    changed = result_of(people, evening=evening, in_round=1, first=35, game_id=result["game_id"])
    assert table.verdicts({**changed, "revision": 0})[0][0] in ("known", "disputed")
    assert table.verdicts(withdrawal(result, 2)) == [("counted", None)]
    assert club.counted() == {}
    assert "results are missing" in club.refused("close")
    club.act("close", anyway=True)


def test_an_act_is_done_with_and_without_a_hub_and_a_hub_that_runs_tells_it(club: Club) -> None:
    table = club.add_table().greet()
    club.people(2)
    club.act("evening", games=["just4fun"], per_table=2)
    news = table.news(once=False)
    while news.until("seat")["round"] != 1:
        club.act("pair", round=1)
    news.close()
    assert "there is no act nonsense" in club.run("do", "nonsense").stderr
    club.kill()
    club.act("result", round=1, places={"p1": 2, "p2": 1})
    assert club.points() == {"p2": 4, "p1": 1}


def test_connections_that_never_speak_tls_keep_no_table_out(club: Club) -> None:
    table = club.add_table().greet()
    where = ("127.0.0.1", club.port)
    with ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(where, 20))
            for _ in range(HANDSHAKE_LIMIT + 100)
        ]
        assert silent[0].recv(1) == b""  # long before its handshake would take too long
        silent[-1].settimeout(0)
        with pytest.raises(BlockingIOError):
            silent[-1].recv(1)
        table.close()
        assert table.hello()[0] == 200
