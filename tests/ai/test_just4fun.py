"""Just 4 Fun's play-outs: what is kept up to date as stones are placed."""

from random import Random

import pytest

from ai import AI
from ai.just4fun.thinking import new_playout, rank_moves
from engines import GAMES
from tests.ai.play_outs import KINDS, RULES, playing, setup, token_of

TABLES = [(count, rules) for count in (2, 3, 4) for rules in RULES["just4fun"]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("count", "rules"), TABLES)
def test_the_worth_of_a_move_is_that_of_the_position_whatever_came_before(
    count: int, rules: dict[str, str], kind: str
) -> None:
    with playing("just4fun", kind) as thinking:
        chance = Random(f"{count} {rules}")
        position = GAMES["just4fun"].begin(setup("just4fun", count, rules, chance))
        play = thinking.new_playout(position, None)
        play.deal(5)
        while position.result is None:
            anew = thinking.new_playout(position, None)
            anew.update_gains()
            play.update_gains()
            fields = play.legal()
            assert [play.worth(field) for field in fields] == [anew.worth(f) for f in fields]
            hand = play.hands[play.seat * 4 : play.seat * 4 + 4]
            subset = play.best() if chance.random() < 0.7 else play.any()
            token = token_of(hand, subset)
            play.play(subset)
            position, _ = position.play(position.parse(token))


@pytest.mark.parametrize("count", [3, 4])
def test_with_more_than_two_players_the_best_one_plays_what_the_score_says(count: int) -> None:
    """Play-outs to the end choose worse moves there: docs/ai.md."""
    ai = AI["just4fun"]
    deal = ai.deal(setup("just4fun", count, {}, Random(count)), Random(7))
    for number in range(30):
        given = tuple(sorted(deal.given()))
        first, *_ = rank_moves(deal.position, given, new_playout(deal.position, given))
        chosen = {ai.choose(deal.position, given, "best", 0.001, Random(seed)) for seed in (1, 2)}
        assert chosen == {first}, number
        deal.play(first)


def test_without_any_time_the_score_decides_between_two_players() -> None:
    """A few play-outs say less: as Python there are hardly more."""
    ai = AI["just4fun"]
    deal = ai.deal(setup("just4fun", 2, {}, Random(5)), Random(8))
    while deal.position.result is None:
        given = tuple(sorted(deal.given()))
        first, *_ = rank_moves(deal.position, given, new_playout(deal.position, given))
        assert ai.choose(deal.position, given, "best", 0.0, Random(3)) == first
        deal.play(first)
