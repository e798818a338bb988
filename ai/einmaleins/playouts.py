"""Play-outs of Einmaleins: the rules once more, in arrays of whole numbers, and a greedy player.

The rules to read are `engines/einmaleins`; a test compares the two, move by move. The
file is plain Python and is compiled where a compiler is (`playouts.pxd` says the types); both
give the same, number for number.

A card is 0 to 41, the numbers ascending, or FREE; a pair of factors is 0 to 54. Sets of factors
have bit f for the factor f. A laying is `card * PAIRS + pair`, DRAW is to draw.
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
"""Moves after which a play-out ends without a winner, which greedy players never reach."""
_MASK = 0xFFFFFFFF


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


class Products:
    """The products of 1 to 10: each pair's number and set of factors, each card's pairs.

    `squares` tells which numbers make the next player miss a turn. `fitting` are the factors
    that any pair of a card has; a free card has all.
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


class EinmaleinsPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`.

    `pool` are the hidden cards, before `deal` with those of the other hands; `under` are the
    cards under the open one. `hands` has DECK places a seat, of which `hand_sizes` are in use;
    `dealt` is 1 for a seat that has its cards. `factors` is the set of announced factors, `idle`
    counts players in a row who could not draw, `chance` is the state of the random numbers.
    """

    def __init__(self, numbers: Products, players: int) -> None:
        self.numbers = numbers
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
        for i in range(len(pool)):
            self.pool[i] = pool[i]
        self.pool_size = len(pool)
        for i in range(len(under)):
            self.under[i] = under[i]
        self.under_size = len(under)
        self.open = open_card
        self.factors = factors
        self.idle = idle
        self.seat = seat
        self.over = 0
        self.winners = 0

    def set_hand(self, seat: int, cards: list[int]) -> None:
        """Give a seat its cards, which are not in the pool."""
        for i in range(len(cards)):
            self.hands[seat * DECK + i] = cards[i]
        self.hand_sizes[seat] = len(cards)
        self.dealt[seat] = 1

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
                for _ in range(size):
                    self._take(seat)
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
            self._lay(move // PAIRS, move % PAIRS)
        if self.moves > LONGEST:
            self.over = 1

    def _draw(self) -> None:
        """Draw a card; the game is over if nobody can."""
        self.idle += 1  # unless there is a card to draw
        if not self.pool_size:
            self._refill_pool()
        if self.pool_size:
            self._take(self.seat)
            self.idle = 0
            if not self.pool_size:
                self._refill_pool()
        elif self.idle == self.players:
            self.over = 1
            self._find_winners()
            return
        self.seat = (self.seat + 1) % self.players

    def _lay(self, card: int, pair: int) -> None:
        seat = self.seat
        first = seat * DECK
        last = first + self.hand_sizes[seat] - 1
        for i in range(first, last):
            if self.hands[i] == card:
                self.hands[i] = self.hands[last]  # the last card fills the gap
                break
        self.hand_sizes[seat] -= 1
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
        seat = (seat + 1) % self.players
        if self.numbers.squares[self.numbers.number_of[pair]]:
            if self.pool_size:
                self._take(seat)
                if not self.pool_size:
                    self._refill_pool()
            seat = (seat + 1) % self.players
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
        i = self._below(self.pool_size)
        self.hands[seat * DECK + self.hand_sizes[seat]] = self.pool[i]
        self.hand_sizes[seat] += 1
        self.pool_size -= 1
        self.pool[i] = self.pool[self.pool_size]  # the last card fills the gap

    def _refill_pool(self) -> None:
        for i in range(self.under_size):
            self.pool[i] = self.under[i]
        self.pool_size = self.under_size
        self.under_size = 0

    # play-outs

    def best(self) -> int:
        """Return the greedy player's laying, DRAW if no card fits.

        A square first, then the pair that most of the other cards fit on; a free card last.
        """
        numbers = self.numbers
        best_move = DRAW
        best_value = -1
        first = self.seat * DECK
        last = first + self.hand_sizes[self.seat]
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
                    value = self._count_fitting(pair)
                    if value > best_value:
                        best_value = value
                        best_move = card * PAIRS + pair
        if best_move == DRAW and free:
            for pair in range(PAIRS):
                if numbers.factors_of[pair] & self.factors:
                    value = self._count_fitting(pair)
                    if value > best_value:
                        best_value = value
                        best_move = FREE * PAIRS + pair
        return best_move

    def _count_fitting(self, pair: int) -> int:
        """Return how many cards of the hand fit on this pair, and DECK more for a square."""
        numbers = self.numbers
        factors = numbers.factors_of[pair]
        value = DECK if numbers.squares[numbers.number_of[pair]] else 0
        first = self.seat * DECK
        for i in range(first, first + self.hand_sizes[self.seat]):
            if numbers.fitting[self.hands[i]] & factors:
                value += 1
        return value

    def play_out(self) -> int:
        """Play to the end greedily; return the winners."""
        while not self.over:
            self.play(self.best())
        return self.winners

    def try_move(self, root: "EinmaleinsPlay", move: int, seed: int) -> int:
        """Deal the hidden cards of `root` by chance, play a move there, then to the end.

        With a move of -2 the greedy player makes the first one too. Returns the winners.
        """
        self.copy_from(root)
        self.deal(seed)
        if move >= DRAW and not self.over:
            self.play(move)
        return self.play_out()
