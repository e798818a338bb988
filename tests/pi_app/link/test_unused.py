"""A table without a club pays nothing: no import, no row, no thread."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.settings.schema import LinkSettings
from pi_app.store.store import Store
from tests.pi_app.link.tables import OVER_SOON, WINS, table

RUN = """
import json
import sys
from tests.pi_app.link.tables import *
from pathlib import Path
with table(OVER_SOON, Path(sys.argv[1]), link=LinkSettings(enabled=sys.argv[2] == "on")) as opened:
    opened.press(*WINS)
    opened.see(lambda frame: frame.header.title == "Game over")
print(json.dumps(sorted(name for name in sys.modules if name.startswith("pi_app.link."))))
"""


@pytest.mark.parametrize("link", ["on", "off"])
def test_nothing_of_the_link_is_imported_or_stored_before_it_is_switched_on(
    tmp_path: Path, link: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path), link],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    imported = json.loads(run.stdout)
    with closing(Store(tmp_path / "games.db")) as store:
        rows = store.read(lambda ask: ask("SELECT 1 FROM outbox", ()))
        kept = store.recall("outbox"), store.recall_under("link/")
    if link == "on":
        assert "pi_app.link.table" in imported
        assert not [name for name in imported if ".mqtt" in name]
        assert len(rows) == 1
    else:
        assert imported == []
        assert (rows, kept) == ([], (None, {}))


def test_a_game_that_began_for_a_club_is_corrected_for_it_after_the_link_was_switched_off(
    tmp_path: Path,
) -> None:
    with table(OVER_SOON, tmp_path) as opened:
        opened.press(*WINS)
        opened.see(lambda frame: frame.header.title == "Game over")
    with table(None, tmp_path, link=LinkSettings()) as opened:
        assert opened.club is not None
        assert opened.club._outbox is not None
        opened.do(lambda: opened.store.mark(1, 0, "undone", None))
        assert opened.club._outbox.waiting == 2  # type: ignore[attr-defined]
