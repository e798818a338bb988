"""Play-outs of numeri: the rules once more, in arrays of whole numbers, and a greedy player.

The rules to read are `engines/numeri`; a test compares the two, move by move. The file is
plain Python and is compiled where a compiler is (`playouts.pxd` says the types); both give the
same, number for number.

A move is its stones as the digits of a number to the base 7, the first one lowest; 0 is the
lost turn. Field 0 is the hand.
"""

from ai.odds import CERTAIN, STEPS

SEATS = 4
STONES = 6
MOST_FIELDS = 1000
MOST_OPTIONS = 12
"""Places for the legal moves of a roll: one stone alone and the splits."""
_MASK = 0xFFFFFFFF

OF_STONE = 9
"""What the net reads of a stone; `_look_at_stone` lists it."""
INPUTS = 2 * STONES * OF_STONE + 12
HIDDEN = 32
ONE = 1_024
"""The largest input, and the largest value of a hidden unit."""
PRECISE = 512
"""A weight of 1."""
LONGEST = 16
"""So many free fields in front of a stone, or more, are the same to the net."""


def net_sizes() -> tuple[int, int, int, int]:
    """Return INPUTS, HIDDEN, PRECISE and ONE, which are no names of the compiled module."""
    return INPUTS, HIDDEN, PRECISE, ONE


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


class TrackValues:
    """The values of the fields (field 0 is the hand), and the moves of every roll.

    `splits` are for each roll the moves that take more than one stone. The greedy player adds
    up `chain` for a chain, `point` for each point that a move gains, and `hop` for every field
    that a stone advances.
    """

    def __init__(
        self, values: list[int], splits: list[list[int]], chain: int, point: int, hop: int
    ) -> None:
        self.length = len(values) - 1
        self.values = _fill(MOST_FIELDS, 0)
        for field in range(len(values)):
            self.values[field] = values[field]
        self.splits = _fill(7 * MOST_OPTIONS, 0)
        self.count = _fill(7, 0)
        for roll in range(7):
            for i in range(len(splits[roll])):
                self.splits[roll * MOST_OPTIONS + i] = splits[roll][i]
            self.count[roll] = len(splits[roll])
        self.chain = chain
        self.point = point
        self.hop = hop
        self.most = 1
        """The points of the best stone on the best field."""
        for value in values:
            self.most = max(self.most, value * STONES)


class ValueNet:
    """Rates positions of two players: a net with one hidden layer, in whole numbers.

    `inner` has the weights of the INPUTS of each of HIDDEN units, one unit after the other; `bias`
    is added to them. `outer` has the weights of the units for the log-odds, `base` is added to
    those. A unit is cut off at 0 and ONE. `chances` are those of each step of log-odds.
    """

    def __init__(
        self, inner: list[int], bias: list[int], outer: list[int], base: int, chances: list[int]
    ) -> None:
        self.inner = [_fill(INPUTS, 0) for _ in range(HIDDEN)]
        self.bias = _fill(HIDDEN, 0)
        self.outer = _fill(HIDDEN, 0)
        self.base = base
        self.chances = _fill(STEPS, 0)
        for unit in range(HIDDEN):
            for i in range(INPUTS):
                self.inner[unit][i] = inner[unit * INPUTS + i]
            self.bias[unit] = bias[unit]
            self.outer[unit] = outer[unit]
        for step in range(STEPS):
            self.chances[step] = chances[step]


class NumeriPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`; a win may be shared.

    `fields` has the field of each stone, six a seat; `taken` is 1 for an occupied field; `steps`
    has two numbers for every step of `_move`: the stone's index in `fields`, where it came from.
    `inputs` is what the net reads; for that, `next_free` has the first free field beyond each
    field, `ahead` how many there are, and `own` is 1 two places beyond each field of a side.
    """

    def __init__(self, track: TrackValues, players: int, net: ValueNet) -> None:
        self.track = track
        self.net = net
        self.players = players
        self.seat = 0
        self.over = 0
        self.winners = 0
        self.moves = 0
        self.chance = 1
        self.fields = _fill(SEATS * STONES, 0)
        self.taken = _fill(MOST_FIELDS + 2, 0)
        self.options = _fill(MOST_OPTIONS, 0)
        self.steps = _fill(6, 0)
        self.ends = _fill(MOST_OPTIONS, 0)
        self.inputs = _fill(INPUTS, 0)
        self.next_free = _fill(MOST_FIELDS + 2, 0)
        self.ahead = _fill(MOST_FIELDS + 2, 0)
        self.own = _fill(MOST_FIELDS + 6, 0)

    def set_up(self, fields: list[int], seat: int) -> None:
        """Take a position: the field of every stone, six a seat."""
        for field in range(MOST_FIELDS + 2):
            self.taken[field] = 0
        for i in range(len(fields)):
            self.fields[i] = fields[i]
            if fields[i]:
                self.taken[fields[i]] = 1
        self.seat = seat
        self.over = 0
        self.winners = 0

    def copy_from(self, other: "NumeriPlay") -> None:
        """Copy the state of another play-out."""
        self.players = other.players
        self.seat = other.seat
        self.over = other.over
        self.winners = other.winners
        self.moves = other.moves
        self.chance = other.chance
        self.fields[:] = other.fields
        # nothing beyond the track is ever taken
        for field in range(self.track.length + 1):
            self.taken[field] = other.taken[field]

    def deal(self, seed: int) -> None:
        """Seed its random numbers."""
        self.chance = (seed & _MASK) | 1
        self._below(2)  # after a small seed the first number is hardly random: drop it

    # the rules

    def roll(self) -> int:
        """Return a roll of the die."""
        return self._below(6) + 1

    def legal(self, roll: int) -> list[int]:
        """Return every legal move of a roll, in the engine's order; none: the turn is lost."""
        count = self._list_moves(roll)
        return [self.options[i] for i in range(count)]

    def _list_moves(self, roll: int) -> int:
        """Fill `options` with the legal moves of a roll; return how many."""
        count = 0
        base = self.seat * STONES
        if self._next_free(self.fields[base + roll - 1]):
            self.options[0] = roll
            count = 1
        # a roll may only be split if all six stones are in play
        for i in range(STONES):
            if not self.fields[base + i]:
                return count
        first = roll * MOST_OPTIONS
        for i in range(first, first + self.track.count[roll]):
            move = self.track.splits[i]
            step_count = self._move(move)
            self._undo(step_count)
            # legal only if none of its stones is stuck
            if step_count == self._count_stones(move):
                self.options[count] = move
                count += 1
        return count

    def _count_stones(self, move: int) -> int:
        size = 0
        while move:
            size += 1
            move //= 7
        return size

    def _next_free(self, field: int) -> int:
        """Return the first free field beyond this one, or 0."""
        field += 1
        while field <= self.track.length:
            if not self.taken[field]:
                return field
            field += 1
        return 0

    def _move(self, move: int) -> int:
        """Move these stones until one is stuck; return how many moved. `_undo` undoes it."""
        base = self.seat * STONES - 1  # stones count from 1
        step_count = 0
        while move:
            stone = move % 7
            move //= 7
            start = self.fields[base + stone]
            end = self._next_free(start)
            if not end:
                break
            self.taken[start] = 0
            self.taken[end] = 1
            self.fields[base + stone] = end
            self.steps[step_count * 2] = base + stone
            self.steps[step_count * 2 + 1] = start
            step_count += 1
        return step_count

    def _undo(self, step_count: int) -> None:
        """Undo the last steps of `_move`."""
        while step_count:
            step_count -= 1
            stone = self.steps[step_count * 2]
            start = self.steps[step_count * 2 + 1]
            self.taken[self.fields[stone]] = 0
            self.taken[start] = 1 if start else 0  # the hand, field 0, is never occupied
            self.fields[stone] = start

    def _makes_chain(self, step_count: int) -> int:
        """Tell whether a stone that just moved lies in a run of three of its player's."""
        base = self.seat * STONES
        for step in range(step_count):
            end = self.fields[self.steps[step * 2]]
            run = 0
            # a run of three with the stone in it lies within two fields of it
            for field in range(end - 2, end + 3):
                own = 0
                if field > 0:
                    for i in range(base, base + STONES):
                        if self.fields[i] == field:
                            own = 1
                run = run + 1 if own else 0
                if run == 3:
                    return 1
        return 0

    def play(self, move: int) -> None:
        """Play a legal move."""
        self.moves += 1
        step_count = self._move(move)
        again = self._makes_chain(step_count)
        if self._is_finished():
            self.over = 1
            self._settle()
        elif not again:
            self.seat = (self.seat + 1) % self.players

    def _is_finished(self) -> int:
        """Tell whether the three large fields, the last ones, are occupied: the game's end."""
        last = self.track.length
        return self.taken[last] and self.taken[last - 1] and self.taken[last - 2]

    def points(self, seat: int) -> int:
        """Return the points of a seat's stones."""
        total = 0
        for stone in range(STONES):
            total += (stone + 1) * self.track.values[self.fields[seat * STONES + stone]]
        return total

    def _settle(self) -> None:
        most = -1
        for seat in range(self.players):
            points = self.points(seat)
            if points > most:
                most = points
                self.winners = 0
            if points == most:
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

    # play-outs

    def best(self, roll: int) -> int:
        """Return the greedy player's move, 0 where the turn is lost."""
        count = self._list_moves(roll)
        if count < 2:
            return self.options[0] if count else 0
        best_move = 0
        best_value = 0
        seat = self.seat
        before = self.points(seat)
        for i in range(count):
            move = self.options[i]
            step_count = self._move(move)
            value = (self.points(seat) - before) * self.track.point
            if self._makes_chain(step_count):
                value += self.track.chain
            for step in range(step_count):
                fields = self.fields[self.steps[step * 2]] - self.steps[step * 2 + 1]
                value += fields * self.track.hop
            self._undo(step_count)
            if not best_move or value > best_value:
                best_value = value
                best_move = move
        return best_move

    def play_out(self) -> int:
        """Play to the end greedily; return the winners."""
        while not self.over:
            self.play(self.best(self.roll()))
        return self.winners

    def try_move(self, root: "NumeriPlay", move: int, seed: int) -> int:
        """Play a move at `root`, -1 for none, then to the end. Returns the winners."""
        self.copy_from(root)
        self.deal(seed)
        if move >= 0 and not self.over:
            self.play(move)
        return self.play_out()

    # the value of a position, for two players

    def _look_at(self) -> None:
        """Fill `inputs`: first the stones of the player to move, then those of the other."""
        inputs = self.inputs
        most = self.track.most
        length = self.track.length
        free = 0
        first = 0
        # from the end of the track to the hand
        for field in range(length, -1, -1):
            self.ahead[field] = free
            self.next_free[field] = first
            if not self.taken[field]:
                free += 1
                first = field
        lead = 0
        after = 2 * STONES * OF_STONE
        for side in range(2):
            seat = self.seat if side == 0 else 1 - self.seat
            points = self.points(seat)
            lead += points if side == 0 else -points
            inputs[after + side] = points * ONE // (3 * most)  # a stone on each large field, or so
            self._look_at_side(seat, side)
        large_taken = 3 - self.ahead[length - 3]
        inputs[after + 6] = ONE if large_taken == 1 else 0
        inputs[after + 7] = ONE if large_taken == 2 else 0
        lead = lead * ONE // most if lead > 0 else -(-lead * ONE // most)
        inputs[after + 8] = self._ramp(lead)
        inputs[after + 9] = self._ramp(-lead)
        # close to a tie a few points matter much
        inputs[after + 10] = self._ramp(8 * lead)
        inputs[after + 11] = self._ramp(-8 * lead)

    def _ramp(self, value: int) -> int:
        """Return the value, cut off at 0 and ONE."""
        if value < 0:
            return 0
        return value if value < ONE else ONE

    def _look_at_side(self, seat: int, side: int) -> None:
        base = seat * STONES
        chains = 0
        in_play = 0
        for stone in range(STONES):
            field = self.fields[base + stone]
            if field:
                in_play += 1
                self.own[field + 2] = 1
        for stone in range(STONES):
            chains += self._look_at_stone(base, stone, (side * STONES + stone) * OF_STONE)
        for stone in range(STONES):
            self.own[self.fields[base + stone] + 2] = 0
        after = 2 * STONES * OF_STONE + side
        self.inputs[after + 2] = chains * ONE // STONES
        self.inputs[after + 4] = ONE if in_play == STONES else 0  # then a roll may be split

    def _look_at_stone(self, base: int, stone: int, at: int) -> int:
        """Fill the inputs of a stone; return 1 if it makes a chain with its next move, else 0."""
        inputs = self.inputs
        track = self.track
        length = track.length
        field = self.fields[base + stone]
        first = self.next_free[field]
        second = self.next_free[first] if first else 0
        left = self.ahead[field]
        number = stone + 1
        inputs[at] = 0 if field else ONE
        inputs[at + 1] = ONE * field // length
        inputs[at + 2] = ONE if left >= LONGEST else left * ONE // LONGEST
        inputs[at + 3] = 0 if left else ONE
        inputs[at + 4] = ONE if field > length - 3 else 0
        inputs[at + 5] = number * track.values[field] * ONE // track.most
        inputs[at + 6] = number * track.values[first] * ONE // track.most
        inputs[at + 7] = number * track.values[second] * ONE // track.most
        chain = self._would_chain(field, first)
        inputs[at + 8] = ONE if chain else 0
        return chain

    def _would_chain(self, field: int, end: int) -> int:
        """Return 1 if a stone that goes from one field to another makes a run of three."""
        if not end:
            return 0
        own = self.own
        own[field + 2] = 0
        two_before = own[end]
        before = own[end + 1]
        behind = own[end + 3]
        two_behind = own[end + 4]
        if field:
            own[field + 2] = 1
        return 1 if (before and (two_before or behind)) or (behind and two_behind) else 0

    def value(self) -> int:
        """Return the chance of the player to move, before the roll; CERTAIN is 1."""
        self._look_at()
        net = self.net
        total = net.base
        for unit in range(HIDDEN):
            heat = net.bias[unit]
            for i in range(INPUTS):
                heat += self.inputs[i] * net.inner[unit][i]
            if heat >= PRECISE:
                total += self._ramp(heat // PRECISE) * net.outer[unit]
        # log-odds of 1 are 64 steps
        step = total // (ONE * PRECISE // 64) if total > 0 else -(-total // (ONE * PRECISE // 64))
        step += STEPS // 2
        if step < 0:
            step = 0
        elif step >= STEPS:
            step = STEPS - 1
        return net.chances[step]

    def read_inputs(self) -> list[int]:
        """Return the INPUTS of the net for this position, each 0 to ONE."""
        self._look_at()
        return [self.inputs[i] for i in range(INPUTS)]

    def chance_with(self, move: int) -> int:
        """Return the chance of the player to move after this move, 0 for a lost turn."""
        seat = self.seat
        step_count = self._move(move)
        if self._is_finished():
            lead = self.points(seat) - self.points(1 - seat)
            chance = CERTAIN // 2
            if lead:
                chance = CERTAIN if lead > 0 else 0
        elif self._makes_chain(step_count):
            chance = self.value()
        else:
            self.seat = 1 - seat
            chance = CERTAIN - self.value()
            self.seat = seat
        self._undo(step_count)
        return chance

    def _list_ends(self, roll: int) -> int:
        """Fill `options` with one move for each end that a roll allows; return how many."""
        count = self._list_moves(roll)
        if count < 3:  # of two, one moves a single stone and the other does not
            return count
        base = self.seat * STONES
        kept = 0
        for i in range(count):
            move = self.options[i]
            step_count = self._move(move)
            end = 0
            for stone in range(base, base + STONES):
                end = end * 1024 + self.fields[stone]  # a field takes ten bits
            self._undo(step_count)
            known = 0
            for other in range(kept):
                if self.ends[other] == end:
                    known = 1
            if not known:
                self.ends[kept] = end
                self.options[kept] = move
                kept += 1
        return kept

    def wise(self, roll: int) -> int:
        """Return the move with the best chance by the net, 0 where the turn is lost."""
        count = self._list_ends(roll)
        if count < 2:
            return self.options[0] if count else 0
        best_move = 0
        best_chance = -1
        for i in range(count):
            chance = self.chance_with(self.options[i])
            if chance > best_chance:
                best_chance = chance
                best_move = self.options[i]
        return best_move

    def expect(self) -> int:
        """Return the chance of the player to move: the mean of the best moves of all rolls."""
        total = 0
        for roll in range(1, 7):
            count = self._list_ends(roll)
            best = 0 if count else self.chance_with(0)
            for i in range(count):
                chance = self.chance_with(self.options[i])
                best = max(best, chance)
            total += best
        return total // 6

    def foresee(self, root: "NumeriPlay", move: int, seed: int, moves: int) -> int:
        """Play a move at `root`, -1 for none, then wisely up to `moves` moves in all.

        Returns the chance of the player to move at `root`; CERTAIN is 1, a draw counts half.
        """
        self.copy_from(root)
        self.deal(seed)
        end = self.moves + moves
        if move >= 0 and not self.over:
            self.play(move)
        while not self.over and self.moves < end:
            self.play(self.wise(self.roll()))
        if self.over:
            if not self.winners >> root.seat & 1:
                return 0
            return CERTAIN if self.winners == 1 << root.seat else CERTAIN // 2
        chance = self.value()
        return chance if self.seat == root.seat else CERTAIN - chance
