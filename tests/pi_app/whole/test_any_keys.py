"""Whatever is keyed, nothing fails, and the store's record is what the table shows."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.record import begin_game
from engines.replay import steps as replayed
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.screens import chair_turn, tips
from pi_app.screens.playing.games import chair_of
from pi_app.screens.playing.turn import TurnScreen
from pi_app.table.draft import Draft
from pi_app.table.faces import FACES
from pi_app.table.players import Chairs
from pi_app.texts.language import Texts
from pi_app.view.key_script import read_keys
from tests.pi_app.desk import Desk
from tests.samples import samples_of

KEYS = st.lists(
    st.one_of(st.sampled_from(Key), st.sampled_from([Key.ENTER, Key.D1, Key.D5, Key.STAR])),
    max_size=60,
)


def desk_for(game: str, language: str) -> Desk:
    face = FACES[game]
    seats = face.seats(Texts(language), min(face.game.player_counts), None)
    return Desk(Draft(seats, tags=dict(samples_of(game).tags)).record_tags(face.game), language)


def press_all(desk: Desk, keys: list[Key], caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        for key in keys:
            desk.program.press(key)
            paint(desk.frame)
            if desk.program.quit is not None:
                break
    assert not caplog.records, caplog.text


@pytest.mark.parametrize("game", FACES)
def test_no_key_sequence_makes_a_game_fail(game: str, caplog: pytest.LogCaptureFixture) -> None:
    @given(KEYS, st.sampled_from(["en", "de"]))
    @settings(max_examples=80)
    def check(keys: list[Key], language: str) -> None:
        desk = desk_for(game, language)
        press_all(desk, keys, caplog)
        stored = desk.ctx.store.load(desk.ctx.store.latest() or 0)
        _, start = begin_game(stored.tags)
        steps = replayed(start, stored.tokens)
        screen = desk.program.screen
        if isinstance(screen, TurnScreen) and screen.table.id == stored.id:
            assert screen.table.position == (steps[-1].after if steps else start)

    check()


@pytest.mark.parametrize("game", [name for name in FACES if chair_of(name) is not None])
def test_no_key_sequence_makes_a_game_with_the_companion_fail(
    game: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chair_turn, "EFFORT_S", 0.001)

    @given(KEYS, st.sampled_from(["en", "de"]), st.booleans())
    @settings(max_examples=40)
    def check(keys: list[Key], language: str, both: bool) -> None:
        desk = desk_for(game, language)
        seats = desk.ctx.store.load(1).tags["Players"].split(", ")
        names = [seat.rpartition(" ")[0] for seat in seats]
        Chairs(desk.ctx.store, 1).give(dict.fromkeys(names[0 if both else 1 :], "beginner"))
        desk.restart()
        press_all(desk, keys, caplog)

    check()


@pytest.mark.parametrize("game", FACES)
def test_no_key_sequence_makes_a_game_with_tips_fail(
    game: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tips, "SECONDS", 0.0)
    hands = {"just4fun": "^3*5*11*13#", "numeri": "d6", "einmaleins": "^#12*24*35*42*8#"}
    lead = read_keys(hands.get(game, "^#12*2 10*1 11*1 11*3 7*1 8*4 10*2#"))

    @given(KEYS, st.sampled_from(["en", "de"]))
    @settings(max_examples=40)
    def check(keys: list[Key], language: str) -> None:
        desk = desk_for(game, language)
        desk.give_tips()
        press_all(desk, [*lead, Key.STAR, *keys, Key.BACK_HELD, *lead, Key.STAR, *keys], caplog)

    check()


def test_no_key_sequence_makes_the_set_up_fail(caplog: pytest.LogCaptureFixture) -> None:
    @given(KEYS)
    def check(keys: list[Key]) -> None:
        press_all(Desk(), keys, caplog)

    check()
