"""What a fresh interpreter imports only once it is needed: on a Pi Zero each module costs time."""

import ast
import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engines.game import Result
from engines.games import SHIPPED
from pi_app.store import Store, new_file
from tests.pi_app.store.faults import TAGS
from tests.ran import ran

ROOT = Path(__file__).parents[1]
GAMES = tuple(f"engines.{name}" for name in SHIPPED)
MENUS = (
    "pi_app.screens.playing.menu",
    "pi_app.screens.playing.result",
    "pi_app.screens.starting.home",
)
TABLE = "import pi_app.commands.play, pi_app.run.opening, pi_app.run.session, engines.games"
PADS = "from hardware.config import PadsConfig; from hardware.pads import PadCalls, PadPorts, Pads"

CASES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "the rules alone": (
        "import engines",
        ("engines.game",),
        (
            *("asyncio", "email", "hashlib", "importlib.metadata", "json", "logging", "pathlib"),
            *("pkgutil", "random", "socket", "subprocess", "threading", "tomllib", "urllib"),
            *("zipfile", "pi_app"),
        ),
    ),
    "the names of all games": (
        "from engines.games import GAMES; assert len(list(GAMES)) >= 4",
        ("engines.games",),
        ("importlib.metadata", *GAMES),
    ),
    "one game": (
        "from engines.games import GAMES; GAMES['numeri']; assert 'sequence' in GAMES",
        ("engines.numeri",),
        ("importlib.metadata", "engines.just4fun", "engines.sequence", "pi_app"),
    ),
    "the rules of a game of other people": (
        "import beisitzer.plugin.rules",
        ("engines.game",),
        ("pi_app", "hardware"),
    ),
    "text on an OLED": (
        "from hardware.framebuffer import Framebuffer; Framebuffer().text(0, 0, 'A')",
        ("hardware.framebuffer",),
        ("PIL",),
    ),
    "a rig without a pad": (
        f"{PADS}; calls, ports = PadCalls(print), PadPorts(list); "
        "pads = Pads(PadsConfig(), calls, ports=ports); pads.look(); pads.close()",
        ("hardware.pads",),
        ("evdev", "ctypes"),
    ),
    "all rules at a table": (
        f"{TABLE}; [engines.games.GAMES[name] for name in engines.games.SHIPPED]",
        GAMES,
        ("ai",),
    ),
    "a table's menus": (
        f"{TABLE}; from pi_app.run.loop import import_menus; import_menus()",
        MENUS,
        (
            *("pygame", "ai", "fsrs", "zipfile", "zoneinfo", "pi_app.card", "pi_app.link"),
            *("pi_app.past.moments", "pi_app.screens.starting.moments"),
            *("pi_app.screens.players_and_settings.every_setting", "pi_app.settings.setting_words"),
        ),
    ),
}
"""What is done, modules that it needs, and packages of which it needs nothing."""
COPIED = ("link_rights.py", "uinput_pads.py", "uinput_touch.py", "wifi_phone.py")
"""Scripts that run alone in an emulated machine."""


def loaded_after(code: str, *options: str) -> list[str]:
    """Return the modules that a fresh interpreter has loaded after this code."""
    whole = f"import json, sys; sys.path.insert(0, {str(ROOT)!r})\n{code}\n"
    whole += "print('\\n' + json.dumps(sorted(sys.modules)))"
    done = ran([sys.executable, *options, "-c", whole], timeout=120, check=True)
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    return loaded


def of(loaded: list[str], packages: tuple[str, ...]) -> list[str]:
    """Return the modules that are these, or are in them."""
    return [name for name in loaded if f"{name}.".startswith(tuple(f"{p}." for p in packages))]


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_imported_before_it_is_needed(case: str) -> None:
    code, needed, needless = CASES[case]
    # -S: what an installation's .pth files import is not the rules'; json is the test's own
    loaded = loaded_after(code, *(["-S"] if case == "the rules alone" else []))
    assert set(needed) <= set(loaded)
    assert of(loaded, tuple(name for name in needless if name != "json")) == []


@pytest.mark.parametrize("name", COPIED)
def test_a_script_that_is_copied_into_a_machine_imports_nothing_of_the_tests(name: str) -> None:
    tree = ast.parse((ROOT / "tests/machine" / name).read_text("utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert nodes
    assert not [ast.unparse(node) for node in nodes if "tests" in ast.unparse(node)]


SEVEN_STEPS = """
import json, sys
from dataclasses import replace
from pathlib import Path
import pi_app.commands.play
from pi_app.extras.machine import WifiExtra
from pi_app.extras.phones import PHONES
from pi_app.run.extras import Start
from pi_app.run.opening import Wish, companion, first_screen, open_context
from pi_app.settings.schema import HelpLevel, HelpSettings, Settings
from pi_app.table.players import BotSeats
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys

def table(ctx, tags=None):
    wish = Wish(tags, new_game=tags is not None)
    return companion(ctx, first_screen(ctx, wish), KeyQueue(), [])

def done():
    print(json.dumps(sorted(sys.modules)))

ctx = open_context(Settings(help=HelpSettings(HelpLevel.TIPS)), ":memory:", "en")
program = table(ctx, {"Game": "just4fun", "Players": "Anna yellow, Ben red"})
PHONES.attach(program, Start())
WifiExtra(Path(sys.argv[1])).attach(program, Start())
program.show()
done()
from pi_app.phones.protocol import WebSettings
ctx.settings = ctx.settings.plus(WebSettings(enabled=True))
program.show()
done()
from pi_app.network.settings import WifiSettings
ctx.settings = ctx.settings.plus(WifiSettings(own="needed"))
program.show()
done()
for output in program.outputs:
    output.close()
program.play_script(read_keys("^ 3*5*11*13#"))
assert "tip" in [key.label for key in program.screen.frame().keys.soft]
done()
program.play_script(read_keys("*"))
done()
ctx = open_context(Settings(), ":memory:", "en")
game = ctx.store.begin({"Game": "numeri", "Players": "Anna yellow, Ben red"})
BotSeats(ctx.store, game).give({"Ben": "club"})
program = table(ctx)
program.play_script(read_keys("4"))
done()
program.play_script(read_keys("5"))
done()
"""
OFF = ("pi_app.phones", "uvicorn", "pi_app.network", "jeepney", "pi_app.link", "ai")
STEPS: list[tuple[str, str, tuple[str, ...]]] = [
    ("a game is on show", "pi_app.screens.playing.turn", OFF),
    ("phones are let in", "pi_app.phones.server", ("pi_app.phones.web", *OFF[1:])),
    ("its Wi-Fi is switched on", "pi_app.network.follow", ("pi_app.phones.web", *OFF[3:])),
    ("a hand is keyed", "pi_app.screens.tips", ("ai",)),
    ("a tip is asked for", "ai.just4fun", ("ai.numeri",)),
    ("somebody else plays", "pi_app.screens.playing.turn", ("ai.numeri",)),
    ("the companion plays", "ai.numeri", ("ai.sequence",)),
]
"""What was done, a module that it needs, and packages of which it needs nothing."""


def test_a_table_imports_an_extra_when_it_is_switched_on_and_wits_when_they_are_asked(
    tmp_path: Path,
) -> None:
    environ = {**os.environ, "BEISITZER_REMOTE": str(tmp_path / "r"), "LC_ALL": "C.UTF-8"}
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(str(tmp_path / "wifi.sock"))
        words = [sys.executable, "-c", SEVEN_STEPS, str(tmp_path / "wifi.sock")]
        done = ran(words, cwd=ROOT, env=environ, timeout=120, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    for (step, needed, needless), line in zip(STEPS, lines, strict=True):
        loaded = json.loads(line)
        assert needed in loaded, step
        assert of(loaded, needless) == [], step


FIRST_FRAME = """
from pathlib import Path
import pi_app.commands.play
from pi_app.run.opening import Wish, companion, first_screen, open_context
from pi_app.settings.schema import Settings
from pi_app.view.inputs import KeyQueue
ctx = open_context(Settings(), Path({!r}), "en")
program = companion(ctx, first_screen(ctx, Wish()), KeyQueue(), [])
program.show()
print(program.frame.body)
"""
STORES: dict[str, Callable[[Store], object]] = {
    "no game": lambda _: None,
    "a game on the table": lambda store: store.begin(TAGS),
    "a game that waits": lambda store: wait(store, begun(store)),
    "no game waits": lambda store: store.end(begun(store), Result(("Anna",), "conceded")),
    "a game was imported": lambda store: store.add_files(
        [new_file(0, TAGS, "2026-11-28", tokens=("5",))]
    ),
}


def wait(store: Store, _: int) -> None:
    store.put_on_table(None)


def begun(store: Store) -> int:
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    return game


@pytest.mark.parametrize("case", STORES)
def test_a_first_frame_needs_no_index(case: str, tmp_path: Path) -> None:
    with closing(Store(tmp_path / "games")) as store:
        STORES[case](store)
    loaded = loaded_after(FIRST_FRAME.format(str(tmp_path / "games")))
    assert "sqlite3" not in loaded
