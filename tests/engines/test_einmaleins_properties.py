"""Einmaleins over random games from shuffled decks: cards, ends, and a plain search for moves."""

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ai.einmaleins.dealing import EinmaleinsDeal, deal
from engines.einmaleins.cards import PAIRS
from engines.einmaleins.notation import DRAW, EinmaleinsMove
from engines.einmaleins.rules import EinmaleinsPosition, begin
from engines.game import Player, Refusal, Setup
from engines.games import GAMES
from tests.engines.steps import codes

COLOURS = GAMES["einmaleins"].colours
NUMBERS = sorted({a * b for a in range(1, 11) for b in range(1, 11)})
seeds = st.integers(0, 2**32 - 1)
counts = st.integers(2, 6)
frees = st.integers(0, 2)


def seated(count: int) -> tuple[Player, ...]:
    return tuple(Player(f"P{seat}", COLOURS[seat]) for seat in range(count))


class Deal:
    """A real deck beside the companion: who holds what, and what lies where."""

    def __init__(self, dealt: EinmaleinsDeal, chance: Random) -> None:
        self.dealt = dealt
        self._chance = chance
        self.given, self.hands, self.play = dealt.given, dealt.hands, dealt.play

    @property
    def position(self) -> EinmaleinsPosition:
        return self.dealt.position

    def follow(self, move: EinmaleinsMove) -> None:
        """Play the move and do at the table what the events say."""
        assert "card-doubtful" not in codes(self.play(move))

    def games(self) -> Iterator[EinmaleinsPosition]:
        """Yield every position of a game in which each legal move is equally likely."""
        yield self.position
        for _ in range(10_000):
            if self.position.result is not None:
                return
            self.follow(self._chance.choice(self.position.legal(self.given())))
            yield self.position
        raise AssertionError("the game does not end")


def deals(count: int, free: int, seed: int) -> Deal:
    random = Random(seed)
    dealt = random.randint(1, (41 + free) // count)
    tags = {"Hand": str(dealt)}
    setup = Setup(seated(count), rules={"free": str(free)}, tags=tags)
    return Deal(deal(setup, random), random)


def brute_force(position: EinmaleinsPosition, hand: tuple[str, ...]) -> list[str]:
    found = [
        f"{'*' if card == '*' else ''}{number}={a}x{b}"
        for card in dict.fromkeys(hand)
        for number in (range(1, 101) if card == "*" else [int(card)])
        for a in range(1, 11)
        for b in range(a, 11)
        if a * b == number and {a, b} & set(position.announced)
    ]
    return [*found, "d"]


@settings(max_examples=80, deadline=None)
@given(counts, frees, seeds)
def test_every_game_ends_and_no_card_is_lost(count: int, free: int, seed: int) -> None:
    deal = deals(count, free, seed)
    for position in deal.games():
        assert position.hands == tuple(len(hand) for hand in deal.hands())
        assert (position.draw_pile, position.discards) == (
            len(deal.dealt._pile),
            len(deal.dealt._discards),
        )
        assert sum(position.hands) + position.draw_pile + position.discards + 1 == 42 + free
        assert position.draw_pile or not position.discards or position.result is not None
    result = deal.position.result
    assert result is not None
    least = min(deal.position.hands)
    seats = [seat for seat, hand in enumerate(deal.position.hands) if hand == least]
    assert result.winners == tuple(f"P{seat}" for seat in seats)
    assert result.reason == ("stalemate" if least else "out")


@settings(max_examples=30, deadline=None)
@given(counts, frees, seeds)
def test_who_only_ever_draws_ends_in_a_stalemate(count: int, free: int, seed: int) -> None:
    deal = deals(count, free, seed)
    for _ in range(deal.position.draw_pile + count):
        assert deal.position.result is None
        deal.follow(DRAW)
    assert deal.position.result is not None
    assert deal.position.result.reason == "stalemate"


@settings(max_examples=60, deadline=None)
@given(counts, frees, seeds)
def test_legal_equals_a_brute_force_search(count: int, free: int, seed: int) -> None:
    deal = deals(count, free, seed)
    for position in deal.games():
        if position.result is None:
            hand = deal.given()
            moves = position.legal(hand)
            assert [move.token for move in moves] == brute_force(position, hand)
            assert all(position.refusal(move) is None for move in moves)
            assert all(position.parse(move.token) == move for move in moves)


@settings(max_examples=10, deadline=None)
@given(counts, seeds)
def test_legal_and_refusal_agree_on_every_announcement(count: int, seed: int) -> None:
    everything = (*map(str, NUMBERS), "*")
    for position in list(deals(count, 2, seed).games())[:-1:10]:
        legal = {move.token for move in position.legal(everything)}
        for number, pairs in PAIRS.items():
            for a, b in pairs:
                for token in (f"{number}={a}x{b}", f"*{number}={a}x{b}"):
                    move = position.parse(token)
                    assert not isinstance(move, Refusal)
                    assert (position.refusal(move) is None) == (token in legal)


@settings(max_examples=30, deadline=None)
@given(counts, frees, seeds)
def test_describe_read_as_a_position_or_a_correction_gives_the_same_table(
    count: int, free: int, seed: int
) -> None:
    deal = deals(count, free, seed)
    start = deal.position
    for position in deal.games():
        text = position.describe()
        read = begin(
            Setup(position.players, position.seat, rules={"free": str(free)}, position=text)
        )
        assert (read.hands, read.open) == (position.hands, position.open)
        assert read.describe() == text
        assert (read.result is None) == (0 not in position.hands)
        move = start.parse(f"<{text}>")
        assert not isinstance(move, Refusal)
        after, _ = start.play(move)
        assert (after.hands, after.open) == (position.hands, position.open)
