"""Einmaleins' score: its features are those of the position, its weights are better than none."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from ai import AI
from ai.einmaleins import playouts
from ai.einmaleins.playouts import LayingScore
from ai.einmaleins.reasons import fits
from ai.einmaleins.scoring import CARD_INDEX, FEATURES, TABLES, build_score, table_of
from ai.einmaleins.thinking import code_of, new_playout
from ai.weights_file import read_weights
from engines import begin, parse
from engines.einmaleins import EinmaleinsMove, EinmaleinsPosition
from engines.einmaleins import begin as begin_einmaleins
from engines.einmaleins.cards import FREE, PAIRS, SQUARES
from engines.einmaleins.moves import Lay
from tests.ai.play_outs import KINDS, needs_compiled, playing, setup
from tools.learn import einmaleins as learning

KINDS_OF_FEATURES = tuple(FEATURES)
STARTS = dict(zip(KINDS_OF_FEATURES, playouts.SECTIONS, strict=False))


def has(card: str, factor: int) -> bool:
    return card == FREE or any(factor in pair for pair in PAIRS[int(card)])


def known_to_lack(position: EinmaleinsPosition, seat: int, factor: int) -> int:
    """Return 2 if all cards but one lack the factor, 1 if all but three do, else 0."""
    cards = position.lacking[seat] if position.lacking else ()
    count = sum(lacking >> factor & 1 for lacking in cards)
    if not count:
        return 0
    return 2 if count >= len(cards) - 1 else int(count >= len(cards) - 3)


def unseen_numbers(position: EinmaleinsPosition, hand: tuple[str, ...]) -> list[str]:
    numbers = [
        str(number)
        for number in PAIRS
        if not position.piles.numbers >> number & 1
        and not (number == position.open.number and not position.open.free)
    ]
    return [number for number in numbers if number not in hand]


def wanted(position: EinmaleinsPosition, hand: tuple[str, ...], move: EinmaleinsMove) -> list[int]:
    """Return a move's features, found by the rules."""
    players, seat = len(position.players), position.seat
    after = (seat + 1) % players
    if not isinstance(move, Lay):
        own, other = min(len(hand), 7), min(position.hands[after], 7)
        return [STARTS["draw"] + (min(hand.count(FREE), 2) * 8 + own) * 8 + other]
    rest = list(hand)
    rest.remove(FREE if move.free else str(move.number))
    square = int(move.number in SQUARES)
    if square:
        after = (seat + 2) % players
    if after == seat:
        after = 1 - seat
    other, left = min(position.hands[after], 7), min(len(rest), 7)
    fitting = min(sum(fits(card, move.pair) for card in rest), 7)
    unseen = unseen_numbers(position, hand)
    count = 43 - len(hand) - position.discards
    follow = sum(fits(card, move.pair) for card in unseen) * (256 * 36 // count) >> 8
    fewer, more = sorted(min(sum(has(card, factor) for card in rest), 2) for factor in move.pair)
    less, surer = sorted(known_to_lack(position, after, factor) for factor in move.pair)
    stage = 0 if left < 2 else 1 if left < 4 else 2
    card = CARD_INDEX[FREE if move.free else str(move.number)]
    return [
        STARTS["fit"] + ((min(other, 3) - 1) * 2 + square) * 64 + left * 8 + fitting,
        STARTS["answers"] + (square * 8 + other) * 21 + min(follow, 20),
        STARTS["card"] + stage * 43 + card,
        STARTS["each"] + (square * 8 + left) * 9 + fewer * 3 + more,
        STARTS["lack"]
        + (square * 8 + other) * 6
        + [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)].index((less, surer)),
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, 3, 6])
def test_the_features_are_those_of_the_position(count: int, kind: str) -> None:
    with playing("einmaleins", kind) as thinking:
        chance = Random(count)
        deal = AI["einmaleins"].deal(setup("einmaleins", count, {}, chance), chance)
        while deal.position.result is None:
            hand = deal.given()
            moves = deal.position.legal(hand)
            play = thinking.new_playout(deal.position, hand)
            for move in moves:
                assert play.features(code_of(move)) == wanted(deal.position, hand, move)
            deal.play(chance.choice(moves))


@pytest.mark.parametrize("kind", KINDS)
def test_without_any_time_the_score_decides(kind: str) -> None:
    head = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'
    _, position = begin(parse(f'{head}[Position "yellow 5; red 4; open 24=4x6"]\n'))
    hand = ("4", "6", "48", "35", "*")
    with playing("einmaleins", kind) as thinking:
        root = thinking.new_playout(position, hand)
        moves = position.legal(hand)
        best = max(moves, key=lambda move: root.worth(code_of(move)))
        assert code_of(best) == root.best()
        # with a single play-out each, whatever it says
        firsts = [thinking.search(position, hand, 0.0, Random(seed))[0] for seed in range(40)]
        assert {first.move for first in firsts} == {best}


@pytest.mark.parametrize("kind", KINDS)
def test_the_move_with_the_highest_score_is_played(kind: str) -> None:
    with playing("einmaleins", kind) as thinking:
        chance = Random(4)
        weights = [chance.randrange(-1000, 1000) for _ in range(playouts.SECTIONS[-1])]
        score = thinking.LayingScore(weights)
        deal = AI["einmaleins"].deal(setup("einmaleins", 2, {"free": "0"}, chance), chance)
        while deal.position.result is None:
            hand = deal.given()
            play = thinking.new_playout(deal.position, hand, score)
            worth = {
                code_of(move): sum(weights[each] for each in play.features(code_of(move)))
                for move in deal.position.legal(hand)
            }
            last = len(hand) == 1 and len(worth) > 1  # it wins, so nobody looks at its score
            assert play.best() >= 0 if last else worth[play.best()] == max(worth.values())
            deal.play(chance.choice(deal.position.legal(hand)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_hand_is_dealt_without_what_its_player_could_not_lay(kind: str) -> None:
    head = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'
    _, position = begin(parse(f'{head}[Position "yellow 5; red 4; open 24=4x6"]\n'))
    position, _ = position.play(position.parse("d"))
    with playing("einmaleins", kind) as thinking:
        root, play = (thinking.new_playout(position, ("35", "7", "9", "10")) for _ in range(2))
        words = {index: card for card, index in CARD_INDEX.items()}
        for seed in range(200):
            play.copy_from(root)
            play.deal(seed * 7919)
            hand = [words[card] for card in play.hands[: play.hand_sizes[0]]]
            assert len(hand) == 6
            numbers = [card for card in hand if card != FREE]
            # the card drawn is one of which nothing is known
            assert sum(has(card, 4) or has(card, 6) for card in numbers) <= 1


def test_every_table_has_its_weights() -> None:
    weights = read_weights("einmaleins")
    assert set(weights) == set(TABLES)
    for table in TABLES:
        assert {name: len(weights[table][name]) for name in FEATURES} == dict(FEATURES)
    assert [table_of(count) for count in range(2, 7)] == ["two", "three", "more", "more", "more"]
    assert all(end > begin for begin, end in pairwise(playouts.SECTIONS))


def won(players: int, own: LayingScore, others: LayingScore, games: int) -> float:
    """Return the share of games that one player with a score wins; seats rotate."""
    position = begin_einmaleins(setup("einmaleins", players, {}, Random(players)))
    plays = [new_playout(position, None, score) for score in (own, others)]
    root = new_playout(position, None)
    wins = 0.0
    for game in range(games):
        seat = game % players
        for play in plays:
            play.copy_from(root)
            play.deal(game // players * 2_654_435_761 & 0xFFFFFFFF)
        while not plays[0].over:
            move = plays[int(plays[0].seat != seat)].best()
            for play in plays:
                play.play(move)
        winners = plays[0].winners
        wins += (winners >> seat & 1) / winners.bit_count()
    return wins / games


@needs_compiled
@pytest.mark.parametrize(("players", "least"), [(2, 0.62), (3, 0.39), (4, 0.27), (6, 0.175)])
def test_the_weights_win_against_those_that_learning_began_with(players: int, least: float) -> None:
    learnt = build_score(read_weights("einmaleins")[table_of(players)])
    assert won(players, learnt, build_score(learning.first_weights()), 6_000) > least


def test_the_same_seed_learns_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "STEPS", 1)
    monkeypatch.setattr(learning, "TRIES", 3)
    monkeypatch.setattr(learning, "TABLES", ("two",))
    fit: Callable[[int], dict[str, Any]] = learning.fit
    learnt = fit(2)
    assert learnt == fit(2)
    assert {name: len(weights) for name, weights in learnt["two"].items()} == dict(FEATURES)
    assert any(learnt["two"]["fit"])
