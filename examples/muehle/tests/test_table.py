"""A whole game by keys, on every display, in both languages; stored, resumed, corrected."""

from pathlib import Path

import pytest
from muehle.rules.board import COLUMNS

from beisitzer.testing.pilot import Pilot
from engines.record import parse
from pi_app.displays import oled, text
from pi_app.displays.window import WindowShots
from pi_app.view.frame import Frame

RECORDS = Path(__file__).parents[1] / "records"
GAME = parse((RECORDS / "muehle-few-stones.txt").read_text("utf-8"))
TAGS = dict(GAME.tags)


def keys_of(token: str) -> str:
    """Return a token as it is keyed: every point as its column and its row, then ENTER."""
    digits = "".join(
        str(COLUMNS.index(sign) + 1) if sign in COLUMNS else sign
        for sign in token
        if sign not in "-x"
    )
    return f"{digits}#"


KEYS = [keys_of(token) for token in GAME.tokens]


def terminal(frame: Frame) -> str:
    rows = text.paint(frame, 80, 24, lambda _style, text: text)
    assert all(len(row) <= 80 for row in rows)
    return "\n".join(rows)


@pytest.mark.parametrize(("language", "wins"), [("en", "wins"), ("de", "gewinnt")])
def test_a_whole_game_by_keys_is_shown_everywhere(language: str, wins: str, tmp_path: Path) -> None:
    pilot = Pilot(TAGS, language)
    window = WindowShots(tmp_path)
    for keys in KEYS:
        frame = pilot.key(keys)
        window.show(frame)
        assert oled.paint(frame).to_image().getbbox()
        assert frame.header.title in terminal(frame)
    assert pilot.tokens() == GAME.tokens
    assert len(list(tmp_path.glob("*.png"))) == len(KEYS)
    assert "Ben" in terminal(pilot.frame)
    assert wins in terminal(pilot.frame)


def test_a_game_goes_on_after_a_restart_where_it_was(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    pilot = Pilot(TAGS, store=store)
    pilot.key("".join(KEYS[:7]))
    pilot.ctx.store.close()
    again = Pilot(store=store)
    assert again.tokens() == GAME.tokens[:7]
    again.key("".join(KEYS[7:]))
    assert again.tokens() == GAME.tokens


def test_the_table_is_corrected_in_the_board_check() -> None:
    pilot = Pilot(TAGS)
    pilot.key("11# 41#")
    pilot.key('?@"Check"')
    # a stone of Anna's on a7 that was not keyed: one less in her hand
    pilot.key("1*25#7?#")
    (_, _, correction) = pilot.tokens()
    assert correction.startswith("<white a7 a1")


def test_what_is_keyed_is_judged_before_it_is_played() -> None:
    pilot = Pilot(TAGS)
    pilot.key("11#")
    entry = pilot.key("11").body.entry
    assert entry is not None
    assert (entry.text, entry.verdict) == ("a1", "a1 is taken")
    assert pilot.key("#").body.entry == entry
    assert pilot.tokens() == ("a1",)


def test_both_agree_on_a_draw() -> None:
    pilot = Pilot(TAGS)
    assert pilot.key("*#").header.title == "Game over"
    assert pilot.tokens() == ("=",)
