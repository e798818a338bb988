"""A table without a club pays nothing: no import, no thread."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pi_app.link.settings import ClubSettings
from tests.pi_app.link.tables import Link, judge, open_evening, play_a_game, table
from tests.stand_ins.waiting import wait_for

RUN = """
import json
import sys
from tests.pi_app.link.tables import *
from pathlib import Path
with table(OVER_SOON, Path(sys.argv[1]), link=ClubSettings(enabled=sys.argv[2] == "on")) as opened:
    opened.press(*WINS)
    opened.see(lambda frame: frame.header.title == "Game over")
print(json.dumps(sorted(name for name in sys.modules if name.startswith("pi_app.link."))))
"""


@pytest.mark.parametrize("link", ["on", "off"])
def test_nothing_of_the_link_is_imported_before_it_is_switched_on(
    tmp_path: Path, link: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path), link],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    imported = json.loads(run.stdout)
    if link == "on":
        assert "pi_app.link.table" in imported
        processes = ("club", "house", "https", "process", "admission", "credentials")
        assert not [name for name in imported if name.rpartition(".")[2] in processes]
    else:
        assert imported == ["pi_app.link.settings"]  # by this test


def test_a_game_that_began_for_a_club_is_corrected_for_it_after_the_club_was_switched_off(
    tmp_path: Path,
) -> None:
    with table(new_game=True, folder=tmp_path) as opened, Link(opened.path) as link:
        link.join()
        open_evening(link)
        play_a_game(opened)
        link.news("state", lambda line: line["waiting"] == 1)
        judge(link, link.results())
    with table(None, tmp_path, link=ClubSettings()) as opened:
        opened.do(lambda: opened.store.mark(1, 0, "undone", None))
        opened.change(enabled=True)
        wait_for(opened.path.exists)
        with Link(opened.path) as link:
            link.join()
            assert [result["withdrawn"] for result in link.results()] == [True]
