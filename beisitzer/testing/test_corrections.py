"""Undo, redo, changing the past and the board check work by keys in every game."""

import pytest

from beisitzer.testing.parts import Candidate
from beisitzer.testing.pilot import Pilot
from beisitzer.testing.test_keys import raised_errors


def play_keys(candidate: Candidate, keys: tuple[str, ...], tokens: tuple[str, ...]) -> Pilot:
    """Return a pilot that pressed these keys of the samples, which must make these moves."""
    pilot = Pilot(candidate.tags)
    with raised_errors():
        for script in keys:
            pilot.key(script)
    made = f"the keys {' '.join(keys)!r} of the samples make {pilot.tokens()}, not {tokens}"
    assert pilot.tokens() == tokens, made
    return pilot


def play_samples(candidate: Candidate) -> Pilot:
    """Return a pilot with the two moves of the samples played."""
    return play_keys(candidate, candidate.samples.keys, candidate.samples.tokens)


def test_held_back_takes_moves_back_and_the_menu_plays_them_again(candidate: Candidate) -> None:
    pilot, tokens = play_samples(candidate), candidate.samples.tokens
    for left in (tokens[:1], ()):
        pilot.key("<<")
        assert pilot.tokens() == left
    for count in (1, 2):
        pilot.key('?@"Redo"')
        assert pilot.tokens() == tokens[:count]


def test_a_past_move_is_changed_with_the_games_own_keys(candidate: Candidate) -> None:
    keys, token = candidate.samples.other
    play_keys(candidate, (keys,), (token,))
    pilot = play_samples(candidate)
    pilot.key('?@"Moves"^#@"Change"')  # the move before the last
    pilot.key(keys)
    assert pilot.frame.header.title == "Change move 1?"
    pilot.key("#")
    assert pilot.tokens()[0] == token


def test_the_board_check_of_an_agreeing_table_changes_nothing(candidate: Candidate) -> None:
    if candidate.presentation.places is None:
        pytest.skip('the game has no places for "Check table": that is fine')
    pilot = play_samples(candidate)
    pilot.key('?@"Check table"')
    places = int(pilot.frame.header.corner.partition("/")[2])
    pilot.key("#" * places)
    assert pilot.frame.header.title == "Differences"
    pilot.key("<?#")  # back; done; then ok, as there are no differences
    assert pilot.tokens() == candidate.samples.tokens
    assert pilot.frame.header.title in candidate.samples.players  # a name: the turn is back
