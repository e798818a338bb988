"""What time it is comes from outside: nothing in the house looks at the machine's clock itself."""

import ast
from datetime import UTC, datetime
from pathlib import Path

import pi_app
from engines.game import Move
from pi_app.phones.pairing import Pairing
from pi_app.run.opening import open_context
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.table.table import Table
from tests.pi_app.pilot import Pilot

HOUSE = Path(pi_app.__file__).parent
MOMENT = datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC)
TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


def test_only_the_rim_asks_the_machine_what_time_it_is() -> None:
    asking = {
        path.relative_to(HOUSE)
        for path in HOUSE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("now", "utcnow", "today")
        and isinstance(node.value, ast.Name)
        and node.value.id in ("datetime", "date")
    }
    assert Path("system/host.py") in asking
    assert {str(path.parent) for path in asking} == {"commands", "system"}
    assert [path for path in asking if path.parent.name == "system"] == [Path("system/host.py")]


def test_a_game_begins_moves_and_ends_at_the_time_that_is_given(tmp_path: Path) -> None:
    path = tmp_path / "games"
    ctx = open_context(Settings(), path, "en", now=lambda: MOMENT)
    table = Table.begin(ctx.store, TAGS, {})
    move = table.position.parse("5")
    assert isinstance(move, Move)
    table.play(move)
    ctx.store.close()
    (file,) = path.glob("0001-*")
    assert file.read_text().count(f'"at":"{MOMENT.isoformat()}"') == 2  # the game and its move
    assert ctx.now() == MOMENT


def test_a_settled_table_is_kept_with_the_time_that_is_given() -> None:
    pilot = Pilot(store=Store(":memory:", now=lambda: MOMENT))
    pilot.choose("Only score", "Just 4 Fun", "Key the stones")
    pilot.key("*23#3 *7#1v2 ?#")
    pilot.key("#")
    assert [entry.began for entry in pilot.ctx.store.list_games(5)] == [MOMENT.isoformat()]


def test_a_browser_is_let_in_on_the_day_that_is_given() -> None:
    pairing = Pairing(None, lambda: 0.0, now=lambda: MOMENT)
    pairing.pair(pairing.show_code(), "Firefox")
    assert [browser.since for browser in pairing.browsers] == ["2031-05-04"]
