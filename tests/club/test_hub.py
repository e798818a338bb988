"""A hub from outside: what tables send, and what they are told."""

from __future__ import annotations

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
