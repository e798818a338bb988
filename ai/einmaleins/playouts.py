"""Play-outs of Einmaleins: the rules once more, in arrays of whole numbers, and a linear score.

The rules to read are `engines/einmaleins`; a test compares the two, move by move. The
file is plain Python and is compiled where a compiler is (`playouts.pxd` says the types); both
give the same, number for number.

A card is 0 to 41, the numbers ascending, or FREE; a pair of factors is 0 to 54. Sets of factors
have bit f for the factor f, sets of number cards bit c for the card c. A laying is
`card * PAIRS + pair`, DRAW is to draw.
"""

SEATS = 6
NUMBERS = 42
FREE = 42
PAIRS = 55
DECK = 44
MOST_PAIRS_OF = 4
"""Pairs of a number: of 24, for example, there are two."""
DRAW = -1
LONGEST = 1_000
"""Moves after which a play-out ends without a winner, which the score never reaches."""
FACTORS = 11
"""Numbers of factors, 0 included, which is none."""
PAIRS_WITH = 10
"""Pairs that have a factor."""
ATTEMPTS = 12
"""Cards of the pool that are looked at for one that lacks some factors."""
_MASK = 0xFFFFFFFF
_ONE = 1
"""In C of 64 bits, so that a set of cards can be shifted together."""
_ALL = (1 << NUMBERS) - 1
_TWOS = 0x555_5555_5555
_FOURS = 0x333_3333_3333
_EIGHTS = 0xF0F_0F0F_0F0F
"""Every second bit, two of every four, four of every eight: for 44 bits, to count them."""

SIZES = 8
"""Hand sizes that the score tells apart; the last stands for all larger ones too."""
ANSWERS = 21
"""Numbers of cards, 0 to 20, that can follow on a pair."""
USUAL = 36
"""Unseen cards at the beginning of a game of two."""
FEW = 3
"""A hand up to this size lays a free card as any product, a larger one only as a square."""
FIT = 0
ANSWER = FIT + 3 * 2 * SIZES * SIZES
CARD = ANSWER + 2 * SIZES * ANSWERS
EACH = CARD + 3 * (FREE + 1)
LACK = EACH + 2 * SIZES * 9
DRAWING = LACK + 2 * SIZES * 6
WEIGHTS = DRAWING + 3 * SIZES * SIZES
SECTIONS = (FIT, ANSWER, CARD, EACH, LACK, DRAWING, WEIGHTS)
"""Where the features of each kind begin, and where the last ones end."""
NOTED = 5
"""Features of a laying."""


def _ones(cards: int) -> int:
    """Return how many cards a set has."""
    bits = cards
    bits -= (bits >> 1) & _TWOS
    bits = (bits & _FOURS) + ((bits >> 2) & _FOURS)
    bits = (bits + (bits >> 4)) & _EIGHTS
    bits += bits >> 8
    bits += bits >> 16
    return (bits + (bits >> 32)) & 63


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


def _members(factors: int) -> list[int]:
    """Return the factors of a set, ascending."""
    return [factor for factor in range(1, FACTORS) if factors >> factor & 1]


class Products:
    """The products of 1 to 10: each pair's number and set of factors, each card's pairs.

    `squares` tells which numbers make the next player miss a turn. `fitting` are the factors
    that any pair of a card has; a free card has all. Of each pair, `low` and `high` are its factors
    and `followers` the cards that fit on it; of each factor, `having` are the cards that have it,
    and `with_factor` its pairs, first the `square_count` pairs that are squares. `scale` brings a
    number of unseen cards to what it would be of USUAL, in 256ths.
    """

    def __init__(self, number_of: list[int], factors_of: list[int], squares: list[int]) -> None:
        self.number_of = number_of
        self.factors_of = factors_of
        self.squares = squares
        self.pairs = _fill(NUMBERS * MOST_PAIRS_OF, -1)
        self.count = _fill(NUMBERS, 0)
        self.fitting = _fill(NUMBERS + 1, 0)
        self.fitting[FREE] = -1  # every bit
        for pair in range(PAIRS):
            card = number_of[pair]
            self.fitting[card] |= factors_of[pair]
            self.pairs[card * MOST_PAIRS_OF + self.count[card]] = pair
            self.count[card] += 1
        self.followers = _fill(PAIRS, 0)
        self.having = _fill(FACTORS, 0)
        for card in range(NUMBERS):
            for pair in range(PAIRS):
                if self.fitting[card] & factors_of[pair]:
                    self.followers[pair] |= _ONE << card
            for factor in range(1, FACTORS):
                if self.fitting[card] >> factor & 1:
                    self.having[factor] |= _ONE << card
        self.low = [min(_members(factors)) for factors in factors_of]
        self.high = [max(_members(factors)) for factors in factors_of]
        self.with_factor = _fill(FACTORS * PAIRS_WITH, 0)
        self.square_count = _fill(FACTORS, 0)
        for factor in range(1, FACTORS):
            pairs = [pair for pair in range(PAIRS) if factors_of[pair] >> factor & 1]
            pairs.sort(key=lambda pair: 1 - squares[number_of[pair]])
            for i in range(PAIRS_WITH):
                self.with_factor[factor * PAIRS_WITH + i] = pairs[i]
                self.square_count[factor] += squares[number_of[pairs[i]]]
        self.scale = [256 * USUAL // max(1, count) for count in range(DECK)]


class LayingScore:
    """The worth of moves, a weight for each of their features.

    A laying has NOTED features, one of each of these kinds; `square` is 1 for a square number,
    `left` the cards left in the hand, `other` the cards of the player whose turn it is next (with
    two players, of the other one):

        FIT      how many cards left fit on the pair, by `other` (1, 2, more), `square` and `left`
        ANSWER   how many unseen cards fit on it, as if USUAL were unseen, by `square` and `other`
        CARD     the card, by `left` (0 and 1, 2 and 3, more)
        EACH     how many cards left fit on either factor, the fewer first, each 0 to 2, by
                 `square` and `left`
        LACK     how surely `other` lacks either factor (0 no, 1 perhaps, 2 all cards but one),
                 the less sure first, by `square` and `other`

    To draw has one, DRAWING, by free cards (0 to 2), own cards, and the next player's cards.
    """

    def __init__(self, weights: list[int]) -> None:
        self.weights = weights


class EinmaleinsPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`.

    `pool` are the hidden cards, before `deal` with those of the other hands; `under` are the
    cards under the open one. `hands` has DECK places a seat, of which `hand_sizes` are in use;
    `dealt` is 1 for a seat that has its cards. `factors` is the set of announced factors, `idle`
    counts players in a row who could not draw, `chance` is the state of the random numbers.

    `held` are the number cards of each seat as a set, `frees` counts its free cards; `laid` are
    the number cards that lie face up. Whoever draws instead of laying lacks the announced factors:
    `strong` has those that all cards of a seat lack but the last one drawn, `weak` older ones.
    `lacking` has for each card to be dealt to a seat the factors that it lacks.
    """

    def __init__(self, numbers: Products, score: LayingScore, players: int) -> None:
        self.numbers = numbers
        self.score = score
        self.players = players
        self.seat = 0
        self.over = 0
        self.winners = 0
        self.moves = 0
        self.idle = 0
        self.chance = 1
        self.open = 0
        self.factors = 0
        self.hands = _fill(SEATS * DECK, 0)
        self.hand_sizes = _fill(SEATS, 0)
        self.dealt = _fill(SEATS, 0)
        self.lacking = _fill(SEATS * DECK, 0)
        self.held = _fill(SEATS, 0)
        self.frees = _fill(SEATS, 0)
        self.strong = _fill(SEATS, 0)
        self.weak = _fill(SEATS, 0)
        self.laid = 0
        self.noted = _fill(NOTED, 0)
        # 4: a corrected record can claim more cards than there are
        self.pool = _fill(DECK + 4, 0)
        self.pool_size = 0
        self.under = _fill(DECK + 4, 0)
        self.under_size = 0

    def set_up(
        self,
        hand_sizes: list[int],
        pool: list[int],
        under: list[int],
        open_card: int,
        factors: int,
        idle: int,
        seat: int,
    ) -> None:
        """Take a position: sizes of the hands, cards of the piles, the open card."""
        for other in range(self.players):
            self.hand_sizes[other] = hand_sizes[other]
            self.dealt[other] = 0
            self.held[other] = 0
            self.frees[other] = 0
            self.strong[other] = 0
            self.weak[other] = 0
            for i in range(DECK):
                self.lacking[other * DECK + i] = 0
        for i in range(len(pool)):
            self.pool[i] = pool[i]
        self.pool_size = len(pool)
        for i in range(len(under)):
            self.under[i] = under[i]
        self.under_size = len(under)
        self.laid = 0
        for card in (*under, open_card):
            if card != FREE:
                self.laid |= _ONE << card
        self.open = open_card
        self.factors = factors
        self.idle = idle
        self.seat = seat
        self.over = 0
        self.winners = 0

    def set_hand(self, seat: int, cards: list[int]) -> None:
        """Give a seat its cards, which are not in the pool."""
        for i in range(len(cards)):
            self._hold(seat, i, cards[i])
        self.hand_sizes[seat] = len(cards)
        self.dealt[seat] = 1

    def set_lacking(self, seat: int, lacking: list[int]) -> None:
        """Say of each card to be dealt to a seat which factors it lacks."""
        for i in range(len(lacking)):
            self.lacking[seat * DECK + i] = lacking[i]
        for factor in range(1, FACTORS):
            count = sum(factors >> factor & 1 for factors in lacking)
            if count and count >= len(lacking) - 1:
                self.strong[seat] |= 1 << factor
            elif count and count >= len(lacking) - 3:
                self.weak[seat] |= 1 << factor

    def copy_from(self, other: "EinmaleinsPlay") -> None:
        """Copy the state of another play-out."""
        self.players = other.players
        self.seat = other.seat
        self.over = other.over
        self.winners = other.winners
        self.moves = other.moves
        self.idle = other.idle
        self.chance = other.chance
        self.open = other.open
        self.factors = other.factors
        self.hands[:] = other.hands
        self.hand_sizes[:] = other.hand_sizes
        self.dealt[:] = other.dealt
        self.lacking[:] = other.lacking
        self.held[:] = other.held
        self.frees[:] = other.frees
        self.strong[:] = other.strong
        self.weak[:] = other.weak
        self.laid = other.laid
        self.pool[:] = other.pool
        self.pool_size = other.pool_size
        self.under[:] = other.under
        self.under_size = other.under_size

    def deal(self, seed: int) -> None:
        """Seed its random numbers, and deal from the pool to every seat without cards."""
        self.chance = (seed & _MASK) | 1
        self._below(2)  # after a small seed the first number is hardly random: drop it
        for seat in range(self.players):
            if not self.dealt[seat]:
                size = self.hand_sizes[seat]
                self.hand_sizes[seat] = 0
                for i in range(size):
                    self._take_lacking(seat, self.lacking[seat * DECK + i])
                self.dealt[seat] = 1
        if not self.pool_size:
            self._refill_pool()

    # the rules

    def legal(self) -> list[int]:
        """Return every laying that is legal, ascending; to draw is legal besides."""
        moves: set[int] = set()
        for i in range(self.hand_sizes[self.seat]):
            card = self.hands[self.seat * DECK + i]
            for pair in range(PAIRS):
                fits = card in (FREE, self.numbers.number_of[pair])
                if fits and self.numbers.factors_of[pair] & self.factors:
                    moves.add(card * PAIRS + pair)
        return sorted(moves)

    def play(self, move: int) -> None:
        """Play a legal move."""
        self.moves += 1
        if move == DRAW:
            self._draw()
        else:
            card = move // PAIRS
            self._lay(card, move - card * PAIRS)
        if self.moves > LONGEST:
            self.over = 1

    def _draw(self) -> None:
        """Draw a card; the game is over if nobody can."""
        self.idle += 1  # unless there is a card to draw
        if not self.pool_size:
            self._refill_pool()
        if self.pool_size:
            self._take(self.seat)
            self.weak[self.seat] |= self.strong[self.seat]
            self.strong[self.seat] = self.factors
            self.idle = 0
            if not self.pool_size:
                self._refill_pool()
        elif self.idle == self.players:
            self.over = 1
            self._find_winners()
            return
        self.seat = self._after(self.seat)

    def _after(self, seat: int) -> int:
        """Return the seat whose turn follows."""
        return seat + 1 if seat + 1 < self.players else 0

    def _lay(self, card: int, pair: int) -> None:
        seat = self.seat
        first = seat * DECK
        last = first + self.hand_sizes[seat] - 1
        for i in range(first, last):
            if self.hands[i] == card:
                self.hands[i] = self.hands[last]  # the last card fills the gap
                break
        self.hand_sizes[seat] -= 1
        if card == FREE:
            self.frees[seat] -= 1
        else:
            self.held[seat] &= ~(_ONE << card)
            self.laid |= _ONE << card
        self.under[self.under_size] = self.open
        self.under_size += 1
        self.open = card
        self.factors = self.numbers.factors_of[pair]
        self.idle = 0
        if not self.hand_sizes[seat]:
            self.over = 1
            self.winners = 1 << seat
            return
        if not self.pool_size:
            self._refill_pool()
        seat = self._after(seat)
        if self.numbers.squares[self.numbers.number_of[pair]]:
            if self.pool_size:
                self._take(seat)
                self.weak[seat] |= self.strong[seat]
                self.strong[seat] = 0
                if not self.pool_size:
                    self._refill_pool()
            seat = self._after(seat)
        self.seat = seat

    def _find_winners(self) -> None:
        """Set `winners` to the seats with the fewest cards."""
        least = DECK
        for seat in range(self.players):
            if self.hand_sizes[seat] < least:
                least = self.hand_sizes[seat]
                self.winners = 0
            if self.hand_sizes[seat] == least:
                self.winners |= 1 << seat

    # chance

    def _below(self, bound: int) -> int:
        """Return a random number below a bound of at most 65,536 (xorshift)."""
        chance = self.chance
        chance ^= (chance << 13) & _MASK
        chance ^= chance >> 17
        chance ^= (chance << 5) & _MASK
        self.chance = chance
        return ((chance >> 16) * bound) >> 16

    def _take(self, seat: int) -> None:
        """Put a card of the pool, if there is one, into a hand."""
        if not self.pool_size:
            return
        self._move(seat, self._below(self.pool_size))

    def _move(self, seat: int, i: int) -> None:
        """Put this card of the pool into a hand."""
        self._hold(seat, self.hand_sizes[seat], self.pool[i])
        self.hand_sizes[seat] += 1
        self.pool_size -= 1
        self.pool[i] = self.pool[self.pool_size]  # the last card fills the gap

    def _take_lacking(self, seat: int, factors: int) -> None:
        """Take a card without these factors, or a free one, unless there seems to be none."""
        if not self.pool_size:
            return
        i = self._below(self.pool_size)
        if factors:
            for _ in range(ATTEMPTS):
                if self.pool[i] == FREE or not self.numbers.fitting[self.pool[i]] & factors:
                    break
                i = self._below(self.pool_size)
        self._move(seat, i)

    def _hold(self, seat: int, place: int, card: int) -> None:
        """Put a card into this place of a hand."""
        self.hands[seat * DECK + place] = card
        if card == FREE:
            self.frees[seat] += 1
        else:
            self.held[seat] |= _ONE << card

    def _refill_pool(self) -> None:
        for i in range(self.under_size):
            self.pool[i] = self.under[i]
        self.pool_size = self.under_size
        if self.under_size:
            self.laid = 0 if self.open == FREE else _ONE << self.open
        self.under_size = 0

    # play-outs

    def best(self) -> int:
        """Return the move with the highest score, the last card of a hand without looking."""
        numbers = self.numbers
        first = self.seat * DECK
        last = first + self.hand_sizes[self.seat]
        best_move = DRAW
        best_value = self.score.weights[self._drawing()]
        free = 0
        for i in range(first, last):
            card = self.hands[i]
            if card == FREE:
                free = 1
                continue
            if not numbers.fitting[card] & self.factors:
                continue
            base = card * MOST_PAIRS_OF
            for index in range(base, base + numbers.count[card]):
                pair = numbers.pairs[index]
                if numbers.factors_of[pair] & self.factors:
                    if last - first == 1:
                        return card * PAIRS + pair
                    value = self._worth(card, pair)
                    if value > best_value:
                        best_value = value
                        best_move = card * PAIRS + pair
        if not free:
            return best_move
        for factor in range(1, FACTORS):
            if self.factors >> factor & 1:
                base = factor * PAIRS_WITH
                if last - first == 1:
                    return FREE * PAIRS + numbers.with_factor[base]
                count = PAIRS_WITH if last - first <= FEW else numbers.square_count[factor]
                for index in range(base, base + count):
                    pair = numbers.with_factor[index]
                    value = self._worth(FREE, pair)
                    if value > best_value:
                        best_value = value
                        best_move = FREE * PAIRS + pair
        return best_move

    def features(self, move: int) -> list[int]:
        """Return the features of a legal move."""
        if move == DRAW:
            return [self._drawing()]
        self._note(move // PAIRS, move % PAIRS)
        return [self.noted[i] for i in range(NOTED)]

    def worth(self, move: int) -> int:
        """Return the score of a legal move."""
        if move == DRAW:
            return self.score.weights[self._drawing()]
        card = move // PAIRS
        return self._worth(card, move - card * PAIRS)

    def _drawing(self) -> int:
        """Return the feature of drawing."""
        own = min(self.hand_sizes[self.seat], SIZES - 1)
        other = min(self.hand_sizes[self._after(self.seat)], SIZES - 1)
        frees = min(self.frees[self.seat], 2)
        return DRAWING + (frees * SIZES + own) * SIZES + other

    def _note(self, card: int, pair: int) -> None:
        """Note the features of a laying."""
        numbers = self.numbers
        seat = self.seat
        frees = self.frees[seat]
        held = self.held[seat]
        unseen = _ALL & ~(held | self.laid)
        unseen_count = DECK - self.hand_sizes[seat] - self.under_size - 1  # 1: the open card
        if card == FREE:
            frees -= 1
        else:
            held &= ~(_ONE << card)
        square = numbers.squares[numbers.number_of[pair]]
        next_ = seat + 1 + square
        if next_ >= self.players:
            next_ -= self.players
        if next_ == seat:
            next_ = 1 - seat  # of two players
        left = min(self.hand_sizes[seat], SIZES) - 1
        # a hand is empty only if a corrected record has too few cards to deal
        other = max(1, min(self.hand_sizes[next_], SIZES - 1))
        urgent = min(other, 3) - 1
        fits = min(_ones(held & numbers.followers[pair]) + frees, SIZES - 1)
        answers = 0
        if unseen_count > 0:
            answers = _ones(unseen & numbers.followers[pair]) * numbers.scale[unseen_count] >> 8
        answers = min(answers, ANSWERS - 1)
        stage = 0 if left < 2 else 1 if left < 4 else 2
        self.noted[0] = FIT + ((urgent * 2 + square) * SIZES + left) * SIZES + fits
        self.noted[1] = ANSWER + (square * SIZES + other) * ANSWERS + answers
        self.noted[2] = CARD + stage * (FREE + 1) + card
        self.noted[3] = EACH + (square * SIZES + left) * 9 + self._either(held, frees, pair)
        self.noted[4] = LACK + (square * SIZES + other) * 6 + self._lacks(next_, pair)

    def _either(self, held: int, frees: int, pair: int) -> int:
        """Return how many cards fit on either factor of a pair (0 to 8)."""
        numbers = self.numbers
        fewer = min(_ones(held & numbers.having[numbers.low[pair]]) + frees, 2)
        more = min(_ones(held & numbers.having[numbers.high[pair]]) + frees, 2)
        return min(fewer, more) * 3 + max(fewer, more)

    def _lacks(self, seat: int, pair: int) -> int:
        """Return how surely a seat lacks either factor of a pair (0 to 5)."""
        low = self.numbers.low[pair]
        high = self.numbers.high[pair]
        strong = self.strong[seat]
        known = strong | self.weak[seat]
        less = (known >> low & 1) + (strong >> low & 1)
        surer = (known >> high & 1) + (strong >> high & 1)
        if less > surer:
            less, surer = surer, less
        # of 0 and 0, 0 and 1, 1 and 1, 0 and 2, 1 and 2, 2 and 2 it is the place in this list
        return less + surer * (surer + 1) // 2

    def _worth(self, card: int, pair: int) -> int:
        """Return the score of a laying."""
        score = self.score
        self._note(card, pair)
        return (
            score.weights[self.noted[0]]
            + score.weights[self.noted[1]]
            + score.weights[self.noted[2]]
            + score.weights[self.noted[3]]
            + score.weights[self.noted[4]]
        )

    def play_out(self) -> int:
        """Play to the end by the score; return the winners."""
        while not self.over:
            self.play(self.best())
        return self.winners

    def try_move(self, root: "EinmaleinsPlay", move: int, seed: int) -> int:
        """Deal the hidden cards of `root` by chance, play a move there, then to the end.

        With a move of -2 the score chooses the first one too. Returns the winners.
        """
        self.copy_from(root)
        self.deal(seed)
        if move >= DRAW and not self.over:
            self.play(move)
        return self.play_out()


if "_ones" in globals():  # only as Python, which has a quick function for it
    globals()["_ones"] = int.bit_count
