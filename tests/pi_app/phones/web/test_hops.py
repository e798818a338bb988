"""How many steps a key takes from a browser's request to the game's loop."""

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

import pi_app
from pi_app.run.loop import Companion
from pi_app.view.inputs import KeyQueue
from pi_app.wire.client import LineClient
from tests.pi_app.phones.client import table
from tools.phone_pictures import serve

ROOT = Path(pi_app.__file__).parent
MOST = 14
WAITING = {"server._run", "server._serve", "loop.run", "loop.step", "loop._answer"}
"""What the server's thread and the loop run all the time."""


def own_frames() -> list[str]:
    """Return our own functions that are running in this thread, the first one first."""
    frames = [(Path(each.filename), each.name) for each in traceback.extract_stack()]
    return [f"{path.stem}.{name}" for path, name in frames if path.is_relative_to(ROOT)]


def test_a_key_reaches_the_loop_in_a_few_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counted are our functions that pass the key on, in each process and thread."""
    seen: dict[str, list[str]] = {}

    def watch(kind: type, name: str) -> None:
        act: Callable[..., Any] = getattr(kind, name)

        def watched(*args: Any, **more: Any) -> Any:
            if name not in seen or name == "press":
                seen[name] = [*own_frames(), f"{kind.__name__}.{name}"]
            return act(*args, **more)

        monkeypatch.setattr(kind, name, watched)

    with (
        table({"Game": "just4fun", "Players": "Anna yellow, Ben red"}) as opened,
        opened.phone() as phone,
        serve(opened.path) as url,
    ):
        body = {"epoch": phone.epoch, "seen": opened.phones._keyed_frame, "n": 1, "key": "5"}
        headers = {"Content-Type": "application/json", "Cookie": f"beisitzer={phone.token}"}
        headers |= {"Origin": url, "Host": url.removeprefix("http://")}
        asked = Request(f"{url}/api/key", json.dumps(body).encode(), headers)  # noqa: S310
        for kind, name in ((LineClient, "ask"), (KeyQueue, "post"), (Companion, "press")):
            watch(kind, name)
        with urlopen(asked, timeout=60) as reply:  # noqa: S310
            assert json.load(reply)["ok"]
    steps = [step for names in seen.values() for step in names if step not in WAITING]
    assert len(steps) <= MOST, steps
