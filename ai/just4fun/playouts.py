"""Play-outs of Just 4 Fun: the rules once more, in arrays of whole numbers, and a linear score.

The rules to read are `engines/just4fun`; a test compares the two, move by move. The file
is plain Python and is compiled where a compiler is (`playouts.pxd` says the types), hence the
flat arrays and loops; both give the same, number for number.

A field is its number, 1 to 36, a seat 0 to 3; an array by both has the value at
`field * 4 + seat`. A player's *class* on a field says how far the majority there is:

    0 secured, 1 leads, 2 needs one stone, 3 needs two, 4 out of reach

A row of four has for each player a *state*, its fields' classes as the digits of a number to the
base 5. A stone moves its player one class up on a field, and rivals one down or not at all. `steps`
has the change in a row's worth by the row's state. The sums over the rows through a field are
stored, and updated when the score is needed, so that random play does not pay for them.
"""

from array import array

from ai.odds import CERTAIN, UNIT, chances_by_step

SEATS = 4
FIELDS = 37
"""Numbers of fields, 0 included, which no field has."""
ROWS = 54
STATES = 625
RIVALS = ROWS * STATES
"""Where the values of states for a rival begin, after those for the mover."""
STEPS = 8
"""Changes of a row's worth by one stone: by place, the mover's own stone, then a rival's."""
UNTOUCHED = 312
"""The state of a row without stones: every field needs one."""
LOST = 624
"""The state of a row that is out of reach altogether; no stone changes its worth."""
PHASES = 21
"""Numbers of stones left, 0 to 20."""
OTHERS = PHASES * 5
"""Where in `standing` the classes of the other player begin, after those of the mover."""
BEGINS = 2 * OTHERS
"""Where in `standing` the values of the turn begin."""
MOST_ROWS_AT = 12
"""Places for the rows through a field."""
HAND = 4
STONES = 20
SECURED, LEADS, ONE_MORE, TWO_MORE, OUT_OF_REACH = range(5)
CLASSES = (SECURED, LEADS, ONE_MORE, TWO_MORE, OUT_OF_REACH)
WIN = 20_000_000
"""The worth of a completed row, above all else."""
_MASK = 0xFFFFFFFF
_ONE = 1
"""In C of 64 bits, so that a set of fields can be shifted together."""
_SUBSETS = (1, 2, 4, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15)
"""The subsets of a hand as bits of its places, few cards first: of one sum the first counts."""
_LOWEST = (0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0)
"""By subset, its lowest place."""
_SIZE = (0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)
"""By subset, how many cards it has."""


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


class RowScore:
    """The worth of rows and fields; shared by the play-outs on one board.

    `rows` are the 54 rows of four, `worth` their 54 * 625 states' worth to the mover and after
    these as many to a rival, `fields` that of a class on a field (37 * 5), `row_phase` and
    `field_phase` factors by the mover's stones left (21 each), `rivals` the weight of an opponent
    by how many seats on (4), `cards` what playing 0 to 4 cards is worth (5). All are whole
    numbers.

    For two players a model values a position in log-odds of the player to move (UNIT):
    `value_model` has the value of the states for that player and after these for the other, laid
    out as `worth`; `standing` the value of a class on a field, per point of the field's number, by
    the mean of both players' stones left, for either (2 * 21 * 5), and of the turn (21).
    """

    def __init__(
        self,
        rows: list[list[int]],
        worth: "array[int]",
        fields: list[int],
        row_phase: list[int],
        field_phase: list[int],
        rivals: list[int],
        cards: list[int],
        value_model: "array[int]",
        standing: list[int],
    ) -> None:
        self.fields = fields
        self.row_phase = row_phase
        self.field_phase = field_phase
        self.rivals = rivals
        self.cards = cards
        self.value_model = value_model
        self.standing = standing
        self.odds = chances_by_step()
        self.rows_at = _fill(FIELDS * MOST_ROWS_AT, 0)
        self.digit_at = _fill(FIELDS * MOST_ROWS_AT, 0)
        self.count_at = _fill(FIELDS, 0)
        self.field_of = _fill(ROWS * 4, 0)
        for row in range(ROWS):
            for place in range(4):
                field = rows[row][place]
                i = field * MOST_ROWS_AT + self.count_at[field]
                self.rows_at[i] = row
                self.digit_at[i] = 5**place
                self.count_at[field] += 1
                self.field_of[row * 4 + place] = field
        # zeros: four bytes a number
        self.steps = array("i", bytes(4 * ROWS * STATES * STEPS))
        for state in range(STATES):
            digits = [state // 5**place % 5 for place in range(4)]
            if OUT_OF_REACH in digits:
                continue
            for place in range(4):
                digit = 5**place
                if digits[place] > SECURED:
                    for row in range(ROWS):
                        own = row * STATES + state
                        other = RIVALS + own
                        i = own * STEPS + place
                        # an own stone brings the class one up, a rival's one down
                        self.steps[i] = worth[own - digit] - worth[own]
                        self.steps[i + 4] = worth[other + digit] - worth[other]
        # 1 for a state whose fields are all of the classes 0 or 1
        self.complete = _fill(STATES, 0)
        for owned in range(16):
            self.complete[sum((owned >> place & 1) * 5**place for place in range(4))] = 1
        self.subsets = list(_SUBSETS)
        self.lowest = list(_LOWEST)
        self.size = list(_SIZE)

    def worth_of_cards(self, count: int) -> int:
        """Return what playing `count` cards is worth."""
        return self.cards[count]


class Just4FunPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`, 0 for a draw.

    `pool` are the hidden cards, before `deal` with those of the other hands; `left` are the
    stones in hand; `dealt` is 1 for a seat that has its cards; `chance` is the state of the random
    numbers. `stale` are the `stale_count` fields whose stones changed since `update_gains`, which
    compares `states` with `counted_states`.
    """

    def __init__(self, score: RowScore, players: int, rounds: int, *, closed: bool) -> None:
        self.score = score
        self.players = players
        self.rounds = rounds
        self.closed = 1 if closed else 0
        self.seat = 0
        self.over = 0
        self.winners = 0
        self.moves = 0
        self.chance = 1
        self.counts = _fill(FIELDS * SEATS, 0)
        self.classes = _fill(FIELDS * SEATS, ONE_MORE)
        self.barred = _fill(FIELDS * SEATS, 0)
        self.states = _fill(ROWS * SEATS, UNTOUCHED)
        self.left = _fill(SEATS, STONES)
        self.turns = _fill(SEATS, 0)
        self.hands = _fill(SEATS * HAND, 0)
        self.dealt = _fill(SEATS, 0)
        self.pool = _fill(64, 0)
        self.pool_size = 0
        self.discards = _fill(64, 0)
        self.discard_size = 0
        self.sums = _fill(16, 0)
        self.playable = _fill(15, 0)
        # what a stone changes in rows, by field and seat: to this seat, and as a rival's stone
        self.gains = _fill(FIELDS * SEATS, 0)
        self.losses = _fill(FIELDS * SEATS, 0)
        self.counted_states = _fill(ROWS * SEATS, UNTOUCHED)
        self.stale = _fill(FIELDS, 0)
        self.is_stale = _fill(FIELDS, 0)
        self.stale_count = 0
        # LOST changes nothing, so this adds all that an untouched row is worth
        for row in range(ROWS):
            for seat in range(SEATS):
                self._count(row, seat, LOST, UNTOUCHED)

    # how a position comes in

    def set_up(
        self,
        counts: list[int],
        left: list[int],
        turns: list[int],
        pool: list[int],
        discards: list[int],
        seat: int,
    ) -> None:
        """Take a position: stones by field and seat, hidden cards, discards."""
        for seat_ in range(SEATS):
            self.left[seat_] = left[seat_]
            self.turns[seat_] = turns[seat_]
            self.dealt[seat_] = 0
        for i in range(FIELDS * SEATS):
            self.counts[i] = counts[i]
        self.pool_size = len(pool)
        for i in range(len(pool)):
            self.pool[i] = pool[i]
        self.discard_size = len(discards)
        for i in range(len(discards)):
            self.discards[i] = discards[i]
        self.seat = seat
        self.over = 0
        self.winners = 0
        for field in range(1, FIELDS):
            self._judge(field)

    def set_hand(self, seat: int, cards: list[int]) -> None:
        """Give a seat its four cards, which are not in the pool."""
        for i in range(HAND):
            self.hands[seat * HAND + i] = cards[i]
        self.dealt[seat] = 1

    def copy_from(self, other: "Just4FunPlay") -> None:
        """Copy the state of another play-out."""
        other.update_gains()
        # the sums come from the other one, so no field's stones are waiting to be counted
        while self.stale_count:
            self.stale_count -= 1
            self.is_stale[self.stale[self.stale_count]] = 0
        self.gains[:] = other.gains
        self.losses[:] = other.losses
        self.counted_states[:] = other.counted_states
        self.players = other.players
        self.rounds = other.rounds
        self.closed = other.closed
        self.seat = other.seat
        self.over = other.over
        self.winners = other.winners
        self.moves = other.moves
        self.chance = other.chance
        self.counts[:] = other.counts
        self.classes[:] = other.classes
        self.barred[:] = other.barred
        self.states[:] = other.states
        self.left[:] = other.left
        self.turns[:] = other.turns
        self.hands[:] = other.hands
        self.dealt[:] = other.dealt
        self.pool[:] = other.pool
        self.pool_size = other.pool_size
        self.discards[:] = other.discards
        self.discard_size = other.discard_size

    def deal(self, seed: int) -> None:
        """Seed its random numbers, and deal from the pool to every seat without cards."""
        self.chance = (seed & _MASK) | 1
        self._below(2)  # after a small seed the first number is hardly random: drop it
        for seat in range(self.players):
            if not self.dealt[seat]:
                for i in range(HAND):
                    self._draw(seat * HAND + i)
                self.dealt[seat] = 1

    # the rules

    def legal(self) -> list[int]:
        """Return the fields that the hand can reach, ascending; none: it must be exchanged."""
        fields: set[int] = set()
        self._add_up()
        for subset in range(1, 16):
            field = self.sums[subset]
            if field < FIELDS and not self.barred[field * SEATS + self.seat]:
                fields.add(field)
        return sorted(fields)

    def play(self, subset: int) -> None:
        """Play these cards of the hand (bits of their places), 0: exchange it, and draw."""
        seat = self.seat
        exchange = subset == 0
        played = 15 if exchange else subset  # 15: all four cards
        field = 0
        for i in range(HAND):
            if played >> i & 1:
                card = self.hands[seat * HAND + i]
                field += card
                self.discards[self.discard_size] = card
                self.discard_size += 1
        self.turns[seat] += 1
        self.moves += 1
        row = 0
        if not exchange:
            self.left[seat] -= 1
            row = self._place(field)
        if row or self._has_ended():
            self.over = 1
            self.winners = 1 << seat if row else self._by_points()
            return
        for i in range(HAND):
            if played >> i & 1:
                self._draw(seat * HAND + i)
        self.seat = self._next(seat)

    def _next(self, seat: int) -> int:
        for step in range(1, self.players + 1):
            after = (seat + step) % self.players
            if self.left[after]:
                return after
        return seat

    def _has_ended(self) -> int:
        """Tell whether no player has both a stone and a round left.

        `rounds` is 0 if only the stones limit the game.
        """
        for seat in range(self.players):
            if self.left[seat] and (not self.rounds or self.turns[seat] < self.rounds):
                return 0
        return 1

    def _place(self, field: int) -> int:
        """Put a stone of the player to move on a field; return 1 if that completes a row."""
        seat = self.seat
        self.counts[field * SEATS + seat] += 1
        self._judge(field)
        if self.classes[field * SEATS + seat] > LEADS:
            return 0
        for i in range(self.score.count_at[field]):
            row = self.score.rows_at[field * MOST_ROWS_AT + i]
            if self.score.complete[self.states[row * SEATS + seat]]:
                return 1
        return 0

    def _judge(self, field: int) -> None:
        """Update classes, bars and row states of a field after its stones changed."""
        base = field * SEATS
        most = 0
        second = 0
        for seat in range(self.players):
            stones = self.counts[base + seat]
            if stones > most:
                second = most
                most = stones
            elif stones > second:
                second = stones
        secured = most - second >= 2
        if not self.is_stale[field]:
            self.is_stale[field] = 1
            self.stale[self.stale_count] = field
            self.stale_count += 1
        for seat in range(self.players):
            stones = self.counts[base + seat]
            bar = 0
            if secured and stones < most:
                self.counts[base + seat] = 0
                bar = 1
                new_class = OUT_OF_REACH
            elif secured:
                bar = self.closed
                new_class = SECURED
            elif stones == most:
                new_class = LEADS if most > second else ONE_MORE
            elif most - stones == 1:
                new_class = TWO_MORE
            else:
                bar = 1
                new_class = OUT_OF_REACH
            self.barred[base + seat] = bar
            change = new_class - self.classes[base + seat]
            if change:
                self.classes[base + seat] = new_class
                for i in range(
                    field * MOST_ROWS_AT, field * MOST_ROWS_AT + self.score.count_at[field]
                ):
                    self.states[self.score.rows_at[i] * SEATS + seat] += (
                        change * self.score.digit_at[i]
                    )

    def _by_points(self) -> int:
        """Return who wins by points: the sum of the fields owned, then the highest of them."""
        best = 0
        best_points = 0
        best_field = 0
        for seat in range(self.players):
            points = 0
            highest = 0
            for field in range(1, FIELDS):
                if self.classes[field * SEATS + seat] <= LEADS:
                    points += field
                    highest = field
            if points > best_points or (points == best_points and highest > best_field):
                best_points = points
                best_field = highest
                best = 1 << seat
        return best

    # chance

    def _below(self, bound: int) -> int:
        """Return a random number below a bound of at most 65,536 (xorshift)."""
        chance = self.chance
        chance ^= (chance << 13) & _MASK
        chance ^= chance >> 17
        chance ^= (chance << 5) & _MASK
        self.chance = chance
        return ((chance >> 16) * bound) >> 16

    def _draw(self, place: int) -> None:
        """Put a card of the pool into this place of the hands.

        When the pool is used up, the discards become the pool; as cards are drawn from it by
        chance, nothing is shuffled.
        """
        i = self._below(self.pool_size)
        self.hands[place] = self.pool[i]
        self.pool_size -= 1
        self.pool[i] = self.pool[self.pool_size]  # the last card fills the gap
        if not self.pool_size:
            for i in range(self.discard_size):
                self.pool[i] = self.discards[i]
            self.pool_size = self.discard_size
            self.discard_size = 0

    # the score

    def _add_up(self) -> None:
        """Fill `sums`: for each subset of the hand its sum."""
        base = self.seat * HAND
        for subset in range(1, 16):
            # without its lowest place a subset is a smaller one, whose sum is known
            self.sums[subset] = (
                self.sums[subset & (subset - 1)] + self.hands[base + self.score.lowest[subset]]
            )

    def update_gains(self) -> None:
        """Update `gains` and `losses` by the stones placed since the last call."""
        while self.stale_count:
            self.stale_count -= 1
            field = self.stale[self.stale_count]
            self.is_stale[field] = 0
            first = field * MOST_ROWS_AT
            for i in range(first, first + self.score.count_at[field]):
                row = self.score.rows_at[i]
                for seat in range(self.players):
                    old_state = self.counted_states[row * SEATS + seat]
                    new_state = self.states[row * SEATS + seat]
                    if new_state != old_state:
                        self.counted_states[row * SEATS + seat] = new_state
                        self._count(row, seat, old_state, new_state)

    def _count(self, row: int, seat: int, old_state: int, new_state: int) -> None:
        """Update `gains` and `losses` by a change of a row's state."""
        score = self.score
        old = (row * STATES + old_state) * STEPS
        new = (row * STATES + new_state) * STEPS
        for place in range(4):
            index = score.field_of[row * 4 + place] * SEATS + seat
            self.gains[index] += score.steps[new + place] - score.steps[old + place]
            self.losses[index] += score.steps[new + place + 4] - score.steps[old + place + 4]

    def worth(self, field: int) -> int:
        """Return what a stone on this open field is worth to the player to move.

        `update_gains` has to be called before.
        """
        score = self.score
        seat = self.seat
        base = field * SEATS
        own_class = self.classes[base + seat]
        if own_class == SECURED:  # one more stone changes nothing
            return 0
        weight = 100  # percent: one's own gains count in full
        i = field * 5
        rows = self.gains[base + seat] * weight
        fields = (score.fields[i + own_class - 1] - score.fields[i + own_class]) * weight
        for other in range(self.players):
            other_class = self.classes[base + other]
            # a stone that only ties with the leader lowers nobody else's class
            if (
                other == seat
                or other_class == OUT_OF_REACH
                or (own_class == TWO_MORE and other_class != LEADS)
            ):
                continue
            away = other - seat
            weight = score.rivals[away if away > 0 else away + self.players]
            rows -= self.losses[base + other] * weight
            fields -= (score.fields[i + other_class + 1] - score.fields[i + other_class]) * weight
        left = self.left[seat]
        return rows * score.row_phase[left] + fields * score.field_phase[left]

    def best(self) -> int:
        """Return the subset of the hand with the best score, 0 if none may be played."""
        score = self.score
        seat = self.seat
        self._add_up()
        self.update_gains()
        seen = 0
        best_subset = 0
        best_value = 0
        for i in range(15):
            subset = score.subsets[i]
            field = self.sums[subset]
            if field >= FIELDS or seen >> field & 1:
                continue
            seen |= _ONE << field
            if self.barred[field * SEATS + seat]:
                continue
            value = self.worth(field) + score.cards[score.size[subset]]
            if not best_subset or value > best_value:
                best_value = value
                best_subset = subset
        return best_subset

    def any(self) -> int:
        """Return a random subset of the hand that may be played, 0 if none may."""
        self._add_up()
        count = 0
        for subset in range(1, 16):
            field = self.sums[subset]
            if field < FIELDS and not self.barred[field * SEATS + self.seat]:
                self.playable[count] = subset
                count += 1
        return self.playable[self._below(count)] if count else 0

    # play-outs

    def play_out(self) -> int:
        """Play to the end by the score; return the winners."""
        while not self.over:
            self.play(self.best())
        return self.winners

    def play_any(self) -> int:
        """Play random moves to the end; return the winners."""
        while not self.over:
            self.play(self.any())
        return self.winners

    def try_move(self, root: "Just4FunPlay", subset: int, seed: int) -> int:
        """Deal the hidden cards of `root` by chance, play a move there, then to the end.

        With a subset of -1 the score chooses the first move. Returns the winners.
        """
        self.copy_from(root)
        self.deal(seed)
        if subset >= 0 and not self.over:
            self.play(subset)
        return self.play_out()

    # the model

    def value(self) -> int:
        """Return the model's chance of the player to move, of two players; CERTAIN is 1."""
        score = self.score
        seat = self.seat
        left = (self.left[0] + self.left[1]) // 2
        value = score.standing[BEGINS + left]
        for row in range(ROWS):
            state = row * STATES + self.states[row * SEATS + seat]
            value += score.value_model[state]
            state = RIVALS + row * STATES + self.states[row * SEATS + 1 - seat]
            value += score.value_model[state]
        for field in range(1, FIELDS):
            i = left * 5 + self.classes[field * SEATS + seat]
            other = OTHERS + left * 5 + self.classes[field * SEATS + 1 - seat]
            value += field * (score.standing[i] + score.standing[other])
        # the log-odds from -8 to 8 in steps of 1/64 (`ai.odds`)
        step = max(value + 8 * UNIT, 0) // (UNIT // 64)
        return score.odds[min(step, 1023)]

    def foresee(self, root: "Just4FunPlay", subset: int, seed: int, moves: int) -> int:
        """Like `try_move`, but use the model after `moves` moves, this one included.

        Returns the chance of the player to move at `root`; CERTAIN is 1, a draw counts half.
        """
        self.copy_from(root)
        self.deal(seed)
        end = self.moves + moves
        if not self.over:
            self.play(subset)
        while not self.over and self.moves < end:
            self.play(self.best())
        if self.over:
            if not self.winners:
                return CERTAIN // 2
            return CERTAIN if self.winners >> root.seat & 1 else 0
        chance = self.value()
        return chance if self.seat == root.seat else CERTAIN - chance
