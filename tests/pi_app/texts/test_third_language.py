"""A third language is nothing but a catalogue: a pseudo-language is chosen, spoken and complete."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tools.pseudo import SOURCES, _fits, pseudo, write

ROOT = Path(__file__).parents[3]

SCENES = """
import json, re, sys
from pi_app.displays.plain import frame_texts
from pi_app.texts.language import LANGUAGES, language_for, language_name
from tests.pi_app.pilot import Pilot
from tests.scenes import scenes
from tests.third_language import plain_words, texts_in

own = set("Anna Ben Cem Dora Beisitzer beisitzer numeri Sequence Einmaleins Just Fun".split())
# another distribution's game, names of boards and of languages, an address, what is being keyed
own |= set("Morris kosmos classic English Deutsch local Aaaaaaaaaaaaaaaa".split())
said, english = 0, {}
for scene in scenes():
    pilot = Pilot.scene(scene, "xx")
    names = set(re.findall(r"\\w+", json.dumps([scene.tags, scene.games])))
    for text in texts_in(frame_texts(pilot.key(scene.keys))):
        said += 1
        for word in plain_words(text):
            if word not in own | names:
                english.setdefault(word, f"{scene.name}: {text}")
print(json.dumps([LANGUAGES, language_for("auto"), language_name("xx"), said, english]))
"""


@pytest.fixture(scope="module", name="speaking")
def _speaking(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a companion that has one more folder with catalogues, no more."""
    top = tmp_path_factory.mktemp("speaking")
    texts = top / "pi_app" / "texts"
    texts.mkdir(parents=True)
    for folder, left_out in (("pi_app", "texts"), ("pi_app/texts", "locale")):
        for path in (ROOT / folder).iterdir():
            if path.name not in (left_out, "__pycache__"):
                (top / folder / path.name).symlink_to(path)
    (texts / "locale").mkdir()
    (texts / "locale" / "de").symlink_to(ROOT / "pi_app/texts/locale/de")
    for source in SOURCES:
        write(source, texts / "locale" / "xx" / "LC_MESSAGES")
    found = os.pathsep.join((str(top), str(ROOT)))
    return os.environ | {"PYTHONPATH": found, "LANGUAGE": "xx_XX", "LANG": "xx_XX.UTF-8"}


def run(speaking: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=speaking["PYTHONPATH"].partition(os.pathsep)[0],
        env=speaking,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_every_screen_of_every_scene_speaks_it_and_nothing_is_left_in_english(
    speaking: dict[str, str],
) -> None:
    done = run(speaking, "-c", SCENES)
    assert done.returncode == 0, done.stderr[-2000:]
    languages, chosen, name, said, english = json.loads(done.stdout)
    assert languages == ["en", "de", "xx"]
    assert (chosen, name) == ("xx", pseudo("English"))
    assert said > 900
    assert english == {}


def test_commands_settings_and_refusals_speak_it(speaking: dict[str, str], tmp_path: Path) -> None:
    done = run(speaking, "-m", "pi_app", "score", "--lang", "xx", "no-such-file.txt")
    assert done.returncode == 2
    assert "fïlé" in done.stderr
    settings = tmp_path / "settings.toml"
    settings.write_text('language = "xx"\n')
    known = speaking | {"BEISITZER_CONFIG": str(settings)}
    assert run(known, "-m", "pi_app", "config").returncode == 0
    settings.write_text('language = "yy"\n')
    refused = run(known, "-m", "pi_app", "config")
    assert refused.returncode == 2
    assert '"xx"' in refused.stderr


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
