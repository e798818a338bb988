"""A store of which the program does not know the tables: one sentence, and nothing is touched."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from pi_app.commands.cli import main
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS

DATA = Path(__file__).parents[2] / "data"
SENTENCE = "was written before the first release and cannot be read: name another --store FILE"
COMMANDS = {
    "play": ("play", "--keys", "/dev/null", "--display", "plain"),
    "import": ("import", "RECORD"),
    "export": ("export",),
    **{name: ("show", name) for name in ("history", "statistics", "evening", "tables")},
}


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Path:
    """Return a store of the second version as a power cut left it."""
    for suffix in ("", "-wal"):
        content = gzip.decompress((DATA / f"store-2-cut.db{suffix}.gz").read_bytes())
        (tmp_path / f"games.db{suffix}").write_bytes(content)
    return tmp_path / "games.db"


@pytest.fixture(name="record")
def _record(tmp_path: Path) -> str:
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "other.db"
    store = Store(other)
    store.append(store.begin(TAGS), 0, "5", None)
    store.close()
    exported = CliRunner().invoke(main, ["export", "--store", str(other)])
    path = tmp_path / "elsewhere" / "record.txt"
    path.write_text(exported.stdout)
    return str(path)


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_store_from_before_the_first_release_is_refused_and_neither_moved_nor_changed(
    place: Path,
    record: str,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(place.parent / "elsewhere"))
    before = {file.name: file.read_bytes() for file in place.parent.glob("games*")}
    arguments = [record if word == "RECORD" else word for word in words]
    for _ in range(3):
        result = CliRunner().invoke(main, [*arguments, "--store", str(place)])
        assert result.exit_code == 2
        assert result.stderr == f"beisitzer: {place} {SENTENCE}\n"
    found = {file.name: file.read_bytes() for file in place.parent.glob("games*")}
    found.pop("games.db.run", None)  # the note on the last run
    assert found == before
