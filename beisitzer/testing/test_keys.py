"""No keys and taps make a game fail; what is stored is what is shown; C deletes what is keyed."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from logging.handlers import BufferingHandler
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import search
from beisitzer.testing.parts import Candidate
from beisitzer.testing.pilot import Pilot
from engines.game import steps as steps_of
from engines.record import begin_game
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.screens.empty_chair import thoughts
from pi_app.screens.playing.games import companion_of
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import HelpLevel, HelpSettings
from pi_app.table.players import BotSeats
from pi_app.view.key_script import read_keys

Press = Key | int
"""A key, or a tap: the number of the cell in the picture."""
# half of the keys are ones that complete most turns
KEYS = st.sampled_from(Key) | st.sampled_from([Key.ENTER, Key.D1, Key.D5, Key.STAR])
PRESSES: st.SearchStrategy[list[Press]] = st.lists(KEYS | st.integers(0, 120), max_size=60)
LANGUAGES = st.sampled_from(["en", "de"])
DELETION_LIMIT = 200
"""Pressing C this often deletes anything keyed."""
SEE = "see: python -m pydoc beisitzer.plugin.screens.GameTurn"


@contextmanager
def raised_errors() -> Generator[None, None, None]:
    """Raise the first logged error: the companion survives errors, but a test must fail."""
    errors = BufferingHandler(1_000)
    errors.setLevel(logging.ERROR)
    logging.getLogger().addHandler(errors)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(errors)
    for record in errors.buffer:
        error = record.exc_info[1] if record.exc_info else None
        raise error or AssertionError(record.getMessage())


def press_all(pilot: Pilot, presses: list[Press]) -> None:
    """Press keys and tap cells; raise the first error."""
    with raised_errors():
        for press in presses:
            picture = pilot.frame.board.picture
            if isinstance(press, Key):
                pilot.program.press(press)
            elif picture is not None and picture.cells:
                pilot.program.tap(picture.cells[press % len(picture.cells)].name)
            paint(pilot.frame)
            if pilot.program.quit is not None:
                break


def check_record(pilot: Pilot) -> None:
    """Fail if the stored record is not what the table shows."""
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    _, start = begin_game(stored.tags)
    steps = steps_of(start, stored.tokens)  # Fault if a turn stored an illegal move
    screen = pilot.program.screen
    if isinstance(screen, TurnScreen) and screen.table.id == stored.id:
        assert screen.table.position == (steps[-1].after if steps else start)


def check_deleting(pilot: Pilot, key: Key) -> None:
    """Press C until nothing is keyed, or hold it once."""
    tokens, most = pilot.tokens(), 1 if key is Key.BACK_HELD else DELETION_LIMIT
    for pressed in count():
        screen, shown = pilot.program.screen, (pilot.frame.body, pilot.frame.board.picture)
        if not isinstance(screen, TurnScreen) or not screen.turn.keying():
            return
        assert pressed < most, f"something is still keyed when C was pressed or held; {SEE}"
        pilot.key([key])
        assert pilot.tokens() == tokens, f"C changes the moves instead of what is keyed; {SEE}"
        why = f"C changes nothing, although keying() says that something is keyed; {SEE}"
        assert (pilot.frame.body, pilot.frame.board.picture) != shown, why


@pytest.mark.parametrize("way", ["alone", "companion", "tips"])
@given(PRESSES, LANGUAGES, st.sampled_from([Key.BACK, Key.BACK_HELD]))
def test_no_keys_and_taps_make_a_game_fail(
    candidate: Candidate, way: str, presses: list[Press], language: str, back: Key
) -> None:
    samples, pilot = candidate.samples, Pilot(candidate.tags, language)
    if way == "companion" and companion_of(candidate.name) is None:
        pytest.skip("the game has no seat for the companion: that is fine")
    if way == "tips" and not candidate.plugin.ai:
        pytest.skip("the game has no AI: that is fine")
    if way == "companion":
        names = [seat.rpartition(" ")[0] for seat in samples.players.split(", ")]
        BotSeats(pilot.ctx.store, 1).give(dict.fromkeys(names[len(presses) % 2 :], "beginner"))
    if way == "tips":
        pilot.ctx.settings = replace(pilot.ctx.settings, help=HelpSettings(HelpLevel.TIPS))
        tip = [*read_keys(samples.hand), Key.STAR]
        presses = [*tip, *presses, Key.BACK_HELD, *tip]
    # the companion's skill is not tested: few and short tries are enough
    with (
        patch.object(thoughts, "EFFORT_S", 0.001),
        patch.multiple(search, LEAST=1, LONGEST=3),
    ):
        pilot.restart()
        press_all(pilot, presses)
    check_record(pilot)
    check_deleting(pilot, back)


def test_what_is_keyed_is_cleared_before_a_move_is_taken_back(candidate: Candidate) -> None:
    pilot, (first, second) = Pilot(candidate.tags), candidate.samples.keys
    pilot.key(first)
    entry, screen = pilot.key(read_keys(second)[:1]).body.entry, pilot.program.screen
    # the first key may make the move, open a list, or key nothing yet
    if entry is not None and entry.text and isinstance(screen, TurnScreen):
        assert screen.turn.keying(), f"keying() returns False while {entry.text!r} is keyed; {SEE}"
