"""Writes the files of a version that later ones must open: `python -m tests.promises v1_1`.

Once for each minor version, before its tag. The files of earlier versions never change.
"""

import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from club.evening import acts
from club.store.backup import back_up
from pi_app.commands.cli import main
from pi_app.store.store import Store
from tests.club.judging.desk import WHO, Desk
from tests.club.judging.test_cheats import honest, with_seat
from tests.pi_app.link.companion import TableWithStore
from tests.promises import surface

ROOT = Path(__file__).parents[1]
SURFACES = {
    "plugins": surface.plugins,
    "verbs": surface.verbs,
    "settings": surface.settings,
    "requests": surface.requests,
    "frames": surface.frames,
    "games": surface.games,
}
MESSAGES = (
    ("news", {"kind": "state", "game": "numeri", "phase": "playing", "players": 3, "waiting": 4,
              "turn": {"seat": 2, "colour": "red", "hex": "#c00000"},
              "assignment": {"evening": "e7k2", "round": 3, "era": 1, "rev": 2,
                             "answer": "offered"}}),
    ("news", {"kind": "event", "event_type": "row", "seat": 2}),
    ("news", {"kind": "outbox", "store": "9f3c", "previous": ["8a"], "last": 41, "upto": 36,
              "closed": 30, "waiting": 5, "hub": "c1"}),
    ("news", {"kind": "off", "again": True}),
    ("asked", {"kind": "link", "version": 2}),
    ("asked", {"kind": "events", "seq": 37, "most": 5}),
    ("asked", {"kind": "status", "connected": False, "why": "login", "detail": "table-07"}),
    ("down/ack", {"v": 1, "hub": "c1", "store": "9f3c", "upto": 36, "missing": [37],
                  "refused": [{"seq": 40, "why": "record"}], "closed": 30}),
    ("down/seat", {"v": 1, "era": 1, "rev": 2, "evening": "e7k2", "round": 3, "game": "just4fun",
                   "rules": "", "board": None, "seats": [{"seat": 1, "p": "p17", "show": "Anna"}]}),
    ("down/say", {"v": 1, "id": "7", "text": "Round 4 in five minutes", "for_s": 600}),
    ("up/hello", {"v": 1, "store": "9f3c", "previous": ["8a"], "last": 41, "machine": "m1",
                  "boot": "b1", "software": "1.0.0"}),
    ("up/events", {"v": 1, "store": "9f3c", "events": [
        {"seq": 41, "kind": "result", "game_id": "g1", "revision": 0, "evening": "e7k2",
         "round": 3, "game": "just4fun", "began": None, "ended": None, "lasted_s": 9,
         "clock": "unsure", "reason": "points", "record": "[Game \"just4fun\"]",
         "seats": [{"seat": 1, "p": "p17", "rank": 1, "points": 31, "won": True}]},
        {"seq": 42, "kind": "withdrawn", "game_id": "g1", "revision": 1},
        {"seq": 43, "kind": "lost"}]}),
)  # fmt: skip
"""What tables, links and hubs say: a topic, or an end of the link's, and an object."""
RECORDS = (
    "just4fun-example", "just4fun-own-board", "numeri-own-track", "einmaleins-out",
    "sequence-two-teams",
)  # fmt: skip


def call(*words: object) -> str:
    """Call a command and return what it prints; 1 is the status of a record with mistakes."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    if done.exit_code not in (0, 1):
        raise SystemExit(done.output)
    return done.stdout


def write_store(folder: Path) -> None:
    """Write a store with games of every kind, and the result of one that a club has to get.

    One game is running, with a move taken back.
    """
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "games.db"
        table = TableWithStore(path)
        table.play("e7k2", 3)
        table.outbox()  # now the result has its number
        table.close()
        call("import", *(folder / f"{name}.txt" for name in RECORDS), "--store", path)
        store = Store(path)
        game = store.begin({"Game": "just4fun", "Players": "Anna yellow, Ben red"})
        for n, token in enumerate(("5", "11+7", "9")):
            store.append(game, n, token, None)
        store.mark(game, 2, "undone", None)
        store.remember("players", '[{"name": "Anna"}, {"name": "Ben"}]')
        store.close()
        (folder / "games.db.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def write_club(folder: Path) -> None:
    """Write a hub's database in the middle of an evening, and what it tells of it."""
    with tempfile.TemporaryDirectory() as temporary:
        desk = Desk(Path(temporary))
        desk.send(0, honest(desk))
        desk.send(1, with_seat(honest(desk, 1), points=99))
        with desk.database.write() as writing:
            acts.key_result(writing, WHO, 1, {p: n + 1 for n, p in enumerate(desk.people_at(1))})
            for secret in ("ca_key", "hub_password", "hub_hash"):
                writing.put(secret, "kept by no test")
        desk.pair()
        kept = Path(temporary) / "kept.db"
        back_up(desk.database, kept)
        (folder / "club.db.gz").write_bytes(gzip.compress(kept.read_bytes(), mtime=0))
        _json(folder / "club.json", surface.club(kept))


def write(folder: Path) -> None:
    """Write all files of this version into an empty folder."""
    folder.mkdir()
    for name, describe in SURFACES.items():
        _json(folder / f"{name}.json", describe())
    for name in RECORDS:
        shutil.copy(ROOT / "records" / f"{name}.txt", folder)
        shutil.copy(ROOT / "records" / f"{name}.jsonl", folder)
    said = call("config").splitlines(keepends=True)
    (folder / "settings.toml").write_text("".join(line for line in said if line[0] != "#"))
    write_store(folder)
    write_club(folder)
    with tempfile.TemporaryDirectory() as temporary, chdir(temporary):
        call("new-game", "promised")
        shutil.make_archive(str(folder / "promised"), "zip", temporary)
    _json(folder / "messages.json", MESSAGES)
    vectors = json.loads((ROOT / "data" / "panel-vectors.json").read_text())
    lines = [line for _, line in vectors["lines"] if line[1:-1].split()[0].isupper()]
    _json(folder / "panel.json", {line: surface.panel(line) for line in lines})


def _json(path: Path, value: Mapping[str, object] | Sequence[object]) -> None:
    """Write JSON with a line for each key or element, so that differences can be read."""
    if isinstance(value, Mapping):
        inside = [f"{json.dumps(name)}: {_line(each)}" for name, each in value.items()]
        text = "{\n" + ",\n".join(inside) + "\n}\n"
    else:
        text = "[\n" + ",\n".join(map(_line, value)) + "\n]\n"
    path.write_text(text, "utf-8")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    write(Path(__file__).resolve().parent / sys.argv[1])
