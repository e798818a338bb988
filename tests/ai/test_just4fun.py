"""Just 4 Fun's value: the score of moves and the model of positions say what the rules show."""

from random import Random

import pytest

from ai import AI
from ai.api import softmax
from ai.just4fun.value import (
    CLASSES,
    LEADS,
    ONE_MORE,
    OUT_OF_REACH,
    SECURED,
    TWO_MORE,
    chances,
    classes_of,
    features,
    rate,
    score_moves,
    score_on,
)
from ai.weights_file import read_weights
from engines import begin, parse
from engines.just4fun.rules import Just4Fun
from tests.ai.games import deals

HEAD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'


def test_a_class_says_how_far_the_majority_is() -> None:
    assert classes_of((0, 0)) == (ONE_MORE, ONE_MORE)
    assert classes_of((1, 0, 0)) == (LEADS, TWO_MORE, TWO_MORE)
    assert classes_of((2, 2, 1)) == (ONE_MORE, ONE_MORE, TWO_MORE)
    assert classes_of((3, 2, 1)) == (LEADS, TWO_MORE, OUT_OF_REACH)
    assert classes_of((2, 0)) == (SECURED, OUT_OF_REACH)


def test_the_states_of_the_rows_are_the_classes_of_their_fields() -> None:
    for deal in deals("just4fun", every=9):
        position: Just4Fun = deal.position
        board = position.terms.board
        classes = [classes_of(stones) for stones in position.counts]
        for seat in range(len(position.players)):
            wanted = [
                sum(classes[field][seat] * 5**place for place, field in enumerate(row))
                for row in board.rows
            ]
            assert list(score_on(board).states(classes, seat)) == wanted


def test_a_score_is_the_change_in_the_worth_of_the_own_rows_and_fields() -> None:
    """On an empty board there is nobody to hinder."""
    _, position = begin(parse(HEAD))
    assert isinstance(position, Just4Fun)
    score, weights = score_on(position.terms.board), read_weights("just4fun")
    moves = position.legal((3, 5, 11, 13))
    untouched = sum(ONE_MORE * 5**place for place in range(4))
    for move, found in zip(moves, score_moves(position, moves), strict=True):
        field = move.total
        own = [
            score.worth[0][row][untouched - unit] - score.worth[0][row][untouched]
            for row, unit in score.rows_at[field]
        ]
        other = [
            score.worth[1][row][untouched] - score.worth[1][row][untouched + unit]
            for row, unit in score.rows_at[field]
        ]
        fields = score.fields[field]
        gained = fields[LEADS] - fields[ONE_MORE] + fields[ONE_MORE] - fields[TWO_MORE]
        rows = 100 * (sum(own) + sum(other))
        cards = round(10_000 * weights["cards"][len(move.cards)])
        assert found == rows * 100 + gained * 100 * 100 + cards


@pytest.mark.parametrize(
    ("table", "hand", "field"),
    [
        ('[Position "yellow 1x2 14x2 30x2; red 7x1"]\n', (12, 12, 9, 3), 24),
        ('[Position "red 1x2 14x2 30x2; yellow 7x1 8x1 2x1"]\n', (12, 12, 9, 3), 24),
    ],
    ids=["wins the row", "stops the row"],
)
def test_what_wins_at_once_or_would_lose_at_once_is_seen(
    table: str, hand: tuple[int, ...], field: int
) -> None:
    _, position = begin(parse(HEAD + table))
    assert isinstance(position, Just4Fun)
    move, chance = rate(position, hand)[0]
    assert move.total == field
    assert (chance == 1) == ("yellow 1x2" in table)
    codes = [code for code, _ in AI["just4fun"].reasons(position, move, hand)]
    assert codes[0] == ("wins-row" if "yellow 1x2" in table else "stops-row")
    searched = AI["just4fun"].search(position, hand, 300, Random(1))[0]
    assert searched.move == move


def test_the_model_is_a_softmax_of_its_weights_and_features() -> None:
    """The tables by state and class, which it is computed with, add up to the same."""
    for deal in deals("just4fun", 1, every=13):
        table, rows = features(deal.position)
        weights = read_weights("just4fun", "model")[table]["weights"]
        sums = [
            sum(weights[role][index] * value for index, value in row.items()) for role, row in rows
        ]
        assert chances(deal.position) == pytest.approx(softmax(sums))


def test_a_row_that_can_be_completed_raises_the_chance_of_who_is_to_move_most() -> None:
    three = '[Position "{} 1x2 14x2 30x2; {} 2x2 3x2 4x2"]\n'
    means = [
        chances(begin(parse(HEAD + three.format(*colours)))[1])[0]  # type: ignore[arg-type]
        for colours in (("yellow", "red"), ("red", "yellow"))
    ]
    assert means[0] > 0.5 > means[1]


def test_every_state_has_a_worth_and_only_full_rows_win() -> None:
    _, position = begin(parse(HEAD))
    assert isinstance(position, Just4Fun)
    score = score_on(position.terms.board)
    for side in score.worth:
        assert {len(row) for row in side} == {len(CLASSES) ** 4}
    assert max(score.worth[0][0][1:2] + score.worth[0][0][5:8]) < score.worth[0][0][0] * 2
