"""What will have to be answered: hands that may be, and the moves that people likely make."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from ai import AI
from ai.foresight import imagine_hands, likely_positions
from engines import begin, parse
from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.moves import DRAW
from engines.just4fun.cards import DECK
from engines.sequence.board import CARDS, COPIES
from tests.ai.play_outs import COUNTS, setup

CARD_GAMES = ("just4fun", "sequence", "einmaleins")


def deck_of(game: str, position: Any) -> Counter[Any]:
    if game == "just4fun":
        return Counter(DECK)
    if game == "sequence":
        return Counter(dict.fromkeys(CARDS, COPIES))
    return Counter({FREE: position.free, **{str(number): 1 for number in PAIRS}})


def moments(game: str, players: int) -> list[tuple[Any, Any, Any]]:
    """Return every position of a game by chance, with the hands or None, and what is given."""
    chance = Random(game)
    deal = AI[game].deal(setup(game, players, {}, chance), chance)
    found: list[tuple[Any, Any, Any]] = []
    while deal.position.result is None and len(found) < 150:
        given = deal.given()
        found.append((deal.position, deal.hands(), given))
        deal.play(chance.choice(deal.position.legal(given)))
    return found


@pytest.mark.parametrize("game", CARD_GAMES)
def test_an_imagined_hand_is_one_that_the_player_may_have(game: str) -> None:
    for position, hands, given in moments(game, 2):
        own = hands[1 - position.seat]
        imagined = AI[game].imagine
        assert imagined is not None
        hand = imagined(position, own, Random(1))
        assert len(hand) == len(given)
        assert Counter(hand) + Counter(own) <= deck_of(game, position)
        assert position.legal(hand)


@pytest.mark.parametrize("game", CARD_GAMES)
def test_the_real_hand_and_nothing_that_was_seen_is_among_what_is_imagined(game: str) -> None:
    """Whatever the other really holds may be imagined, and no card that lies face up."""
    imagine = AI[game].imagine
    assert imagine is not None
    for position, hands, given in moments(game, 2)[:40:6]:
        own, chance = hands[1 - position.seat], Random(2)
        imagined: Counter[Any] = Counter()
        for _ in range(1_000):
            imagined += Counter(set(imagine(position, own, chance)))
        assert set(given) <= set(imagined)
        # the cards that everybody saw: those in no hand and not in the pile
        if game == "einmaleins":
            assert str(position.open.number) not in imagined


def test_who_drew_is_imagined_without_numbers_that_could_be_laid() -> None:
    imagine = AI["einmaleins"].imagine
    assert imagine is not None
    _, position = begin(parse('[Game "einmaleins"]\n[Players "A yellow, B red"]\n[Open "24"]\n'))
    for _ in range(2):  # both draw, so that the first is to move again
        position = position.play(DRAW)[0]
    for seed in range(50):
        hand = imagine(position, (), Random(seed))
        fitting = {move.number for move in position.legal(hand) if move != DRAW and not move.free}
        assert len(hand) == 8
        assert len(fitting) <= 1, "only the card that was drawn is unknown"


def test_a_game_that_hides_nothing_imagines_no_hands() -> None:
    position = moments("numeri", 2)[0][0]
    assert imagine_hands(AI["numeri"], position, None, Random(1)) == []


@pytest.mark.parametrize("game", COUNTS)
def test_the_likeliest_positions_come_first_and_each_once(game: str) -> None:
    """What the AI itself would play with the real hand or roll is among them, mostly early."""
    ai, places = AI[game], []
    for position, hands, given in moments(game, 2)[4:60:8]:
        own = hands[1 - position.seat] if hands else None
        givens = imagine_hands(ai, position, own, Random(3)) or range(1, 7)
        likely = list(likely_positions(ai, position, givens, Random(3)))
        assert not [place for place, one in enumerate(likely) if one in likely[:place]]
        best = position.play(ai.choose(position, given, "best", 0.002, Random(4)))[0]
        places.append(likely.index(best) if best in likely else len(likely))
    assert min(places) < 4


def test_with_one_roll_every_move_counts() -> None:
    for position, _, roll in moments("numeri", 2)[20:40]:
        likely = list(likely_positions(AI["numeri"], position, (roll,), Random(1)))
        reached = [end.after for end in position.previews(roll)]
        assert len(likely) == max(1, len(reached))
        assert all(one in likely for one in reached)
