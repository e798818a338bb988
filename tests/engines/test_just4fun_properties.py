"""Just 4 Fun: what holds over random games, boards and junk, against a plain second referee."""

import random
from collections import Counter
from itertools import combinations, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engines.game import Facts, Player, Refusal, Setup, Violation, replay, steps
from engines.games import GAMES
from engines.just4fun.board import DECK, marks_of, pack_cards
from engines.just4fun.notation import card_move
from engines.just4fun.rules import COLOURS, Just4Fun, Piles, begin
from engines.record import Record, parse, write
from tests.engines import just4fun_oracle as oracle

NAMES = ["Anna", "Ben", "Caro", "Dora"]
CARDS = [card for card, copies in DECK.items() for _ in range(copies)]


def seated(players: int) -> tuple[Player, ...]:
    return tuple(
        Player(name, colour)
        for name, colour in zip(NAMES[:players], COLOURS[:players], strict=True)
    )


class Dealer:
    """A shuffled deck, hands and a discard pile, as at a real table."""

    def __init__(self, players: int, chance: random.Random) -> None:
        self.chance = chance
        self.pile = chance.sample(CARDS, len(CARDS))
        self.hands = [[self.pile.pop() for _ in range(4)] for _ in range(players)]
        self.discards: list[int] = []

    def use(self, seat: int, cards: tuple[int, ...]) -> bool:
        """Discard and draw; tell whether the cards were shuffled."""
        shuffled = False
        for card in cards:
            self.hands[seat].remove(card)
            self.discards.append(card)
        while len(self.hands[seat]) < 4:
            self.hands[seat].append(self.pile.pop())
            if not self.pile:
                self.pile = self.chance.sample(self.discards, len(self.discards))
                self.discards, shuffled = [], True
        return shuffled


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, list[int], dict[str, str]]:
    """Players, a seed, a board and stones in hand (few, so that they run out)."""
    players = draw(st.integers(2, 4))
    board = draw(st.permutations(range(1, 37)))
    left = draw(st.sampled_from([20, 20, 6, 2]))
    colours = "; ".join(f"{colour} left={left}" for colour in COLOURS[:players])
    return players, draw(st.integers(0, 2**32)), board, {"Position": colours}


def check_move(
    position: Just4Fun, stones: oracle.Stones, board: list[list[int]], dealer: Dealer
) -> tuple[Just4Fun, str]:
    """Play one random move with both referees."""
    names = [player.name for player in position.players]
    seat, name = position.seat, names[position.seat]
    hand = dealer.hands[seat]
    sums = oracle.legal_sums(stones, names, hand, name)
    tokens = ["+".join(map(str, cards)) for _, cards in sorted(sums.items())]
    moves = position.legal(tuple(hand))
    assert [move.token for move in moves] == (tokens or ["x" + "+".join(map(str, sorted(hand)))])
    for pair in combinations(hand, 2):
        assert (position.refusal(card_move(pair)) is None) == (sum(pair) in sums)
    move = dealer.chance.choice(moves)
    after, events = position.play(move)
    expected: list[tuple[str, Facts]] = []
    if move.exchange:
        expected.append(("exchanged", {}))
    else:
        removed = oracle.place(stones, names, move.total, name)
        placed: Facts = {"field": move.total, "stones": oracle.count(stones, move.total, name)}
        expected.append(("placed", placed))
        if removed is not None:
            expected.append(("secured", {"field": move.total, "removed": removed}))
        rows = oracle.rows(stones, names, board, name)
        if rows:
            expected.append(("row", {"rows": rows}))
    if not any(after.stones_left):
        expected.append(("stones-out", {}))
    if after.result is None and dealer.use(seat, move.cards):
        expected.append(("reshuffle", {}))
    assert [(event.code, dict(event.facts)) for event in events] == expected
    return after, move.token


@settings(max_examples=60, deadline=None)
@given(tables())
def test_random_games_agree_with_the_plain_referee(
    table: tuple[int, int, list[int], dict[str, str]],
) -> None:
    players, seed, fields, tags = table
    names = NAMES[:players]
    data = " ".join(map(str, fields))
    board = [fields[y * 6 : y * 6 + 6] for y in range(6)]
    start = begin(Setup(seated(players), board_data=data, position=tags["Position"]))
    in_hand = start.stones_left[0]
    position, tokens = start, list[str]()
    stones: oracle.Stones = {}
    spent = [0] * players
    dealer = Dealer(players, random.Random(seed))
    while position.result is None and len(tokens) < 200:
        assert position.stones_left[position.seat] > 0
        mover = position.seat
        position, token = check_move(position, stones, board, dealer)
        tokens.append(token)
        spent[mover] += not token.startswith("x")
        assert position.stones_left == tuple(in_hand - stones for stones in spent)
        for field in range(1, 37):
            here = [position.stones(field, seat) for seat in range(players)]
            assert here == [oracle.count(stones, field, name) for name in names]
            owner = position.owner(field)
            assert (owner and owner.name) == oracle.owner(stones, names, field)
        assert position.discards + position.draw_pile == 55 - 4 * players or position.result
    score = GAMES["just4fun"].score
    assert score is not None
    assert score(position).facts["points"] == oracle.points(stones, names)
    again = steps(start, parse(write(Record({"Players": "a"}, tuple(tokens)))).tokens)
    assert again[-1].after == position
    described = begin(Setup(seated(players), position=position.describe(), board_data=data))
    assert (described.counts, described.stones_left, described.barred, described.owned) == (
        position.counts,
        position.stones_left,
        position.barred,
        position.owned,
    )
    assert described.result is None or described.result == position.result


JUNK = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="x+0123456789<>;= tomvAnaylwred", max_size=30),
    st.from_regex(r"x?[0-9]{1,3}(\+[0-9]{1,3}){0,6}", fullmatch=True),
    st.from_regex(
        r"<(yellow|red)( left=[0-9]{1,3}| [0-9]{1,3}(x[0-9]{1,3})?){0,4}>", fullmatch=True
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(JUNK, max_size=20))
def test_junk_is_refused_with_a_known_code_and_never_raises(tokens: list[str]) -> None:
    known = {
        *("game-over", "bad-move", "too-many-cards", "unknown-card", "more-than-deck"),
        *("sum-too-high", "field-blocked", "exchange-needs-four", "exchange-not-allowed"),
    }
    for step in replay(begin(Setup(seated(2))), tokens):
        if isinstance(step, Violation):
            assert step.refusal.code in known
            continue
        after = step.after
        assert isinstance(after, Just4Fun)
        for seat, left in enumerate(after.stones_left):
            assert 0 <= left + sum(here[seat] for here in after.counts) <= 20


@given(st.lists(st.integers(0, 25), min_size=1, max_size=6), st.sampled_from(["", "x"]))
def test_a_token_is_read_as_it_is_written(cards: list[int], prefix: str) -> None:
    read = begin(Setup(seated(2))).parse(prefix + "+".join(map(str, cards)))
    assert not isinstance(read, Refusal)
    assert read == card_move(tuple(cards), exchange=bool(prefix))
    assert read.token == prefix + "+".join(map(str, cards))


@given(st.lists(st.sampled_from(CARDS), max_size=55), st.lists(st.sampled_from(CARDS), max_size=4))
def test_doubtful_cards_are_those_counted_more_often_than_the_deck_has(
    lying: list[int], played: list[int]
) -> None:
    lying = [card for card in lying if card not in played] + played[:1]
    counted = Counter([*lying, *played])
    expected = tuple(card for card in sorted(set(played)) if counted[card] > DECK[card])
    piles = Piles(0, len(lying), pack_cards(lying))
    assert piles.find_doubtful(pack_cards(played), marks_of(played)) == expected


@given(st.lists(st.sampled_from(CARDS), min_size=4, max_size=4))
def test_a_hand_offers_every_choice_of_its_cards_once_and_each_sum_its_first_choice(
    hand: list[int],
) -> None:
    position = begin(Setup(seated(2)))
    assume(all(hand.count(card) <= DECK[card] for card in hand))
    offered = [move.cards for move in position.candidates(tuple(hand))[:-1]]
    taken = {
        tuple(sorted(card for card, chosen in zip(hand, choice, strict=True) if chosen))
        for choice in product((False, True), repeat=4)
    } - {()}
    assert offered == sorted(taken, key=lambda cards: (sum(cards), len(cards), cards))
    firsts = {sum(cards): cards for cards in reversed(offered)}
    assert [entry.move.cards for entry in position.sums(tuple(hand))] == list(
        dict(sorted(firsts.items())).values()
    )
