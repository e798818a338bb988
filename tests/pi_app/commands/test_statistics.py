"""`beisitzer statistics`: what it prints and draws, in both languages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pi_app.commands.cli import main
from pi_app.store.store import Store
from tests.pi_app.pilot import store_games

ROW = (
    '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n'
    '[Position "yellow 9 33; red 1 14 30"]\n9 12+12\n'
)
CARDS = (
    '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1; red 3; open 28=4x7"]\n36=4x9\n'
)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["statistics", *map(str, words)])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    games = Store(path)
    store_games(games, *(ROW.format(*who) for who in (("Anna", "Ben"), ("Ben", "Anna"))), CARDS)
    store_games(games, ROW.format("Anna", "<Ben & Co>"))
    games.close()
    return path


def test_it_counts_every_game(store: Path) -> None:
    lines = run("--store", store, "--lang", "en").stdout.splitlines()
    assert lines[:3] == ["Just 4 Fun", "  3 games", "  moves on average: 2.0"]
    assert "  Anna              1/3   33 %" in lines
    assert "  Anna 1 – 1 Ben" in lines
    assert "Einmaleins" in lines


@pytest.mark.parametrize("move", [b"\x049played", b"12+12played"])
def test_nothing_that_was_counted_in_a_damaged_store_is_left_when_it_is_sound_again(
    store: Path, tmp_path: Path, move: bytes
) -> None:
    """The move is the first of a game, or its last."""
    sound = store.read_bytes()
    (tmp_path / "elsewhere.db").write_bytes(sound)
    counted = run("--json", "--store", tmp_path / "elsewhere.db").stdout
    store.write_bytes(sound.replace(move, move.replace(b"9", b"8").replace(b"+12", b"+11"), 1))
    assert store.read_bytes() != sound
    for _ in range(2):
        damaged = run("--json", "--store", store)
        assert damaged.exit_code == 1
        assert damaged.stdout != counted
    store.write_bytes(sound)
    assert run("--json", "--store", store).stdout == counted


def test_it_counts_of_one_game_one_player_or_two(store: Path) -> None:
    one = run("just4fun", "--player", "Anna", "--store", store, "--lang", "en").stdout
    assert one.splitlines()[:3] == ["Just 4 Fun", "  played: 3", "  won: 1 (33 %)"]
    assert "Einmaleins" not in one
    two = run("--player", "Ben", "--player", "Anna", "--store", store, "--lang", "de").stdout
    assert "  gegeneinander: 2\n  Anna gewann 1 (50 %)\n  Ben gewann 1 (50 %)\n" in two


def test_json_says_what_programs_need(store: Path) -> None:
    first, second = json.loads(run("--json", "--store", store).stdout)
    assert (first["game"], first["played"], first["fields"]) == ("just4fun", 3, {"9": 3, "24": 3})
    assert first["blocked"] == {"9": 3}
    assert first["pairs"][0]["won"] == [1, 1]
    assert [player["player"] for player in second["players"]] == ["Anna", "Ben"]
