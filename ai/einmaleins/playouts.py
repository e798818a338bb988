"""Play-outs of Einmaleins: the rules once more, in arrays of whole numbers, and a greedy player.

The rules to read are `engines/einmaleins`; a test plays these beside them, move by move. The
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
DRAW = -1
LONGEST = 1_000
"""Moves after which a play-out ends without a winner, which greedy players never reach."""
_MASK = 0xFFFFFFFF


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


class Products:
    """The table of 1 to 10: `number_of` and `factors_of` every pair, the pairs of every card.

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
        self.fitting[FREE] = -1
        for pair in range(PAIRS):
            card = number_of[pair]
            self.fitting[card] |= factors_of[pair]
            self.pairs[card * MOST_PAIRS_OF + self.count[card]] = pair
            self.count[card] += 1


class EinmaleinsPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`.

    `pool` are the hidden cards, before `deal` with those of the other hands; `under` are the
    cards under the open one.
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
        self.held = _fill(SEATS, 0)
        self.dealt = _fill(SEATS, 0)
        self.pool = _fill(DECK + 4, 0)
        self.pooled = 0
        self.under = _fill(DECK + 4, 0)
        self.covered = 0

    def set_up(
        self,
        held: list[int],
        pool: list[int],
        under: list[int],
        open_card: int,
        factors: int,
        idle: int,
        seat: int,
    ) -> None:
        """Take a position: sizes of the hands, cards of the piles, the open card."""
        for other in range(self.players):
            self.held[other] = held[other]
            self.dealt[other] = 0
        for at in range(len(pool)):
            self.pool[at] = pool[at]
        self.pooled = len(pool)
        for at in range(len(under)):
            self.under[at] = under[at]
        self.covered = len(under)
        self.open = open_card
        self.factors = factors
        self.idle = idle
        self.seat = seat
        self.over = 0
        self.winners = 0

    def hold(self, seat: int, cards: list[int]) -> None:
        """Give a seat its cards, which are not in the pool."""
        for at in range(len(cards)):
            self.hands[seat * DECK + at] = cards[at]
        self.held[seat] = len(cards)
        self.dealt[seat] = 1

    def take_after(self, other: "EinmaleinsPlay") -> None:
        """Become a copy of another table."""
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
        self.held[:] = other.held
        self.dealt[:] = other.dealt
        self.pool[:] = other.pool
        self.pooled = other.pooled
        self.under[:] = other.under
        self.covered = other.covered

    def deal(self, seed: int) -> None:
        """Begin a chance of its own, and deal from the pool to every seat without cards."""
        self.chance = (seed & _MASK) | 1
        self._below(2)
        for seat in range(self.players):
            if not self.dealt[seat]:
                held = self.held[seat]
                self.held[seat] = 0
                for _ in range(held):
                    self._take(seat)
                self.dealt[seat] = 1
        if not self.pooled:
            self._shuffle()

    # the rules

    def legal(self) -> list[int]:
        """Return every laying that is legal, ascending; to draw is legal besides."""
        found = set()
        for at in range(self.held[self.seat]):
            card = self.hands[self.seat * DECK + at]
            for pair in range(PAIRS):
                fits = card in (FREE, self.numbers.number_of[pair])
                if fits and self.numbers.factors_of[pair] & self.factors:
                    found.add(card * PAIRS + pair)
        return sorted(found)

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
        self.idle += 1
        if not self.pooled:
            self._shuffle()
        if self.pooled:
            self._take(self.seat)
            self.idle = 0
            if not self.pooled:
                self._shuffle()
        elif self.idle == self.players:
            self.over = 1
            self._fewest()
            return
        self.seat = (self.seat + 1) % self.players

    def _lay(self, card: int, pair: int) -> None:
        seat = self.seat
        first = seat * DECK
        last = first + self.held[seat] - 1
        for at in range(first, last):
            if self.hands[at] == card:
                self.hands[at] = self.hands[last]
                break
        self.held[seat] -= 1
        self.under[self.covered] = self.open
        self.covered += 1
        self.open = card
        self.factors = self.numbers.factors_of[pair]
        self.idle = 0
        if not self.held[seat]:
            self.over = 1
            self.winners = 1 << seat
            return
        if not self.pooled:
            self._shuffle()
        seat = (seat + 1) % self.players
        if self.numbers.squares[self.numbers.number_of[pair]]:
            if self.pooled:
                self._take(seat)
                if not self.pooled:
                    self._shuffle()
            seat = (seat + 1) % self.players
        self.seat = seat

    def _fewest(self) -> None:
        least = DECK
        for seat in range(self.players):
            if self.held[seat] < least:
                least = self.held[seat]
                self.winners = 0
            if self.held[seat] == least:
                self.winners |= 1 << seat

    # chance

    def _below(self, bound: int) -> int:
        """Return a number from 0 to below a bound of at most 65,536."""
        chance = self.chance
        chance ^= (chance << 13) & _MASK
        chance ^= chance >> 17
        chance ^= (chance << 5) & _MASK
        self.chance = chance
        return ((chance >> 16) * bound) >> 16

    def _take(self, seat: int) -> None:
        """Put a card of the pool, if there is one, into a hand."""
        if not self.pooled:
            return
        at = self._below(self.pooled)
        self.hands[seat * DECK + self.held[seat]] = self.pool[at]
        self.held[seat] += 1
        self.pooled -= 1
        self.pool[at] = self.pool[self.pooled]

    def _shuffle(self) -> None:
        for at in range(self.covered):
            self.pool[at] = self.under[at]
        self.pooled = self.covered
        self.covered = 0

    # play-outs

    def best(self) -> int:
        """Return the greedy player's laying, DRAW where none fits.

        A square first, then the pair that most of the other cards fit on; a free card last.
        """
        numbers = self.numbers
        found = DRAW
        most = -1
        first = self.seat * DECK
        last = first + self.held[self.seat]
        free = 0
        for at in range(first, last):
            card = self.hands[at]
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
                    if value > most:
                        most = value
                        found = card * PAIRS + pair
        if found == DRAW and free:
            for pair in range(PAIRS):
                if numbers.factors_of[pair] & self.factors:
                    value = self._count_fitting(pair)
                    if value > most:
                        most = value
                        found = FREE * PAIRS + pair
        return found

    def _count_fitting(self, pair: int) -> int:
        """Return how many cards of the hand fit on this pair, and DECK more for a square."""
        numbers = self.numbers
        factors = numbers.factors_of[pair]
        value = DECK if numbers.squares[numbers.number_of[pair]] else 0
        first = self.seat * DECK
        for at in range(first, first + self.held[self.seat]):
            if numbers.fitting[self.hands[at]] & factors:
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
        self.take_after(root)
        self.deal(seed)
        if move >= DRAW and not self.over:
            self.play(move)
        return self.play_out()
