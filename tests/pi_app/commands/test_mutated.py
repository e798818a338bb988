"""Inputs of a command, each bent in another way: one sentence and a known status, no traceback.

Words of the command line, and what a command reads: records, boards, settings, keys, stores.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pi_app.commands import report
from pi_app.commands.cli import COMMANDS
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import store_games

MANY, SOME = 550, 60
"""How many inputs a command gets at night and in each run."""
RECORD = (
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Rules "rounds=20"]\n\n'
    "1. 5+11+13  7\n2. 2+3 {Anna hesitates}  19+10\n"
)
BOARD = 'game = "numeri"\nname = "Short"\nvalues = [5, 1, 2, 9, 7, 8, 3]\n'
SETTINGS = (
    'language = "de"\n[oled]\naddress = 0x3C\n[evening]\npause_h = 4\n[rig]\nenabled = false\n'
)
KEYS = "12*7# 9*5# ; a comment\nd3 << ? ^ v\n"
CALLS = {
    "play": "play just4fun --players Anna,Ben --chair Ben=club --rules rounds=3 --keys KEYS",
    "check": "check RECORD --json",
    "legal": "legal RECORD --hand 3,5,11,13",
    "advise": "advise RECORD --hand 3,5,11,13 --seconds 0.01",
    "score": "score RECORD --lang de",
    "match": "match einmaleins random random --games 1 --seconds 0.001",
    "show": "show history 1 --days 7 --store STORE --lang de",
    "export": "export 1 --of games --excel de --store STORE",
    "import": "import RECORD RECORD --store STORE",
    "doctor": "doctor --lang de",
    "config": "config --set evening.pause_h=5",
    "boards": "boards check BOARD",
    "new-game": "new-game halma",
    "report": "report FILE --store STORE",
}
FILES = {"RECORD": RECORD, "BOARD": BOARD, "KEYS": KEYS}
STRANGE = (
    "",
    "-",
    "--",
    "\x1b[2J",
    "é\u0301",
    "9" * 400,
    "../..",
    "{}",
    "'\"",
    "-1",
    "=",
    "\udcff",
)
STATUSES = {0, 1, 2, 130}


def bent(text: str, chance: Random) -> str:
    """Return a text with one to three places changed: cut, doubled, swapped or replaced."""
    for _ in range(chance.randint(1, 3)):
        at, width = chance.randrange(len(text) + 1), chance.randint(1, 6)
        part = text[at : at + width]
        new = chance.choice(
            ("", part * 2, part[::-1], chance.choice(STRANGE), chr(chance.randrange(1, 0x250)))
        )
        text = text[:at] + new + text[at + width :]
    return text


def calls(name: str, times: int, folder: Path) -> Iterator[list[str]]:
    """Yield the words of calls of a command, the files that they name changed before each."""
    chance = Random(name)
    settings = folder / "settings.toml"
    for _ in range(times):
        words = CALLS[name].split()
        what = chance.choice(("words", "files", "settings"))
        settings.write_text(
            bent(SETTINGS, chance) if what == "settings" else SETTINGS, "utf-8", "surrogatepass"
        )
        if what == "words":
            place = chance.randrange(1, len(words) + 1)
            words[place:place] = [chance.choice((*STRANGE, bent(words[-1], chance)))]
            words = words if chance.random() < 0.7 else words[: chance.randrange(2, len(words) + 1)]
        for word, text in FILES.items():
            changed = bent(text, chance) if what == "files" else text
            (folder / word).write_bytes(changed.encode("utf-8", "surrogatepass"))
        known = {word: str(folder / word) for word in (*FILES, "STORE", "FILE")}
        yield [known.get(word, word) for word in words]
        (folder / "FILE").unlink(missing_ok=True)


@pytest.mark.parametrize("times", [pytest.param(MANY, marks=pytest.mark.nightly), SOME])
@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_is_bent_there_is_a_sentence_and_no_traceback(
    name: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pi_app.store import Store

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report, "_rig_lines", list)  # no process of its own for each call
    for variable in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path / "boards"))
    store = Store(tmp_path / "STORE")
    store_games(store, RECORD)
    store.close()
    for words in calls(name, times, tmp_path):
        done = run(*words)
        told = f"{words}: {done.output[-500:]}"
        assert done.exit_code in STATUSES, told
        assert "Traceback" not in done.output, told
        assert "this is a fault" not in done.output, told
        assert done.exit_code != 2 or done.stderr.count("\n") <= 2, told


def test_every_command_is_tried() -> None:
    assert list(CALLS) == list(COMMANDS)
