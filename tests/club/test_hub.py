"""A hub from outside: what tables send, and what they are told."""

from __future__ import annotations

import json
import socket
import stat
import threading
from contextlib import ExitStack

import pytest

from club.evening.posting import SOCKET, PostedAct, post
from club.web.door import MOST_HANDSHAKES
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


def test_do_posts_to_the_hub_of_its_folder_and_opens_the_database_without_one(club: Club) -> None:
    path = club.state / SOCKET
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    club.kill()
    club.people(1)
    path.unlink()
    people = json.dumps({"people": [{"name": "Ben"}]})
    with socket.socket(socket.AF_UNIX) as hub:
        hub.bind(str(path))
        hub.listen()
        told: list[dict[str, object]] = []

        def hub_answers() -> None:
            for reply in (b'{"ok":true,"n":1}\n', b'{"error":"Not now.","is_usage":false}\n', b""):
                connection, _ = hub.accept()
                with connection, connection.makefile("rb") as lines:
                    told.append(json.loads(lines.readline()))
                    connection.sendall(reply)

        threading.Thread(target=hub_answers, daemon=True).start()
        assert club.act("say", text="Hello") == {"ok": True, "n": 1}
        assert club.refused("say", text="Hello") == "beisitzer: Not now.\n"
        assert "look whether" in club.refused("say", text="Hello")
        assert told[0]["asked"] == {"text": "Hello"}
        club.do("do", "people", people, "--database", f"sqlite:///{club.state}/club.db")
    club.start()
    posted = PostedAct(language="en", who="Ann", act="code", asked={})
    answer = post(club.state, posted)
    assert answer is not None
    assert answer["ok"]
    club.people(3)
    assert "there is no act nonsense" in club.run("do", "nonsense").stderr
    assert "no evening is open" in club.refused("pair")
    assert {line["p"] for line in club.export()["standings"]} <= {"p1", "p2", "p3"}


def test_connections_that_never_speak_tls_keep_no_table_out(club: Club) -> None:
    table = club.add_table().greet()
    where = ("127.0.0.1", club.port)
    with ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(where, 20))
            for _ in range(MOST_HANDSHAKES + 100)
        ]
        assert silent[0].recv(1) == b""  # long before its handshake would take too long
        silent[-1].settimeout(0)
        with pytest.raises(BlockingIOError):
            silent[-1].recv(1)
        table.close()
        assert table.hello()[0] == 200
