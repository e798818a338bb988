"""No key sequence makes a game fail, and the stored record is what the table shows."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples
from engines.record import begin_game
from engines.replay import steps as steps_of
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.screens import tips
from pi_app.screens.playing.turn import TurnScreen
from pi_app.table import thoughts
from pi_app.table.players import BotSeats
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.language import Texts
from pi_app.view.key_script import read_keys

# half of the keys are those that get on with most turns
KEYS = st.lists(
    st.one_of(st.sampled_from(Key), st.sampled_from([Key.ENTER, Key.D1, Key.D5, Key.STAR])),
    max_size=60,
)


def pilot_for(game: str, samples: Samples, language: str) -> Pilot:
    presentation = PRESENTATIONS[game]
    seats = presentation.seats(Texts(language), min(presentation.game.player_counts), None)
    return Pilot(
        SetupDraft(seats, tags=dict(samples.tags)).record_tags(presentation.game), language
    )


def press_all(pilot: Pilot, keys: list[Key], caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        for key in keys:
            pilot.program.press(key)
            paint(pilot.frame)
            if pilot.program.quit is not None:
                break
    assert not caplog.records, caplog.text


def test_no_key_sequence_makes_a_game_fail(
    game: str, samples: Samples, caplog: pytest.LogCaptureFixture
) -> None:
    @given(KEYS, st.sampled_from(["en", "de"]))
    @settings(max_examples=80)
    def check(keys: list[Key], language: str) -> None:
        pilot = pilot_for(game, samples, language)
        press_all(pilot, keys, caplog)
        stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
        _, start = begin_game(stored.tags)
        steps = steps_of(start, stored.tokens)
        screen = pilot.program.screen
        if isinstance(screen, TurnScreen) and screen.table.id == stored.id:
            assert screen.table.position == (steps[-1].after if steps else start)

    check()


@pytest.mark.game_with("bot_seat")
def test_no_key_sequence_makes_a_game_with_the_companion_fail(
    game: str,
    samples: Samples,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thoughts, "EFFORT_S", 0.001)

    @given(KEYS, st.sampled_from(["en", "de"]), st.booleans())
    @settings(max_examples=40)
    def check(keys: list[Key], language: str, both: bool) -> None:
        pilot = pilot_for(game, samples, language)
        seats = pilot.ctx.store.load(1).tags["Players"].split(", ")
        names = [seat.rpartition(" ")[0] for seat in seats]
        played = names if both else names[1:]  # by the companion
        BotSeats(pilot.ctx.store, 1).give(dict.fromkeys(played, "beginner"))
        pilot.restart()
        press_all(pilot, keys, caplog)

    check()


@pytest.mark.game_with("ai")
def test_no_key_sequence_makes_a_game_with_tips_fail(
    game: str,
    samples: Samples,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tips, "SECONDS", 0.0)
    lead = read_keys(samples.hand)

    @given(KEYS, st.sampled_from(["en", "de"]))
    @settings(max_examples=40)
    def check(keys: list[Key], language: str) -> None:
        pilot = pilot_for(game, samples, language)
        pilot.give_tips()
        press_all(pilot, [*lead, Key.STAR, *keys, Key.BACK_HELD, *lead, Key.STAR, *keys], caplog)

    check()


def test_holding_back_clears_what_is_keyed_before_it_takes_back_a_move(
    pilot: Pilot, samples: Samples
) -> None:
    pilot.key(samples.keys[0])
    for key in read_keys(samples.keys[1]):
        pilot.key([key])
        screen = pilot.program.screen
        if pilot.tokens() != samples.tokens[:1] or not isinstance(screen, TurnScreen):
            return  # the move is made, or a screen of its own asks for it
        entry = pilot.frame.body.entry
        if entry is None or not entry.text:
            continue
        if not screen.keying():
            what = f"{type(screen).__name__}.keying returns False while {entry.text!r} is keyed"
            pytest.fail(f"{what}: holding C would take back the last move", pytrace=False)
        keyed = pilot.frame
        pilot.key([Key.BACK_HELD])
        assert pilot.tokens() == samples.tokens[:1]
        assert not screen.keying(), f"{type(screen).__name__}.clear leaves something keyed"
        assert pilot.frame != keyed
        return


@pytest.mark.parametrize("played", [0, 1, 2])
def test_turning_on_always_shows_a_sentence_and_comes_back(
    pilot: Pilot, samples: Samples, played: int
) -> None:
    for keys in samples.keys[:played]:
        pilot.key(keys)
    first = pilot.frame
    tops: list[int] = []
    for _ in first.body.lines:
        frame = pilot.key([Key.DOWN])
        if frame.body.lines != first.body.lines:
            return  # the key does something else in this game
        assert frame.body.lines[frame.body.top :] or not frame.body.lines
        tops.append(frame.body.top)
    assert not tops or tops[-1] == first.body.top
