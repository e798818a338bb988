"""What the makers' pages show works: a device, a display, the panel's lines, records."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from engines import GAMES, Refusal, begin, parse
from engines.record import GAME_TAGS
from hardware.config import Devices, pins_in_use
from hardware.serial_panel.protocol import LineReader, decode, encode
from hardware.serial_panel.protocol import parse as parse_line
from tests.docs.pages import ROOT, page
from tests.ran import ran

GAME, TRANSLATE = page("docs/own-game.md"), page("docs/words.md")
DEVICE, _, DISPLAY = page("docs/own-device.md").text.partition("\n## A display\n")
PANEL, RECORDS = page("docs/remote.md"), page("docs/records.md")
PLAYERS = {
    "just4fun": "Anna yellow, Ben red",
    "numeri": "Anna yellow, Ben red",
    "sequence": "Anna blue, Ben green",
    "einmaleins": "Anna yellow, Ben red",
}
FIRST_CARD = '[Open "24"]\n'
"""What a record of Einmaleins needs, but with a position."""


def blocks(text: str) -> list[str]:
    """Return the blocks of Python on a page."""
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


def run(folder: Path, *words: str) -> str:
    """Run Python in a folder whose modules come before this tree's; return its output."""
    done = ran(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copied(folder: Path, package: str) -> None:
    shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))


def test_the_devices_of_the_guide_are_opened_by_the_rig(tmp_path: Path) -> None:
    copied(tmp_path, "hardware")
    configs, fields, light, pedal, test = blocks(DEVICE)
    settings = tmp_path / "hardware" / "config.py"
    text = settings.read_text("utf-8")
    head, last = "@dataclass(frozen=True)\nclass Devices:", "\n\n\ndef has_dial"
    assert text.count(head) == text.count(last) == 1
    text = text.replace(head, f"{configs}\n\n{head}").replace(last, f"\n{fields}{last}")
    settings.write_text(text, "utf-8")
    (tmp_path / "hardware" / "outputs" / "turn_light.py").write_text(light, "utf-8")
    (tmp_path / "hardware" / "inputs" / "pedal.py").write_text(pedal, "utf-8")
    (tmp_path / "test_own.py").write_text(test, "utf-8")
    run(tmp_path, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts=", "test_own.py")


def test_the_topics_of_the_guide_are_all_there_are() -> None:
    from typing import get_args

    from hardware.device import Topic

    table = DEVICE.partition("| topic | value |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == set(get_args(Topic))


def test_the_display_of_the_guide_passes_its_own_test_and_is_opened_by_its_entry(
    tmp_path: Path,
) -> None:
    pipe, at_socket, display, entry, test = blocks(DISPLAY)
    compile(pipe, "pipe", "exec")
    compile(at_socket, "socket", "exec")
    for name, text in (("headline", display), ("headline_entry", entry), ("test_own", test)):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    run(tmp_path, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts=", "test_own.py")
    (project,) = re.findall(r"^```toml\n\[project\.entry-points\.\"(.*?)^```", DISPLAY, re.M | re.S)
    entries = tmp_path / "headline.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text("[" + project.replace('"', ""), "utf-8")
    (tmp_path / "keys").write_text("5", "utf-8")
    words = ("play", "just4fun", "--lang", "en", "--keys", "keys", "--display", "headline")
    assert run(tmp_path, "-m", "pi_app", *words) == "Yellow\nYellow 5 free\n"


def test_a_program_in_a_pipe_reads_what_the_plain_display_writes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(blocks(DISPLAY)[0], "utf-8")
    (tmp_path / "keys").write_text("5*11*13#", "utf-8")
    words = ["--players", "Anna yellow, Ben red", "--display", "plain", "--keys", "keys"]
    words += ["--lang", "en", "--store", "games"]
    played = subprocess.run(
        [sys.executable, "-m", "pi_app", "play", "just4fun", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        timeout=240,
        check=True,
    )
    read = subprocess.run(
        [sys.executable, "mine.py"],
        cwd=tmp_path,
        input=played.stdout,
        stdout=subprocess.PIPE,
        timeout=240,
        check=True,
    )
    said = read.stdout.decode().splitlines()
    assert "Anna | 5+11+13 29 free" in said
    assert said[-1].startswith("Ben")


def test_the_change_of_the_guide_goes_through_all_parts_of_a_new_game(tmp_path: Path) -> None:
    run(tmp_path, "-m", "pi_app", "new-game", "halma")
    package = tmp_path / "halma" / "halma"
    chapter = GAME.text.partition("## One change through all parts")[2].partition("\n## ")[0]
    method, sentence, samples = (
        textwrap.dedent(block)
        for block in re.findall(r"^   ```python\n(.*?)^   ```", chapter, re.M | re.S)
    )

    def change(name: str, old: str, new: str) -> None:
        text = (package / name).read_text("utf-8")
        assert len(re.findall(old, text, re.S)) == 1, (name, old)
        (package / name).write_text(re.sub(old, lambda _: new, text, flags=re.S), "utf-8")

    new = f"{textwrap.indent(method.rstrip(), '    ')}\n\n"
    change("rules.py", "    def _refuse.*?\n\n", new)
    change("presentation.py", r"REFUSALS = .*?\n(?=WORDS)", sentence)
    change("samples.py", r"SAMPLES = .*", samples)
    german = re.search(r"^ {7}msgctxt.*?\n\n", chapter, re.M | re.S)
    assert german is not None
    catalogue = package / "locale" / "de" / "LC_MESSAGES" / "halma.po"
    entry = textwrap.dedent(german[0])
    catalogue.write_text(f"{catalogue.read_text('utf-8')}\n{entry}", "utf-8")
    change("records/halma-row.txt", "5 5 0 1", "5 1 1 0 5")
    run(tmp_path / "halma", "setup.py", "-q", "egg_info")
    run(tmp_path / "halma", "-m", "pi_app", "check", "--golden", "halma/records/halma-row.txt")
    expected = (package / "records" / "halma-row.jsonl").read_text("utf-8")
    assert expected.count('"violation": "not-first"') == 1
    words = ["-m", "pytest", "-p", "no:cacheprovider", "--pyargs", "--game", "halma"]
    suite = [f"beisitzer.testing.test_{part}" for part in ("parts", "records", "rules", "texts")]
    run(tmp_path / "halma", *words, *suite)


def test_the_ten_texts_of_the_guide_are_a_language(tmp_path: Path) -> None:
    copied(tmp_path, "pi_app")
    locale = tmp_path / "pi_app" / "texts" / "locale"
    catalogue = locale / "fr" / "LC_MESSAGES" / "just4fun.po"
    catalogue.parent.mkdir(parents=True)
    [written] = re.findall(r"^```po\n(.*?)^```", TRANSLATE.text, re.M | re.S)
    catalogue.write_text(written, "utf-8")
    entries = re.findall(r'^msgctxt "(.+)"\nmsgid "(.+)"$', written, re.M)
    assert len(entries) == 10
    german = "".join(path.read_text("utf-8") for path in locale.glob("de/LC_MESSAGES/*.po"))
    for slot, text in entries:
        assert f'msgctxt "{slot}"\nmsgid "{text}"\n' in german
    run(tmp_path, "-m", "pi_app.texts.catalogues", str(locale))
    (tmp_path / "keys").write_text("5*11*13#", "utf-8")
    words = ["--players", "Anna yellow, Ben red", "--display", "plain", "--keys", "keys"]
    said = run(
        tmp_path, "-m", "pi_app", "play", "just4fun", *words, "--lang", "fr", "--store", "s.db"
    )
    assert '"verdict": "29 libre"' in said
    assert "Anna tire 3 cartes." in said


def test_the_lines_of_the_panel_are_read_by_the_companion() -> None:
    lines = re.findall(r"@[^@*\n]+\*[0-9A-F]{4}", PANEL.text)
    assert len(lines) > 8
    read = LineReader().feed("".join(f"{line}\n" for line in lines).encode())
    assert len(read) == len(lines)
    for body in map(decode, read):
        if not body.startswith(("ACK", "PING")):  # the companion's own
            parse_line(body)


def test_the_checksum_of_the_guide_is_that_of_the_companion() -> None:
    names: dict[str, object] = {}
    exec(blocks(PANEL.text)[0], names)  # noqa: S102  # the page's own code
    checksum = names["checksum"]
    assert callable(checksum)
    assert checksum(b"123456789") == "29B1"
    assert encode("PONG 7").decode() == f"@PONG 7*{checksum(b'PONG 7')}\n"


def tokens() -> list[tuple[str, str]]:
    """Return each token of the page with the name of its game."""
    table = RECORDS.text.partition("| game | token |")[2].partition("\n\n")[0]
    found, game = [], ""
    for name, token in re.findall(r"^\| ([\w ]*?) ?\| `([^`]+)` \|", table, re.M):
        game = name.lower().replace(" ", "") or game
        found.append((game, token))
    return found


@pytest.mark.parametrize(("game", "token"), tokens())
def test_tokens_of_the_page_are_tokens_of_their_game(game: str, token: str) -> None:
    more = FIRST_CARD if game == "einmaleins" else ""
    if game == "numeri" and token.startswith("*"):  # the star is on the die of the later edition
        more = '[Rules "edition=2009"]\n'
    _, position = begin(parse(f'[Game "{game}"]\n[Players "{PLAYERS[game]}"]\n{more}'))
    assert not isinstance(position.parse(token), Refusal)


def test_the_page_of_records_knows_every_game_and_every_tag() -> None:
    assert {game for game, _ in tokens()} == set(PLAYERS) <= set(GAMES)
    table = RECORDS.text.partition("| tag |")[2].partition("\n\n")[0]
    tags = {tag for row in re.findall(r"^\| (`.+?`) \|", table, re.M) for tag in row.split(", ")}
    assert {tag.strip("`") for tag in tags} == GAME_TAGS.union(
        *(GAMES[game].own_tags for game in PLAYERS)
    )


def test_positions_of_the_page_are_positions_of_their_game() -> None:
    table = RECORDS.text.partition("| game | example |")[2].partition("\n\n")[0]
    found = re.findall(r"^\| ([\w ]+) \| `([^`]+)` \|", table, re.M)
    assert len(found) == len(PLAYERS)
    for name, position in found:
        game = name.lower().replace(" ", "")
        begin(parse(f'[Game "{game}"]\n[Players "{PLAYERS[game]}"]\n[Position "{position}"]\n'))


def test_the_table_of_pins_has_every_pin_of_the_reference_rig_and_its_position() -> None:
    header = MockFactory().board_info.headers["J8"]
    positions = {pin.name: pin.number for pin in header.pins.values()}
    wanted = sorted((pin, positions[f"GPIO{pin}"]) for _, pin in pins_in_use(Devices()))
    _, _, chapter = page("docs/build.md").text.partition("## The whole header")
    table, _, _ = chapter.partition("## OLED")
    found = [(int(pin), int(place)) for pin, place in re.findall(r"\b(\d+) \((\d+)\)", table)]
    assert sorted(found) == wanted
