"""A game of another distribution that is broken does not keep the others from being played."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from engines import games
from engines.games import GAMES, SHIPPED, Parts, Plugin
from pi_app.screens.playing.games import SCREENS
from pi_app.store import Store
from pi_app.table.presentation import PRESENTATIONS
from tests.pi_app.pilot import Pilot, choices_of
from tests.ran import ran


@pytest.fixture(params=["no_such_module:WORDS", "halma:WORDS"])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a game whose words, or else whose screens, cannot be imported."""
    module = ModuleType("halma")
    vars(module).update(GAME=replace(GAMES["numeri"], name="halma"), WORDS=PRESENTATIONS["numeri"])
    monkeypatch.setitem(sys.modules, "halma", module)
    halma = Plugin("halma", "halma:GAME", request.param, "halma:NO_SCREENS")
    monkeypatch.setattr(games, "plugins", lambda: {**SHIPPED, "halma": halma})
    for parts in (PRESENTATIONS, SCREENS):
        assert isinstance(parts, Parts)
        monkeypatch.setattr(parts, "_loaded", dict(parts._loaded))
        monkeypatch.setattr(parts, "_left_out", set())


@pytest.mark.usefixtures("broken")
def test_the_home_menu_offers_the_others(caplog: pytest.LogCaptureFixture) -> None:
    pilot = Pilot()
    offered = [PRESENTATIONS[name].name(pilot.ctx.texts) for name in SHIPPED]
    items = choices_of(pilot.frame).items
    assert [item for item in items if item in offered] == offered
    assert not any("halma" in item.casefold() for item in items)
    assert "the game halma is left out" in caplog.text
    pilot.choose("numeri", "with the six (1973)")
    assert pilot.frame.header.title == "numeri"


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("shelved", [True, False])
def test_its_stored_game_waits_until_it_is_whole_again(*, shelved: bool) -> None:
    store = Store(":memory:")
    game = store.begin({"Game": "halma", "Players": "Anna yellow, Ben red"})
    store.append(game, 0, "3", None)
    if shelved:
        store.put_on_table(None)
    pilot = Pilot(store=store)
    assert pilot.choose("Continue").body.lines == (
        "halma is not installed, or cannot be loaded.",
        "Install it again to continue this game.",
    )
    assert store.load(game).tags["Game"] == "halma"


HALMA = """
from dataclasses import replace
from engines.numeri import rules
from engines.games import Plugin
from pi_app.table.presentation import PRESENTATIONS

GAME = replace(rules.GAME, name="halma")
WORDS = PRESENTATIONS["numeri"]
PLUGIN = Plugin("halma", "halma:GAME", "{words}", "no_such_module:SCREENS")
"""


@pytest.mark.parametrize(
    ("words", "command", "module"),
    [
        ("halma:WORDS", "play halma --keys /dev/null --display plain", "no_such_module"),
        ("no_words:WORDS", "check game.txt", "no_words"),
        ("no_words:WORDS", "score halma Anna", "no_words"),
    ],
)
def test_a_command_that_needs_it_ends_with_a_sentence_that_says_what_is_missing(
    tmp_path: Path, words: str, command: str, module: str
) -> None:
    installed = tmp_path / "halma-1.0.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text("[beisitzer.games]\nhalma = halma:PLUGIN\n")
    (tmp_path / "halma.py").write_text(HALMA.format(words=words))
    (tmp_path / "game.txt").write_text('[Game "halma"]\n[Players "Anna yellow, Ben red"]\n\n')
    done = ran(
        [sys.executable, "-m", "pi_app", *command.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "LANGUAGE": "en"},
        timeout=60,
    )
    said = f"halma cannot be loaded (ModuleNotFoundError: No module named '{module}'):"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"beisitzer: {said} install it again\n"
