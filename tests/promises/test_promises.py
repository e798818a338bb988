"""Every later version opens what an earlier one wrote, and lacks nothing of what it offered."""

import gzip
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from beisitzer.plugin.renamed import old_names
from beisitzer.plugin.rules import Move
from engines import games
from pi_app.settings import renamed
from pi_app.settings.file import ENVIRONMENT, load
from pi_app.store.archive import list_games
from pi_app.store.store import Store
from tests.beisitzer.conftest import install
from tests.pi_app.commands.called import lines, run
from tests.pi_app.link.companion import TableWithStore
from tests.pi_app.pilot import Pilot
from tests.promises import surface
from tests.promises.__main__ import SURFACES
from tests.promises.surface import lacking

VERSIONS = sorted(Path(__file__).parent.glob("v*_*"))
STATUSES = (
    (("check", "just4fun-example.txt"), 0),
    (("check", "no-such-file.txt"), 2),
    (("legal", "just4fun-example.txt"), 2),  # the game is over, or its hand is missing
    (("score", "just4fun", "Anna yellow 23:3; Ben red 7:2"), 0),
    (("score", "just4fun", "Anna"), 2),
    (("config", "--set", "language=klingon"), 2),
    (("boards",), 0),
    (("no-such-command",), 2),
)
"""What ends with which status: 0 all is well, 1 a record is not in order, 2 the call is not."""


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.json").read_text("utf-8"))


@pytest.fixture(name="folder", params=VERSIONS, ids=lambda path: path.name)
def _folder(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


def test_there_is_a_version_to_keep_promises_to() -> None:
    assert VERSIONS


@pytest.mark.parametrize("name", SURFACES)
def test_nothing_that_was_offered_is_gone_and_nothing_new_is_demanded(
    folder: Path, name: str
) -> None:
    assert lacking(read(folder, name), json.loads(json.dumps(SURFACES[name]()))) == []


def test_settings_of_then_are_read_and_mean_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = folder / "settings.toml"
    monkeypatch.setenv(ENVIRONMENT, str(written))
    assert read(folder, "settings").keys() == load().origins.keys()
    said = [line.partition(" #")[0].rstrip() for line in run("config").stdout.splitlines()]
    for line in written.read_text().splitlines():
        assert line.partition(" #")[0].rstrip() in said


def test_a_store_of_then_opens_with_every_game(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(gzip.decompress((folder / "games.db.gz").read_bytes()))
    store = Store(path)
    assert not store.news()
    entries = list_games(store, 99)
    assert len(entries) == 7
    running = store.load(entries[0].id)
    assert store.game_on_table() == entries[0].id
    assert (running.tokens, running.undone) == (("5", "11+7"), ("9",))
    assert store.recall("players") == '[{"name": "Anna"}, {"name": "Ben"}]'
    store.close()
    records = sorted(path.stem for path in folder.glob("*.txt"))
    assert len(records) == 5
    exported = run("export", "--to", tmp_path / "games", "--store", path)
    assert exported.exit_code == 0, exported.output
    for file in (tmp_path / "games").iterdir():
        assert run("check", file).exit_code in (0, 1)


def test_a_result_of_then_that_still_waits_goes_to_the_club_as_it_was(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(gzip.decompress((folder / "games.db.gz").read_bytes()))
    with closing(sqlite3.connect(path)) as raw:
        ((body,),) = raw.execute("SELECT body FROM outbox").fetchall()
        ((kept,),) = raw.execute("SELECT value FROM memory WHERE key='outbox'").fetchall()
    table = TableWithStore(path)
    answer = table.events(1)
    table.close()
    assert answer.store == json.loads(kept)["store"]
    assert [dict(event) for event in answer.events] == [{"seq": 1, **json.loads(body)}]


def test_a_club_of_then_opens_and_tells_the_same_of_its_evening(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "club.db"
    path.write_bytes(gzip.decompress((folder / "club.db.gz").read_bytes()))
    told = read(folder, "club")
    assert {"beisitzer/1/club/round", "beisitzer/1/club/standings"} < told.keys()
    assert lacking(told, json.loads(json.dumps(surface.club(path)))) == []


def test_records_of_then_replay_as_they_did(folder: Path) -> None:
    for record in sorted(folder.glob("*.txt")):
        golden = [
            json.loads(line) for line in record.with_suffix(".jsonl").read_text().splitlines()
        ]
        replayed = lines(run("check", "--json", record))
        for old, new in zip(golden, replayed, strict=True):
            assert lacking(old, new, record.name) == []


@pytest.mark.parametrize(("words", "status"), STATUSES, ids=lambda value: str(value)[:40])
def test_a_command_ends_with_the_status_that_it_had(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int
) -> None:
    monkeypatch.chdir(folder)
    assert run(*words).exit_code == status


def test_lines_of_a_panel_of_then_say_the_same(folder: Path) -> None:
    for line, said in read(folder, "panel").items():
        assert lacking(said, json.loads(json.dumps(surface.panel(line))), line) == []


def test_messages_of_tables_and_hubs_of_then_are_understood_and_answered_alike(
    folder: Path,
) -> None:
    for topic, facts in read(folder, "messages"):
        assert lacking(facts, json.loads(json.dumps(surface.message(topic, facts))), topic) == []


@pytest.fixture(name="promised")
def _promised(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the plug-in game of then."""
    with zipfile.ZipFile(folder / "promised.zip") as packed:
        packed.extractall(tmp_path)
    home = tmp_path / "promised"
    install(home, "promised")
    monkeypatch.syspath_prepend(home)
    games.plugins.cache_clear()
    yield home / "promised"
    games.plugins.cache_clear()
    shutil.rmtree(home)


def test_a_game_made_for_then_is_refereed_and_played(promised: Path) -> None:
    (record,) = (promised / "records").glob("*.txt")
    golden = [json.loads(line) for line in record.with_suffix(".jsonl").read_text().splitlines()]
    for old, new in zip(golden, lines(run("check", "--json", record)), strict=True):
        assert lacking(old, new, record.name) == []
    pilot = Pilot.game("promised", "Anna yellow, Ben red")
    pilot.key("5#")
    assert pilot.tokens() == ("5",)
    assert pilot.key("5#").body.entry is not None  # refused: the field is taken
    assert pilot.tokens() == ("5",)


# --- how something ends


def test_a_renamed_setting_counts_and_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(renamed, "RENAMED", {"sounds.loud": "sounds.tick"})
    (tmp_path / "settings.toml").write_text("[sounds]\nloud = false\n")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "settings.toml"))
    loaded = load()
    assert not loaded.settings.sounds.tick
    assert loaded.origins["sounds.tick"].line == 2
    assert "sounds.loud is called sounds.tick now" in caplog.text


def test_a_renamed_name_for_games_works_and_warns() -> None:
    find = old_names("beisitzer.plugin.rules", {"Chip": "Move"})
    with pytest.warns(DeprecationWarning, match="Chip is called Move now"):
        assert find("Chip") is Move
    with pytest.raises(AttributeError, match="no attribute 'Stone'"):
        find("Stone")


# --- the comparison itself


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ({"a": {}}, {"a": {}, "b": {}}, []),
        ({"a": {}}, {"b": {}}, ["a is gone"]),
        ({"f": {"x": {"place": 0, "optional": False}}}, {"f": {}}, ["f x is gone"]),
        (
            {"f": {"x": {"place": 0, "optional": True}}},
            {"f": {"x": {"place": 1, "optional": True}}},
            ["f x place: 0 is 1"],
        ),
        ({"f": {"x": {"optional": True}}}, {"f": {"x": {"optional": False}}}, ["optional"]),
        ({"f": {"x": {"optional": False}}}, {"f": {"x": {"optional": True}}}, []),
        ({"f": {"x": {}}}, {"f": {"x": {}, "y": {"optional": False}}}, ["f y is demanded now"]),
        ({"f": {"x": {}}}, {"f": {"x": {}, "y": {"optional": True}}}, []),
        ({"t": "int"}, {"t": "str"}, ["t: 'int' is 'str'"]),
    ],
)
def test_what_is_gone_changed_or_demanded_is_named(
    old: object, new: object, why: list[str]
) -> None:
    found = lacking(old, new)
    assert len(found) == len(why)
    assert all(part in text for part, text in zip(why, found, strict=True))
