"""The models that short play-outs ask: their answers, their features, and what they are worth."""

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest

from ai.odds import CERTAIN, chances_by_step
from ai.sequence.playouts import SECTIONS
from ai.sequence.scoring import live_windows
from ai.sequence.thinking import code_of
from engines import GAMES, begin, parse
from engines.sequence import SequencePosition
from engines.sequence.board import (
    BITS,
    CARD_BITS,
    CARDS,
    CORNERS,
    ONE_EYED,
    SQUARES,
    TWO_EYED,
    WINDOW_NAMES,
)
from tests.ai.play_outs import KINDS, playing, setup, squared_error

WINDOWS_END = SECTIONS[0]
AHEAD = {"just4fun": 4, "sequence": 2}


def won(game: str, play: Any, seat: int) -> float:
    return float(play.winners == 1 << seat if game == "just4fun" else play.winner == seat)


@pytest.mark.parametrize("game", AHEAD)
def test_compiled_and_as_python_short_play_outs_are_the_same(game: str) -> None:
    outcomes = []
    for kind in reversed(KINDS):
        with playing(game, kind) as thinking:
            chance = Random(7)
            position = GAMES[game].begin(setup(game, 2, {}, chance))
            root, playout = (thinking.new_playout(position, None) for _ in range(2))
            root.deal(3)
            found = []
            while not root.over:
                best = root.best()
                seen = playout.foresee(root, best, chance.getrandbits(32), AHEAD[game])
                assert 0 <= seen <= CERTAIN
                assert playout.over or playout.seat == root.seat
                made = playout.moves - root.moves
                turned_in = game == "sequence" and made > AHEAD[game]
                assert playout.over or made == AHEAD[game] or turned_in
                found.append((best, seen, root.value()))
                root.play(best)
            outcomes.append(found)
    assert outcomes[0] == outcomes[1]


SEEN = [
    ("just4fun", "yellow, Ben red", "yellow 1x2 14x2 30x2; red 7x1", 0.75, 1.0),
    ("just4fun", "yellow, Ben red", "red 1x2 14x2 30x2; yellow 7x1", 0.0, 0.4),
    ("just4fun", "yellow, Ben red", "yellow 34x2 35x2 36x2; red 1x2 2x2 3x2", 0.6, 1.0),
    ("sequence", "blue, Ben green", "blue r3c2 r3c3 r3c4 r4c2-r4c6; green r9c9", 0.7, 1.0),
    ("sequence", "blue, Ben green", "green r3c2 r3c3 r3c4 r4c2-r4c6; blue r9c9", 0.0, 0.35),
    ("sequence", "blue, Ben green", "blue r3c3 r4c4; green r3c7 r4c6", 0.4, 0.7),
]


@pytest.mark.parametrize(("game", "players", "table", "least", "most"), SEEN)
def test_the_model_sees_who_is_ahead(
    game: str, players: str, table: str, least: float, most: float
) -> None:
    head = f'[Game "{game}"]\n[Players "Anna {players}"]\n'
    with playing(game, KINDS[0]) as thinking:
        _, position = begin(parse(f'{head}[Position "{table}"]\n'))
        play = thinking.new_playout(position, None)
        play.deal(1)
        assert least <= play.value() / CERTAIN <= most


@pytest.mark.parametrize("game", AHEAD)
def test_the_model_tells_who_wins_better_than_a_coin(game: str) -> None:
    """Over the score's games."""
    with playing(game, KINDS[1]) as thinking:
        position = GAMES[game].begin(setup(game, 2, {}, Random(1)))
        pair = thinking.new_playout(position, None), thinking.new_playout(position, None)
        error = squared_error(pair, lambda play: int(play.best()), partial(won, game))
        assert error < 0.225


def test_log_odds_and_what_they_are_as_chances_rise_together() -> None:
    chances = chances_by_step()
    assert chances == sorted(chances)
    assert all(low + high == CERTAIN for low, high in zip(chances, reversed(chances), strict=True))
    assert chances[512 + 64] == pytest.approx(CERTAIN / (1 + 2.71828**-1), rel=0.005)


def windows_to(position: SequencePosition, hands: list[list[str]], side: int) -> Counter[int]:
    """Return the features of the windows that a side can complete, found by the position."""
    seat = position.seat if side == 0 else 1 - position.seat
    own, other = position.chips[seat], position.chips[1 - seat]
    mine, theirs = Counter(hands[seat]), Counter(hands[1 - seat])
    taken = own | other | CORNERS
    lines = position.sequences[seat]
    wilds = sum(mine[jack] for jack in TWO_EYED)
    piles = position.piles
    gone = {
        card: bool(piles.once & bit) + bool(piles.twice & bit) for card, bit in CARD_BITS.items()
    }
    live = live_windows()
    found: Counter[int] = Counter()
    for window, names in WINDOW_NAMES.items():
        along = any((window & line).bit_count() >= 2 for line in lines)
        chips = ((own | CORNERS) & window).bit_count()
        if other & window or along or chips == len(names):
            continue
        missing = [
            position.terms.board.codes[SQUARES.index(name)]
            for name in names
            if not taken & BITS[SQUARES.index(name)]
        ]
        filled = sum(card in mine for card in missing)
        block = chips >= 3 and any(card in theirs for card in missing)
        none = sum(card not in mine and gone[card] + theirs[card] >= 2 for card in missing)
        shape = (chips * 6 + filled) * 3 + (min(wilds, 2) if chips >= 2 else 0)
        feature = (shape * 2 + block) * 3 + (min(none, 2) if chips >= 1 else 0)
        assert feature in live
        found[(side * 2 + bool(lines)) * WINDOWS_END // 4 + feature] += 1
    return found


def jacks_of(hand: list[str]) -> tuple[int, int]:
    wilds, takers = (sum(card in kind for card in hand) for kind in (TWO_EYED, ONE_EYED))
    return min(wilds, 3), min(takers, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_features_of_sequence_are_those_of_the_position(kind: str) -> None:
    with playing("sequence", kind) as thinking:
        chance = Random(5)
        position = GAMES["sequence"].begin(setup("sequence", 2, {}, chance))
        play = thinking.new_playout(position, None)
        play.deal(11)
        while position.result is None:
            assert isinstance(position, SequencePosition)
            hands = [
                [CARDS[card] for card in play.hands[seat * 7 : seat * 7 + play.hand_sizes[seat]]]
                for seat in range(2)
            ]
            count = play.note_features()
            noted = Counter(play.features[:count])
            wanted = windows_to(position, hands, 0) + windows_to(position, hands, 1)
            assert Counter(dict(each for each in noted.items() if each[0] < WINDOWS_END)) == wanted
            last = sum(map(bool, position.sequences))
            for side in range(2):
                seat = position.seat if side == 0 else 1 - position.seat
                for at, count in enumerate(jacks_of(hands[seat])):
                    assert noted[SECTIONS[at] + (side * 3 + last) * 4 + count] == 1
            code = play.best() if chance.random() < 0.7 else play.any()
            moves = position.legal(tuple(hands[position.seat]))
            play.play(code)
            position, _ = position.play(next(m for m in moves if code_of(m) == code))
