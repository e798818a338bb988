"""Texts are cleaned where they come in, so that no frame holds what a display would obey."""

import gettext
import json

import pytest

from engines.game import Result
from engines.record import parse
from pi_app.phones.protocol import PairBrowser, read_request
from pi_app.screens.starting.drafts import load_draft
from pi_app.screens.starting.history import HistoryScreen
from pi_app.store import Store
from pi_app.table.players import list_players
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts import language
from pi_app.texts.language import Texts
from tests.pi_app.pilot import Pilot, add_games

OBEYED = "\x1b[31m\x9b\u202e\u2066\u200f\x07\u2028"
WEIRD = f"An{OBEYED}na"
SEEN = "An?[31m????? na"
TAGS = {"Game": "numeri", "Players": f"{WEIRD} yellow, Ben red", "Event": OBEYED}


def strange_store() -> Store:
    """Return a store that somebody else may have written: its names are as bad as can be."""
    store = Store(":memory:")
    add_games(
        store, [(TAGS, ("3", "6"), "2026-03-01T12:00:00+00:00", Result((WEIRD,), "conceded"))]
    )
    store.begin(TAGS)
    store.remember("players", json.dumps([{"name": WEIRD}]))
    store.remember("seats", json.dumps([[[WEIRD, "red"], ["B", "blue"]], {WEIRD: "club"}]))
    return store


def test_of_a_record_nothing_is_read_that_a_display_would_obey() -> None:
    text = "".join(f'[{name} "{value}"]\n' for name, value in TAGS.items())
    record = parse(f"{text}\n1. 3 {OBEYED} {{a note\r\nof {OBEYED}two lines}} 4\n")
    assert record.tags["Players"].startswith(SEEN)
    assert all(value.isprintable() for value in (*record.tags.values(), *record.tokens))
    assert [note.text.count("\n") for note in record.notes] == [1]
    assert record.notes[0].text.replace("\n", "").isprintable()


def test_a_strange_stores_names_reach_every_screen_clean() -> None:
    pilot = Pilot(store=strange_store())
    frames = [pilot.frame, pilot.key("d3"), pilot.key("?")]
    frames.append(HistoryScreen(pilot.ctx).frame())
    assert frames[0].header.title == SEEN
    assert SEEN in str(frames[-1])
    for frame in frames:
        assert "\\x" not in repr(frame), frame
        assert "\\u" not in repr(frame), frame
    assert [known.name for known in list_players(pilot.ctx.store)] == [SEEN]
    draft = load_draft(pilot.ctx, PRESENTATIONS["numeri"])
    assert (draft.players[0][0], list(draft.bot_seats)) == (SEEN, [SEEN])


def test_a_phones_words_are_cleaned_and_its_id_comes_back_as_it_was() -> None:
    request = read_request(
        json.dumps({"id": OBEYED, "kind": "pair", "code": "1", "name": WEIRD}).encode()
    )
    assert request.id == OBEYED
    assert isinstance(request.asked, PairBrowser)
    assert request.asked.name == SEEN


def test_a_catalogues_words_are_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    class Weird(gettext.NullTranslations):
        def pgettext(self, context: str, message: str) -> str:
            return f"{context}{WEIRD}{message}"

        def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
            return f"{context}{WEIRD}{msgid1}{msgid2}{n}"

    monkeypatch.setattr(language, "_load", lambda _: Weird())
    tx = Texts("de")
    assert tx("line", "of nobody else {n}", n=3) == f"line{SEEN}of nobody else 3"
    assert tx.many("line", "one", "several", 3) == f"line{SEEN}oneseveral3"
