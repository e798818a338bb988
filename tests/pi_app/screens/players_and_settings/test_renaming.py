"""A person gets another name, two names become one person, and both can be taken back."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engines.game import Refusal, Result
from pi_app.past.times_tables import store_answer, tables_of
from pi_app.store import Reader, Store
from pi_app.table.players import (
    KnownPlayer,
    list_players,
    read_table,
    rename_player,
    save_players,
    save_seated,
    take_back_renaming,
)
from pi_app.table.table import Table
from tests.pi_app.pilot import Pilot, add_games, choices_of

NOW = datetime(2026, 11, 28, 20, tzinfo=UTC)
TAGS = {"Game": "just4fun", "Players": "Ann yellow, Ben red", "Start": "Ben"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which Ann, Anna and Ben played."""
    store = Store(tmp_path / "games", now=lambda: NOW)
    result = Result(("Ann",), "points", {"points": {"Ann": 9, "Ben": 5}})
    game = store.begin(TAGS, {"chairs": '{"Ann": ["club", []]}'})
    store.append(game, 0, "<yellow 23; red 5; to-move=Ann>", None)
    store.append(game, 1, "7", result)
    save_players(store, [KnownPlayer("Ann", "yellow"), KnownPlayer("Ben"), KnownPlayer("Anna")])
    add_games(store, [({**TAGS, "Players": "Anna yellow, Ben red"}, ("5",), NOW.isoformat(), None)])
    return store


def people(store: Reader) -> list[tuple[str, ...]]:
    return [tuple(game.players) for game in store.list_games()]


def test_a_new_name_holds_in_every_game_so_far_and_in_no_file(store: Store) -> None:
    files = dict(store.files())
    rename_player(store, "Ann", "Ada")
    with closing(Reader.of(store.path or Path())) as reader:
        for each in (store, reader):
            game = each.load(1)
            assert game.players == ("Ada", "Ben")
            assert game.tags["Players"] == "Ada yellow, Ben red"
            assert game.result == {
                "winners": ["Ada"], "reason": "points", "points": {"Ada": 9, "Ben": 5}
            }  # fmt: skip
            assert game.tokens == ("<yellow 23; red 5; to-move=Ada>", "7")
            assert game.notes["chairs"] == '{"Ada": ["club", []]}'
            entry = each.find_game(1)
            assert entry is not None
            assert (entry.players, entry.winners) == (("Ada", "Ben"), ("Ada",))
    changed = {name for name, data in store.files() if files[name] != data}
    assert changed == {"people.jsonl"}
    assert [player.name for player in list_players(store)] == ["Ada", "Ben", "Anna"]


def test_who_takes_an_old_name_later_is_somebody_else(store: Store) -> None:
    rename_player(store, "Ann", "Ada")
    store.append(store.begin(TAGS), 0, "5", None)
    assert people(store)[0] == ("Ann", "Ben")
    rename_player(store, "Ann", "Ina")
    assert people(store) == [("Ina", "Ben"), ("Anna", "Ben"), ("Ada", "Ben")]


def test_a_game_goes_on_under_the_new_name_and_its_file_keeps_the_old_one(store: Store) -> None:
    game = store.begin({**TAGS, "Start": "Ann"})
    rename_player(store, "Ann", "Ada")
    table = Table.resume(store, store.load(game))
    for token in ("<yellow 1 14 30; red 2 3 4; to-move=Ada>", "12+12"):
        move = table.position.parse(token)
        assert not isinstance(move, Refusal)
        table.play(move)
    assert store.load(game).winners == ("Ada",)
    take_back_renaming(store, store.lately_renamed()[0])
    assert (store.load(game).players, store.load(game).winners) == (("Ann", "Ben"), ("Ann",))
    assert Table.resume(store, store.load(game)).position.result is not None


def test_two_names_become_one_person_and_two_again(store: Store) -> None:
    rename_player(store, "Ann", "Anna")
    assert people(store) == [("Anna", "Ben"), ("Anna", "Ben")]
    assert [player.name for player in list_players(store)] == ["Ben", "Anna"]
    take_back_renaming(store, store.lately_renamed()[0])
    assert people(store) == [("Anna", "Ben"), ("Ann", "Ben")]
    assert {player.name for player in list_players(store)} == {"Ann", "Ben", "Anna"}


def test_what_was_learnt_and_the_seat_come_along_and_go_back(store: Store) -> None:
    save_seated(store, TAGS)
    store_answer(store, "Ann", (3, 4), NOW, right=True)
    rename_player(store, "Ann", "Ada")
    assert (len(tables_of(store, "Ada").tasks), len(tables_of(store, "Ann").tasks)) == (1, 0)
    assert read_table(store)[0] == [("Ada", "yellow"), ("Ben", "red")]
    take_back_renaming(store, store.lately_renamed()[0])
    assert len(tables_of(store, "Ann").tasks) == 1


def test_a_renaming_can_be_taken_back_for_30_days(tmp_path: Path) -> None:
    now = [NOW]
    store = Store(tmp_path / "games", now=lambda: now[0])
    rename_player(store, "Ann", "Ada")
    now[0] += timedelta(days=30)
    assert len(store.lately_renamed()) == 1
    now[0] += timedelta(seconds=1)
    assert store.lately_renamed() == []
    assert len(store.renamings) == 1


def test_keys_rename_somebody_after_a_question_and_take_it_back(store: Store) -> None:
    pilot = Pilot(store=store)
    pilot.choose("History", "Players", "Ann", "Rename")
    frame = pilot.key("2*3*2*#")
    assert (frame.header.title, frame.body.lines) == (
        "Ann → Ada", ("In all games. It can be taken back for 30 days.",)
    )  # fmt: skip
    assert pilot.key("1").header.title == "Ann"
    pilot.choose("Rename")
    pilot.key("2*3*2*#2")
    assert "Ada" in choices_of(pilot.frame).items
    pilot.choose("Anna", "Rename")
    pilot.key("2*3*2*#")
    assert "Both are one person" in pilot.frame.body.lines[0]
    pilot.choose("Keep")
    pilot.key("< <")
    pilot.choose("Bring back")
    assert choices_of(pilot.frame).items == ("Ann → Ada",)
    pilot.key("#")
    assert people(store)[-1] == ("Ann", "Ben")


def test_two_who_played_with_each_other_are_not_one_person(store: Store) -> None:
    pilot = Pilot(store=store)
    pilot.choose("History", "Players", "Ann", "Rename")
    frame = pilot.key("22*33*66*#")
    assert frame.body.lines == ("Ann and Ben played in one game.",)
