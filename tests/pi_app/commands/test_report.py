"""One file that helps to mend a fault, and has no text that anybody has written."""

import logging
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.notation import Fault
from engines.record import Record, begin_game
from engines.record import parse as parse_record
from pi_app.commands.report import safe_log_lines, safe_record, setting_lines
from pi_app.settings.file import SettingsError, parse
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.system import log as logs
from pi_app.system.log import log_file
from tests.pi_app.commands.called import run

WRITTEN = "Zartbitter"
"""A word that stands in every text that people, machines or secrets bring in."""
LOG = f"""\
2026-11-28 07:12:29,123 ERROR pi_app.run.loop:12: {WRITTEN} of 192.168.7.20 has psk={WRITTEN}
Traceback (most recent call last):
  File "/srv/{WRITTEN} pi_app/beisitzer/pi_app/run/loop.py", line 34, in {WRITTEN}
  File "/home/{WRITTEN}/lib/python3.13/site-packages/luma/core/device.py", line 3, in send
  File "/srv/pi_app/../pi_app/run/loop.py", line 35, in {WRITTEN}
  File "{WRITTEN}.py", line 1, in bot
OSError: [Errno 28] No space left on device: '/mnt/{WRITTEN}/games'
{WRITTEN}.OSError: {WRITTEN}
{WRITTEN}Error: {WRITTEN}
2026-11-28 07:12:30,000 {WRITTEN.upper()} pi_app.run.loop:13: {WRITTEN}
2026-11-28 07:12:30,000 ERROR {WRITTEN}.run.loop:13: {WRITTEN}
2026-11-28T07:12:31+0100 {WRITTEN} beisitzer[41]: pi_app.run.opening:166: {WRITTEN}
"""
SAFE_LOG = """\
2026-11-28 07:12:29 ERROR pi_app/run/loop:12
  pi_app/run/loop:34
  OSError
2026-11-28 07:12:30  pi_app/run/loop:13
2026-11-28T07:12:31  pi_app/run/opening:166
"""


@pytest.fixture(name="store")
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the store of a machine on which everything has been written by somebody."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / WRITTEN))
    log_file().parent.mkdir(parents=True)
    log_file().write_text(LOG)
    settings = tmp_path / f"{WRITTEN}.toml"
    settings.write_text(
        f"[display]\ntheme = 'light'\n[panel]\nport = '/dev/{WRITTEN}'\n[pads]\n"
        f"keys = ['KPDOT=BACK']\nname = '{WRITTEN}'\n[sounds]\ncommand = '{WRITTEN}'\n"
    )
    monkeypatch.setenv("BEISITZER_CONFIG", str(settings))
    path = tmp_path / f"{WRITTEN}.db"
    store = Store(path)
    tags = {"Game": "just4fun", "Players": f"{WRITTEN} Müller yellow, Max red"}
    more = {"Start": "Max", "Rules": "rounds=20", "Event": WRITTEN, "Open": WRITTEN, "Hand": "7"}
    game = store.begin(tags | more)
    tokens = (
        "7+8",
        WRITTEN,
        f"<red 7x2; to-move={WRITTEN} Müller>",
        f"<{WRITTEN} 7x2>",
        f"<; to-move={WRITTEN}>",
        "<yellow 23x3 left=4>",
    )
    for n, token in enumerate(tokens):
        store.append(game, n, token, None)
    store.close()
    return path


@pytest.mark.parametrize("to_file", [False, True])
def test_the_report_has_what_helps_and_nothing_that_anybody_has_written(
    store: Path, tmp_path: Path, to_file: bool
) -> None:
    made = tmp_path / "report.txt"
    result = run("report", made if to_file else "-", "--store", store)
    assert result.exit_code == 0
    text = made.read_text("utf-8") if to_file else result.stdout
    for word in (WRITTEN, "Max", "Müller", "192.168", str(Path.home())):
        assert word.lower() not in text.lower(), word
    assert re.search(r"== Program\nBeisitzer \S+\nPython 3", text)
    changed = (
        'display.theme = "light"\nsounds.command = (a text)\npanel.port = (a text)\n'
        "pads.name = (a text)\npads.keys = (a text)\n"
    )
    assert f"== Settings\n{changed}" in text
    assert re.search(r"\n== Rig\n(\w+ \w+\n)+status \d\n", text)
    assert f"== Log\n{SAFE_LOG}" in text
    record = text.partition("== Record\n")[2].partition("== Log")[0]
    game = parse_record(record)
    assert game.tags == {
        "Game": "just4fun",
        "Players": "P1 yellow, P2 red",
        "Start": "P2",
        "Rules": "rounds=20",
        "Hand": "7",
    }
    assert game.tokens == (
        "7+8",
        "?",
        "<red 7x2; to-move=P1>",
        "?",
        "?",
        "<yellow 23x3 left=4>",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"language = '{WRITTEN}'", "mistake: value, line 1 language"),
        (f"\n{WRITTEN} = 1", "mistake: unknown-key, line 2 "),
        (f"rig.board = '{WRITTEN}'", "mistake: value, line 1 rig.board"),
        (f"\n{WRITTEN}", "mistake: syntax, line 2 "),
    ],
)
def test_of_a_mistake_in_the_settings_only_code_line_and_known_key_are_told(
    text: str, said: str
) -> None:
    with pytest.raises(SettingsError) as mistake:
        parse({Path(WRITTEN): text})
    assert list(setting_lines(Settings(), mistake.value)) == [said]


@pytest.mark.parametrize("in_journal", [False, True])
def test_places_are_found_in_what_the_programs_own_log_writes(
    tmp_path: Path, in_journal: bool
) -> None:
    logger = logging.getLogger("pi_app.run.loop")
    handler = logs.set_up(tmp_path / "log", {})
    if in_journal:
        handler.setFormatter(logs.JournalFormatter("%(message)s"))
    try:
        begin_game({"Game": "chess"})
    except Fault:
        logger.exception("%s failed", WRITTEN)
    logging.getLogger().removeHandler(handler)
    handler.close()
    written = (tmp_path / "log").read_text()
    if in_journal:  # as journalctl prints it
        written = f"2026-11-28T07:12:31+0100 host beisitzer[41]: {written.removeprefix('<3>')}"
        written = written.replace("\n<3>", "\n  ")
    first, *rest = safe_log_lines(written.splitlines())
    assert re.fullmatch(r"[\d-]+[ T][\d:]+ (ERROR)? pi_app/run/loop:\d+", first)
    assert re.search(r"engines/record:\d+\n  engines\.notation\.Fault", "\n".join(rest))


@given(st.lists(st.sampled_from(LOG.splitlines()) | st.text()), st.data())
def test_of_whatever_log_only_times_levels_and_places_are_told(
    lines: list[str], choose: st.DataObject
) -> None:
    mixed = [line.replace(WRITTEN, choose.draw(st.text(max_size=9))) for line in lines]
    place = r"(ai|club|engines|hardware|pi_app)/[a-z0-9_/]+:\d+"
    safe = rf"\d+-\d+-\d+[ T][\d:]+ ([A-Z]+)? {place}|  {place}|  ([\w.]+\.)?[A-Z]\w+"
    for line in safe_log_lines(mixed):
        assert re.fullmatch(safe, line), line


@given(st.text(), st.lists(st.text(max_size=9)))
def test_of_whatever_record_only_the_games_own_words_are_told(
    written: str, tokens: list[str]
) -> None:
    tags = {"Game": "numeri", "Players": "Ben yellow, Ann red", "Event": written, "Open": written}
    safe = safe_record(Record(tags, ("4", *tokens)))
    assert safe.tags.keys() <= {"Game", "Players", "Open"}
    assert re.fullmatch("[0-9]{1,3}", safe.tags.get("Open", "0"))
    assert all(re.fullmatch(r"[?0-9:,*-]+", token) for token in safe.tokens)


@pytest.mark.parametrize(
    ("name", "says"), [("junk.db", "cannot be read: "), ("none.db", "no game was stored")]
)
def test_a_report_can_be_had_without_a_store_or_with_a_broken_one(
    tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "junk.db").write_text("junk")
    result = run("report", "-", "--store", tmp_path / name)
    assert result.exit_code == 0
    assert says in result.output
