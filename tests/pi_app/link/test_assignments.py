"""An assignment comes down from the hub: it is offered, and begun or refused with one key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pi_app.link.offer import Offers
from tests.pi_app.link.tables import ASSIGNED, SEATS, WINS, Link, offer_round, table
from tests.pi_app.phones.client import Line, Table


def offered(link: Link, answer: str) -> Line:
    found = link.news("state", lambda line: (line["assignment"] or {}).get("answer") == answer)
    assert found["assignment"] == {
        "evening": "e7k2",
        "round": 3,
        "rev": found["assignment"]["rev"],
        "answer": answer,
    }
    return found


def test_an_assignment_is_offered_and_set_up_with_one_key(idle: Table) -> None:
    with Link(idle.path) as link:
        link.join()
        assert link.seat(ASSIGNED)["ok"]
        frame = idle.see(lambda frame: frame.header.title == "Round 3")
        assert "Start?" in frame.body.lines[1]
        assert frame.body.lines[2] == "The game ends after 20 rounds"
        assert "\u202e" not in "".join(frame.body.lines)
        offered(link, "offered")
        idle.press("ENTER")
        state = offered(link, "started")
        assert (state["phase"], state["players"]) == ("playing", 3)
    idle.see(lambda frame: frame.header.title == "Cem")


def test_an_assigned_games_result_says_where_it_belongs(idle: Table) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle)
        idle.press("ENTER")
        offered(link, "started")

        def end() -> None:
            screen: Any = idle.program.screen
            move = screen.table.judge("<yellow 1 left=0; red 2 left=0; white 3 left=0>")
            screen.table.play(move)

        idle.do(end)
        (event,) = link.results()
        assert (event["evening"], event["round"]) == ("e7k2", 3)
        assert [seat["p"] for seat in event["seats"]] == ["p17", "p3", None]
        assert '[Rules "rounds=20"]' in event["record"]
        assert "Cem" not in json.dumps(event)


def test_an_assignment_is_refused_with_one_key_and_can_still_be_started_from_the_menu(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle)
        idle.press("BACK")
        offered(link, "refused")
        idle.see(lambda frame: frame.header.title == "Beisitzer")
        assert link.seat(ASSIGNED)["ok"]  # retained: it comes again
        assert idle.frame.header.title == "Beisitzer"
        assert link.seat({**ASSIGNED, "rev": 1})["error"] == "old"
        assert link.seat({**ASSIGNED, "rev": 3})["ok"]
        idle.see(lambda frame: frame.header.title == "Round 3")
        assert link.seat({"rev": 0, "evening": "e7k2", "round": None}, "era-2")["ok"]
        idle.see(lambda frame: frame.header.title == "Beisitzer")


def test_a_round_that_has_begun_is_not_offered_again_when_its_hub_says_it_anew(
    idle: Table,
) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle)
        idle.press("ENTER")
        offered(link, "started")
        renamed = [{"seat": 1, "p": "p17", "show": "Anne"}, *SEATS[1:]]
        assert link.seat({**ASSIGNED, "rev": 1, "seats": renamed}, "era-2")["ok"]
        again = link.news("state", lambda line: line["assignment"]["rev"] == 1)
        assert again["assignment"]["answer"] == "started"
        others = [*SEATS[:2], {"seat": 3, "p": "p9", "show": "Nora"}]
        assert link.seat({**ASSIGNED, "rev": 2, "seats": others}, "era-2")["ok"]
        news = link.news("state", lambda line: line["assignment"]["rev"] == 2)
        assert news["assignment"]["answer"] == "offered"


def test_a_game_in_progress_is_not_disturbed_by_an_assignment(game: Table) -> None:
    with Link(game.path) as link:
        link.join()
        link.seat(ASSIGNED)
        offered(link, "offered")
        assert game.frame.header.title == "Anna"
        game.press(*WINS)
        game.see(lambda frame: frame.header.title == "Round 3")


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"rules": "rounds=x"},
        {"rules": "surprise=1"},
        {"board": "nowhere"},
        {"seats": SEATS[:1]},
    ],
)
def test_what_cannot_be_set_up_is_said_and_refused(idle: Table, wrong: dict[str, Any]) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle, **wrong)
        idle.press("ENTER")
        offered(link, "refused")
        idle.see(lambda frame: frame.body.lines and "Start?" not in str(frame.body.lines))


def test_what_a_game_still_needs_is_asked_for(idle: Table) -> None:
    with Link(idle.path) as link:
        offer_round(link, idle, game="einmaleins", rules="")
        idle.press("ENTER")
        idle.see(lambda frame: frame.header.title != "Round 3")
        idle.press("2", "4", "ENTER")
        assert offered(link, "started")["game"] == "einmaleins"


def test_an_answer_outlives_the_companion(tmp_path: Path) -> None:
    with table(folder=tmp_path, new_game=True) as opened, Link(opened.path) as link:
        offer_round(link, opened)
        opened.press("BACK")
        offered(link, "refused")
    with table(folder=tmp_path, new_game=True) as opened, Link(opened.path) as link:
        link.take()
        offered(link, "refused")
        assert link.seat(ASSIGNED)["ok"]
        assert opened.frame.header.title == "Beisitzer"


def test_a_round_that_began_just_before_a_kill_is_not_offered_again(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plug was pulled between the game's beginning and the note that it was begun."""
    folder = tmp_path_factory.mktemp("k")
    with (
        monkeypatch.context() as patch,
        table(folder=folder, new_game=True) as opened,
        Link(opened.path) as link,
    ):
        offer_round(link, opened)
        patch.setattr(Offers, "settle", lambda *_: None)
        opened.press("ENTER")
        opened.see(lambda frame: frame.header.title == "Cem")
    with table(folder=folder) as opened, Link(opened.path) as link:
        link.take()
        link.news("state", lambda line: (line["assignment"] or {}).get("answer") == "started")
