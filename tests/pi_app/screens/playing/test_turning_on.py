"""Turning on in what a turn says never leaves an empty screen: after the last comes the first."""

import pytest

from hardware.keys import Key
from pi_app.table.faces import FACES
from tests.pi_app.desk import Desk
from tests.samples import samples_of


@pytest.mark.parametrize("played", [0, 1, 2])
@pytest.mark.parametrize("game", FACES)
def test_turning_on_always_shows_a_sentence_and_comes_back(game: str, played: int) -> None:
    samples = samples_of(game)
    desk = Desk({"Game": game, "Players": samples.players, **samples.tags})
    for keys in samples.keys[:played]:
        desk.key(keys)
    first = desk.frame
    tops = []
    for _ in first.body.lines:
        shown = desk.key([Key.DOWN])
        if shown.body.lines != first.body.lines:
            return  # the key does something else in this game
        assert shown.body.lines[shown.body.top :] or not shown.body.lines
        tops.append(shown.body.top)
    assert not tops or tops[-1] == first.body.top


def test_the_hand_opens_in_sequence_also_after_turning_on() -> None:
    desk = Desk.game("sequence", "Anna blue, Ben green")
    offered = desk.key([Key.DOWN]).keys.soft
    assert any(key.key is Key.UP and key.label == "other" for key in offered)
    assert desk.key([Key.UP]).body.choices is not None
