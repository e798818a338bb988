"""Phones begin a game, with whom they want; they go on with one, and play it once more."""

from dataclasses import replace
from typing import Any

import pytest

from pi_app.screens.base import Open
from pi_app.screens.players_and_settings.system import SystemMenu
from pi_app.screens.starting.drafts import load_draft, save_draft
from pi_app.screens.starting.set_up import SetupScreen
from pi_app.table.players import KnownPlayer, save_players
from pi_app.table.presentation import PRESENTATIONS
from tests.pi_app.phones.desk import Desk

TAGS = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
OVER = {**TAGS, "BoardData": "0 5 0 10 0 50 20 30", "Position": "yellow 4@4 1@6; red 6@7 2@2 3@5"}


def players(desk: Desk) -> list[tuple[str, str]]:
    table = desk.phones.table._table()
    assert table is not None
    return [(player.name, player.colour) for player in table.start.players]


def test_a_phone_sees_which_games_there_are_who_played_them_and_who_is_known() -> None:
    desk = Desk()
    save_players(desk.ctx.store, [KnownPlayer("Cleo", "green")])
    told = desk.phone("x").ask("games")
    games = {each["game"]: each for each in told["games"]}
    assert list(dict.fromkeys(game.partition("/")[0] for game in games)) == list(PRESENTATIONS)
    assert all(len(each["players"]) == min(each["counts"]) for each in told["games"])
    assert told["people"] == ["Cleo"]
    assert told["waiting"] == {}
    assert told["worn"] == {}


@pytest.mark.parametrize(
    ("game", "names", "colours"),
    [
        ("numeri", "Ben,Cleo,Dora", ["yellow", "green", "red"]),
        ("numeri/2009", "Ben", ["yellow"]),
        ("sequence", "Ben,Cleo,Dora", ["blue", "green", "red"]),
        ("sequence", "Ben", ["blue"]),
        ("chess", "Ben,Cleo", []),
    ],
)
def test_a_phone_sees_the_colours_that_people_will_have(
    game: str, names: str, colours: list[str]
) -> None:
    desk = Desk()
    save_players(desk.ctx.store, [KnownPlayer("Cleo", "green")])
    told = desk.phone("x").ask("games", game=game, players=names)
    assert told["worn"] == dict(zip(names.split(","), colours, strict=False))


@pytest.mark.parametrize(
    ("game", "names", "wanted"),
    [
        ("numeri", "Cleo, Ben", [("Cleo", "green"), ("Ben", "yellow")]),
        ("just4fun", "Ben", None),
        ("sequence", "Anna,Ben,Cleo,Dora", ["blue", "green", "blue", "green"]),
        ("chess", "Anna,Ben", None),
    ],
)
def test_a_game_begins_with_the_people_in_their_order_and_in_colours_of_their_own(
    game: str, names: str, wanted: list[tuple[str, str]] | list[str] | None
) -> None:
    desk = Desk()
    save_players(desk.ctx.store, [KnownPlayer("Cleo", "green")])
    answer = desk.phone("x").ask("start", game=game, players=names)
    if wanted is None:
        assert answer["error"] in ("setup", "none")
        assert desk.phones.table._table() is None
        return
    assert answer["ok"]
    seated = players(desk)
    assert seated == wanted or [colour for _, colour in seated] == wanted
    assert [name for name, _ in seated] == [name.strip() for name in names.split(",")]


def test_a_phone_chooses_the_edition_and_the_board_of_another_one_does_not_come_along() -> None:
    desk = Desk()
    phone = desk.phone("x")
    names = {each["game"]: each["name"] for each in phone.ask("games")["games"]}
    assert names["numeri/2009"] == "numeri, with the star (2009)"
    for game, rules in (("numeri/2009", "edition=2009"), ("numeri/1973", None)):
        assert phone.ask("start", game=game, players="Anna,Ben")["ok"]
        table = desk.phones.table._table()
        assert table is not None
        assert table.tags.get("Rules") == rules
        desk.program.do(Open)
    draft = load_draft(desk.ctx, PRESENTATIONS["numeri"])
    save_draft(desk.ctx, PRESENTATIONS["numeri"], replace(draft, tags={"Board": "sample-38"}))
    assert phone.ask("start", game="numeri/2009", players="Anna,Ben")["ok"]


def test_what_a_game_lacks_is_said_and_comes_with_the_next_try() -> None:
    phone = (desk := Desk()).phone("x")
    answer = phone.ask("start", game="einmaleins", players="Anna,Ben")
    assert (answer["error"], answer["tag"]) == ("setup", "Open")
    assert answer["text"]
    wrong = phone.ask("start", game="einmaleins", players="Anna,Ben", tag="Open", value="13")
    assert (wrong["error"], wrong["tag"]) == ("setup", "Open")
    assert phone.ask("start", game="einmaleins", players="Anna,Ben", tag="Open", value="24")["ok"]
    assert len(players(desk)) == 2


def test_who_begins_a_game_sits_down_with_the_same_touch() -> None:
    desk = Desk()
    phone = desk.phone("x")
    assert phone.ask("start", game="numeri", players="Anna,Ben", me="Ben")["ok"]
    assert [seat["mine"] for seat in phone.ask("seats")["seats"]] == [False, True]
    assert [browser.name for browser in desk.pairing.browsers] == ["Ben's phone"]


def test_the_same_game_begins_once_more_when_it_is_over_and_the_seats_stay() -> None:
    desk = Desk(OVER)
    phone = desk.phone("x", seat=0)
    assert phone.ask("again")["error"] == "stale"
    desk.key("d4")
    seen = phone.shown("again")
    assert phone.ask("again")["ok"]
    assert phone.ask("again", seen=seen)["error"] == "stale"
    assert players(desk) == [("Anna", "yellow"), ("Ben", "red")]
    assert [seat["mine"] for seat in phone.ask("seats")["seats"]] == [True, False]
    assert desk.tokens() == ()


def test_the_game_that_waits_is_continued() -> None:
    desk = Desk(TAGS)
    desk.key("d4")
    desk.program.do(Open)
    phone = desk.phone("x")
    other = desk.ctx.store.begin({**TAGS, "Players": "Cleo red, Dora green"})
    desk.ctx.store.append(other, 0, "3", None)
    assert phone.ask("games")["waiting"] == {
        "2": "Continue: numeri (Cleo, Dora)",
        "1": "Continue: numeri (Anna, Ben)",
    }
    assert phone.ask("continue", game=3)["error"] == "none"
    assert phone.ask("continue", game=1)["ok"]
    assert desk.tokens() == ("4",)


@pytest.mark.parametrize("kind", ["start", "again", "continue"])
def test_no_game_begins_over_another_one_nor_over_a_set_up_nor_late(kind: str) -> None:
    fields: dict[str, Any] = {"game": "numeri", "players": "Cleo,Dora"} if kind == "start" else {}
    fields |= {"game": 1} if kind == "continue" else {}
    desk = Desk(TAGS)
    phone = desk.phone("x")
    assert phone.ask(kind, **fields)["error"] == "stale"
    assert players(desk)[0][0] == "Anna"
    desk = Desk()
    phone = desk.phone("x")
    desk.program.stack.append(SetupScreen(desk.ctx, PRESENTATIONS["numeri"]))
    assert phone.ask(kind, **fields)["error"] == "elsewhere"
    desk.program.stack.pop()
    assert phone.ask(kind, **fields, seen=phone.shown(kind) + 1)["error"] == "stale"
    assert desk.phones.table._table() is None


def test_a_menu_that_is_open_at_the_table_holds_no_game_up() -> None:
    desk = Desk()
    phone = desk.phone("x")
    desk.program.stack.append(SystemMenu(desk.ctx))
    assert phone.ask("start", game="numeri", players="Anna,Ben")["ok"]
    assert len(desk.program.stack) == 1
