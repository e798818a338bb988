"""Play-outs of numeri: the rules once more, in arrays of whole numbers, and a greedy player.

The rules to read are `engines/numeri`; a test compares the two, move by move. The file is
plain Python and is compiled where a compiler is (`playouts.pxd` says the types); both give the
same, number for number.

A move is its stones as the digits of a number to the base 7, the first one lowest; 0 is the
lost turn. Field 0 is the hand.
"""

SEATS = 4
STONES = 6
MOST_FIELDS = 1000
MOST_OPTIONS = 12
"""Places for the legal moves of a roll: one stone alone and the splits."""
_MASK = 0xFFFFFFFF


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


class NumeriPlay:
    """A game in play. `winners` is a bit set of seats once it is `over`; a win may be shared.

    `fields` has the field of each stone, six a seat; `taken` is 1 for an occupied field; `steps`
    has two numbers for every step of `_move`: the stone's index in `fields`, where it came from.
    """

    def __init__(self, track: TrackValues, players: int) -> None:
        self.track = track
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
        last = self.track.length
        # the game ends when the three large fields, the last ones, are occupied
        if self.taken[last] and self.taken[last - 1] and self.taken[last - 2]:
            self.over = 1
            self._settle()
        elif not again:
            self.seat = (self.seat + 1) % self.players

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
