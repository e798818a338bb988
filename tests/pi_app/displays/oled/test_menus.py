"""Screens without a scene in a third language: nothing overlaps, is cut, or left in English."""

import re
from pathlib import Path
from zoneinfo import available_timezones

import pytest

from hardware.boards import known_boards
from pi_app.displays.plain import frame_texts
from tests.pi_app.displays.menus import AREAS, walked
from tests.pi_app.displays.oled.test_walk import cut, faults, painted
from tests.third_language import plain_words, texts_in

FEWEST = {"system": 50, "club": 8, "wifi": 5, "stick": 2, "updates": 2, "machine": 10}
"""How many frames there are at least, so that a walk that stops is seen."""
STORE = r"\b[0-9a-f]{16}\b"
"""The name of a store."""
OWN = {
    *["Beisitzer", "beisitzer", "local", "abc", "English", "Deutsch", "Language", "Sprache"],
    *["aplay", "espeak", "language", "volume", "text"],
    *re.findall(r"[^\W\d_]+", " ".join(available_timezones())),
    *re.findall(r"[^\W\d_]+", " ".join(board.label for board in known_boards())),
}
"""Names, addresses, and what commands in the settings consist of."""


@pytest.mark.parametrize("area", AREAS)
def test_in_a_third_language_a_menu_shows_all_it_says_and_cuts_no_more_than_in_german(
    area: str, third_language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = walked(area, "de", tmp_path / "de")
    third = walked(area, third_language, tmp_path / third_language)
    assert len(third) >= FEWEST[area]
    wrong = []
    for path, frame in third.items():
        canvas = painted(frame, monkeypatch)
        found = faults(frame, canvas)
        if path in german and cut(canvas) > cut(painted(german[path], monkeypatch)):
            found.append("cut")
        if found:
            wrong.append((path, frame.header.title, found))
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.parametrize("area", AREAS)
def test_in_a_third_language_no_menu_has_a_word_of_english(
    area: str, third_language: str, tmp_path: Path
) -> None:
    english: dict[str, str] = {}
    for frame in walked(area, third_language, tmp_path / "it").values():
        for text in texts_in(frame_texts(frame)):
            for word in plain_words(re.sub(STORE, "", text)):
                if word not in OWN:
                    english.setdefault(word, f"{frame.header.title}: {text}")
    assert english == {}
