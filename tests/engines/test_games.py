"""Games are found by entry points, and imported only when they are asked for."""

import sys
import tomllib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

import pytest

from engines import games
from engines.game import Game
from engines.games import GAMES, GROUP, SHIPPED, Parts, Plugin, entries, find_plugins
from engines.just4fun.rules import begin

HALMA = Game("halma", ("red",), frozenset({2}), begin)


@pytest.fixture
def halma(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    module = ModuleType("halma")
    vars(module).update(
        GAME=HALMA, PLUGIN=Plugin("halma", "halma:GAME", presentation="halma:__name__")
    )
    monkeypatch.setitem(sys.modules, "halma", module)
    return "halma", "halma:PLUGIN"


def test_the_shipped_games_have_the_entries_they_are_known_by() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    entries = project["project"]["entry-points"][GROUP].items()
    assert {name: EntryPoint(name, value, GROUP).load() for name, value in entries} == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_game_has_its_engine(name: str) -> None:
    assert GAMES[name].name == name


def test_a_game_of_another_distribution_comes_after_those_shipped(
    halma: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_plugins([halma, ("just4fun", "halma:PLUGIN")])
    assert list(found) == [*SHIPPED, "halma"]
    monkeypatch.setattr(games, "plugins", lambda: found)
    mapping: Parts[Game] = Parts("engine")
    assert mapping["halma"] is HALMA
    assert Parts[str]("presentation")["halma"] == "halma"
    assert "halma" in mapping
    assert "go" not in mapping
    with pytest.raises(KeyError):
        mapping["go"]


def test_a_game_whose_part_cannot_be_imported_is_left_out_of_that_part_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Plugin("go", "halma:GAME", "no_such_module:WORDS", "halma.turn:SCREENS")
    monkeypatch.setattr(games, "plugins", lambda: {**SHIPPED, "go": broken})
    words: Parts[object] = Parts("presentation")
    assert list(words) == list(SHIPPED)
    assert [*words.values()] == [SHIPPED[name].load("presentation") for name in SHIPPED]
    assert "go" not in words
    with pytest.raises(KeyError):
        words["go"]
    assert caplog.text.count("the game go is left out") == 1


@pytest.mark.parametrize(
    "entry",
    [
        ("go", "halma:PLUGIN"),
        ("halma", "halma:NOTHING"),
        ("halma", "no_such_module:PLUGIN"),
        ("halma", "halma:GAME"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_left_out_and_logged(
    entry: tuple[str, str], halma: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assert halma[0] == "halma"
    assert find_plugins([entry]) == SHIPPED
    assert entry[1] in caplog.text


def listed(*folders: Path) -> list[tuple[str, str]]:
    """Return the entries that a start of the program finds: it reads the lists once."""
    games._entry_files.cache_clear()
    return [*entries(map(str, folders))]


def test_a_start_sees_what_is_installed_and_nothing_that_was(tmp_path: Path) -> None:
    missing, folder = tmp_path / "missing", tmp_path / "halma-1.0.dist-info"
    file = folder / "entry_points.txt"
    folder.mkdir()
    assert listed(missing, tmp_path) == []
    file.write_text("[console_scripts]\nhalma = halma:main\n\n[beisitzer.games]\n# a board\n"
                    "halma=halma:PLUGIN\n\n[zoo]\ntiger = a:b\n")  # fmt: skip
    assert listed(missing, tmp_path) == [("halma", "halma:PLUGIN")]
    file.unlink()
    assert listed(tmp_path) == []


def test_a_game_without_hidden_things_needs_no_hand_no_roll_and_no_facts_of_its_own() -> None:
    given = HALMA.given(None, "3,5", "6")
    assert given is None
    assert HALMA.legal_facts(None, given) == {}


def test_what_is_installed_here_is_found_as_by_the_standard_library() -> None:
    found = {(entry.name, entry.value) for entry in entry_points(group=GROUP)}
    assert {*entries(sys.path)} == found
    assert {name for name, _ in found} >= {*SHIPPED}
