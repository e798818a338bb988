"""Matches between programs: rotating seats, shares of wins with their interval."""

from random import Random
from typing import Any

import pytest

from ai import AI
from ai.match import (
    Bot,
    BotError,
    ShareTally,
    make_bot,
    play_matches,
    play_rotation,
    seat_players,
)
from engines import GAMES
from engines.game import Move, Setup
from tests.ai.opponents import just4fun as opponents
from tests.ai.opponents.einmaleins import greedy as greedy_einmaleins
from tests.ai.opponents.numeri import greedy as greedy_numeri
from tests.ai.opponents.sequence import greedy as greedy_sequence
from tests.ai.opponents.sequence import window_shape

OPPONENTS: list[tuple[str, Bot]] = [
    ("just4fun", opponents.greedy),
    ("just4fun", opponents.one_ply),
    ("sequence", window_shape),
    ("sequence", greedy_sequence),
    ("numeri", greedy_numeri),
    ("einmaleins", greedy_einmaleins),
]


def anybody(position: Any, given: Any, rng: Random) -> Move:
    move: Move = rng.choice(position.legal(given))
    return move


@pytest.mark.parametrize(("game", "bot"), OPPONENTS)
def test_wits_win_more_often_than_what_people_would_write_first(game: str, bot: Bot) -> None:
    """A few games without any search; docs/ai.md has the thousands."""
    ai = AI[game]
    bots = [make_bot(ai, "best", 0), bot]
    shares = [shares[0] for shares in play_matches(GAMES[game], ai, bots, 40, 1)]
    won = ShareTally(sum(shares), len(shares))
    assert won.share > 0.4, won


def test_seats_rotate_and_every_rotation_gets_the_same_cards() -> None:
    seats: set[tuple[str, int]] = set()
    hands: list[Any] = []

    def watching(name: str) -> Bot:
        def bot(position: Any, given: Any, rng: Random) -> Any:
            seats.add((name, position.seat))
            if not any(position.turns):
                hands.append(given)
            return anybody(position, given, rng)

        return bot

    bots = [watching(name) for name in "abc"]
    list(play_matches(GAMES["just4fun"], AI["just4fun"], bots, 3, 5))
    assert seats == {(name, seat) for name in "abc" for seat in range(3)}
    assert hands == [hands[0]] * 3


@pytest.mark.parametrize("game", ["just4fun", "sequence", "numeri", "einmaleins"])
def test_cards_and_dice_are_the_same_however_much_chance_a_bot_uses(game: str) -> None:
    def givens(used: int) -> list[Any]:
        seen: list[Any] = []

        def bot(position: Any, given: Any, rng: Random) -> Any:
            seen.append(given)
            for _ in range(used):
                rng.random()
            return position.legal(given)[0]

        list(play_matches(GAMES[game], AI[game], [bot, bot], 1, 5))
        return seen

    assert len(givens(0)) > 2
    assert givens(0) == givens(3)


def test_games_that_are_watched_are_followed_from_the_first_position_to_the_last() -> None:
    """What a process of its own needs to play along."""
    followed: list[Any] = []

    def watch(position: Any, move: Move | None) -> None:
        if move is not None:
            followed[-1], _ = followed[-1].play(followed[-1].parse(move.token))
            assert followed[-1] == position
            return
        start = Setup(position.players, position.seat, position=position.describe() or None)
        followed.append(GAMES["einmaleins"].begin(start))
        assert followed[-1] == position

    setup = seat_players(GAMES["einmaleins"], 3)
    for number in range(3):
        play_rotation(AI["einmaleins"], setup, [anybody] * 3, 5, number, watch)
    assert len(followed) == 3
    assert all(position.result is not None for position in followed)


@pytest.mark.parametrize(
    ("game", "count", "teams"), [("just4fun", 3, 3), ("sequence", 3, 3), ("sequence", 4, 2)]
)
def test_players_are_teams_where_the_colours_do_not_go_round(
    game: str, count: int, teams: int
) -> None:
    players = seat_players(GAMES[game], count).players
    assert len(players) == count
    assert len({player.colour for player in players}) == teams


def test_a_bot_that_asks_for_hands_is_shown_them_and_no_other() -> None:
    seen: list[Any] = []

    def sighted(position: Any, given: Any, rng: Random, hands: Any) -> Any:
        seen.append(tuple(hands[position.seat]) == tuple(given) and len(hands) == 2)
        return anybody(position, given, rng).token

    list(play_matches(GAMES["just4fun"], AI["just4fun"], [sighted, anybody], 2, 5))
    assert seen
    assert all(seen)


@pytest.mark.parametrize("move", ["99", "no move", None, 7])
def test_a_move_that_is_not_legal_ends_the_match_and_names_the_bot(move: Any) -> None:
    def wrong(position: Any, given: Any, rng: Random) -> Any:
        return move

    with pytest.raises(BotError) as error:
        list(play_matches(GAMES["numeri"], AI["numeri"], [anybody, wrong], 2, 1))
    assert error.value.seat == 1


def test_the_interval_holds_the_share_and_narrows_with_the_games() -> None:
    few, many = ShareTally(6, 10), ShareTally(600, 1_000)
    assert few.share == many.share == 0.6
    assert many.interval == pytest.approx((0.5693, 0.6299), abs=1e-3)
    assert few.interval[0] < many.interval[0] < 0.6 < many.interval[1] < few.interval[1]
    assert ShareTally(10, 10).interval[1] == 1
    assert ShareTally(0, 0).interval == (0, 1)
