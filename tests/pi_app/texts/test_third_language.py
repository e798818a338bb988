"""A third language is nothing but a catalogue: nothing of the table's displays stays in English."""

import ast
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from babel.messages.pofile import read_po

from hardware.boards import board_words, known_boards
from hardware.config import Devices
from pi_app.displays.plain import frame_words
from pi_app.settings.schema import Settings, definitions, value_of
from pi_app.view.frame import Frame
from tests.pi_app.displays.menus import AREAS, walked
from tests.pi_app.displays.oled.test_walk import cut, faults, painted
from tests.pi_app.pilot import frame_of
from tests.ran import ran
from tests.scenes import FILES, scenes_of
from tests.third_language import THIRD, plain_words
from tools.pseudo import SOURCES, _fits, pseudo

ROOT = Path(__file__).parents[3]
FEWEST = {"system": 50, "club": 8, "wifi": 5, "stick": 2, "updates": 2, "machine": 10}
"""How many frames a walk finds at least, so that one that stops is seen."""
STORE = re.compile(r"\b[0-9a-f]{16}\b")
"""The name of a store."""
NAMES = (
    "Anna Ben Cem Dora Beisitzer beisitzer numeri Sequence Einmaleins Just Fun Morris kosmos "
    "classic English Deutsch Language Sprache local Aaaaaaaaaaaaaaaa abc "
    "aplay espeak language volume text"
)
"""Names, what is being keyed, addresses, and what commands in the settings consist of."""
WIRING = frozenset(part.name for part in fields(Devices))
IN_THE_FILE = " ".join(
    f"{key} {kind} {value_of(Settings(), key)}"
    for key, (kind, _) in definitions().items()
    if key.partition(".")[0] in WIRING
)
"""The settings of the wiring and their values: they are called as in the file, in any language."""
OWN = frozenset(
    re.findall(r"[^\W\d_]+", " ".join([NAMES, IN_THE_FILE, *board_words(), *available_timezones()]))
    + re.findall(r"[^\W\d_]+", " ".join(board.label for board in known_boards()))
)

SHOWN = {
    *("Alert", "Body", "Choices", "Entry", "Extras", "Frame", "Header"),
    *("KeySet", "Played", "SoftKey", "Utterance", "scroll", "soft"),
}
"""What a frame's texts are put into."""


def words_of(node: ast.expr) -> Iterator[str]:
    """Yield the literals that a value may consist of, but for a call's and a comparison's own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Call | ast.Compare | ast.Subscript):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from words_of(part)


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each literal that a program puts into a frame as it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHOWN:
            given = [*node.args, *(each.value for each in node.keywords if each.arg != "colour")]
            for text in (text for value in given for text in words_of(value)):
                if any(word not in OWN for word in re.findall(r"[^\W\d_]{3,}", text)):
                    yield node.lineno, text


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('Header("Games")', ["Games"]),
        ('Body(lines=(f"{n} cards", tx("line", "three cards")))', [" cards"]),
        ('soft((Key.ENTER, "menu" if done else tx("soft", "ok")))', ["menu"]),
        ('Header("Beisitzer", colour="yellow")', []),
        ('Entry("***" if kind == "secret" else keyed)', []),
    ],
)
def test_a_literal_is_found_where_it_reaches_a_frame(source: str, found: list[str]) -> None:
    assert [text for _, text in literals(source)] == found


def test_no_literal_reaches_a_frame() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text!r} is no text of a catalogue"
        for path in sorted((ROOT / "pi_app").rglob("*.py"))
        for line, text in literals(path.read_text("utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def frames_of(file: str, area: str, spoken: str, folder: Path) -> dict[str, Frame]:
    """Return the frames of a file's scenes by their names, or all of an area by their ways."""
    if file:
        return {scene.name: frame_of(scene, spoken) for scene in scenes_of(file)}
    return {str(way): frame for way, frame in walked(area, spoken, folder / spoken).items()}


def texts_in(value: object) -> Iterator[str]:
    """Yield the texts of a frame, but names of tones, colours and keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts_in(
            [value[name] for name in value if name not in ("tone", "colour", "key")]
        )
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)


def in_english(frame: Frame, names: frozenset[str]) -> list[str]:
    """Return the texts that have a word whose vowels have no accents: nobody has translated it."""
    return [
        f"{text!r} is left in English"
        for text in texts_in(frame_words(frame))
        if plain_words(STORE.sub("", text), names)
    ]


@pytest.mark.usefixtures("third_language")
@pytest.mark.parametrize(
    ("file", "area"), [*((file, "") for file in FILES), *(("", area) for area in AREAS)]
)
def test_every_screen_speaks_it_shows_all_it_says_and_cuts_no_more_than_german(
    file: str, area: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = scenes_of(file) if file else []
    told = {scene.name: json.dumps([scene.tags, scene.games]) for scene in scenes}
    third, german = frames_of(file, area, THIRD, tmp_path), dict[str, Frame]()
    assert len(third) >= FEWEST.get(area, 1)
    wrong = []
    for way, frame in third.items():
        canvas = painted(frame, monkeypatch)
        names = OWN | {*re.findall(r"\w+", told.get(way, ""))}
        found = in_english(frame, names) + faults(frame, canvas)
        lost = cut(canvas)
        if lost and not german:
            german = frames_of(file, area, "de", tmp_path)
        if lost and way in german and lost > cut(painted(german[way], monkeypatch)):
            found.append("more is cut than in German")
        wrong += [f"{way} {frame.header.title}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


@pytest.fixture(name="speaking")
def _speaking(locale: Path, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a companion that has one more folder with catalogues, no more."""
    texts = tmp_path / "pi_app" / "texts"
    texts.mkdir(parents=True)
    for folder, left_out in (("pi_app", "texts"), ("pi_app/texts", "locale")):
        for path in (ROOT / folder).iterdir():
            if path.name not in (left_out, "__pycache__"):
                (tmp_path / folder / path.name).symlink_to(path)
    (texts / "locale").symlink_to(locale)
    found = os.pathsep.join((str(tmp_path), str(ROOT)))
    return os.environ | {"PYTHONPATH": found, "LANGUAGE": "xx_XX", "LANG": "xx_XX.UTF-8"}


def test_mistakes_of_the_settings_speak_it(speaking: dict[str, str], tmp_path: Path) -> None:
    def run(*words: str, **settings: str) -> tuple[int, str]:
        done = ran(
            [sys.executable, "-m", "pi_app", *words],
            cwd=tmp_path,
            env=speaking | settings,
            timeout=240,
        )
        return done.returncode, done.stderr

    settings = tmp_path / "settings.toml"
    settings.write_text("!")
    code, said = run("config", BEISITZER_CONFIG=str(settings))
    assert code == 2
    assert "lïnéöö 1: thïsöö" in said
    settings.write_text('language = "xx"\n')
    assert run("config", BEISITZER_CONFIG=str(settings)) == (0, "")
    settings.write_text('language = "yy"\n')
    code, said = run("config", BEISITZER_CONFIG=str(settings))
    assert code == 2
    assert '"xx"' in said


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("Start", "Stärtöö"),
        ("{name} leads by {n}.", "{name} léädsöö bÿö {n}."),
        ("a yellow stone", "äö ÿéllöwöö stönéöö"),
        ("A", "Ä"),
        ("", ""),
    ],
)
def test_the_pseudo_language_keeps_facts_and_is_a_third_longer(text: str, longer: str) -> None:
    assert pseudo(text) == longer


def test_the_pseudo_language_stays_within_a_text_s_room_as_a_translator_must() -> None:
    assert pseudo("leads by", lambda text: len(text) < 11) == "léädsö bÿö"
    assert pseudo("leads by", lambda _: False) == "léäds bÿ"


def test_nearly_every_text_is_a_third_longer() -> None:
    short = []
    for po in (path for source in SOURCES for path in source.glob("LC_MESSAGES/*.po")):
        with po.open("rb") as file:
            for message in read_po(file):
                text = message.id if isinstance(message.id, str) else message.id[0]
                if text and pseudo(text, partial(_fits, message.context or "")) != pseudo(text):
                    short.append(text)
    assert len(short) < 30, "the slots would be so small that no text is tried in them"
