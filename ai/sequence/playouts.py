"""Play-outs of Sequence: the rules once more, in arrays of whole numbers, and a linear score.

The rules to read are `engines/sequence`; a test compares the two, move by move. The file
is plain Python and is compiled where a compiler is (`playouts.pxd` says the types), hence the
flat arrays and loops; both give the same, number for number.

A square is 0 to 99, a card its index in the engine's CARDS, a team 0 to 2. A *window* is five
in a line, of which a board has 192; an array by both has the value at `window * 3 + team`.
A move is `card * 100 + square`; square 0, a corner, stands for turning the card in. PASS is none.
"""

from ai.odds import CERTAIN, UNIT, chances_by_step

SQUARES = 100
WINDOWS = 192
TEAMS = 3
MOST_AT = 20
"""Windows through a square."""
CARDS = 52
MOST_SEATS = 12
MOST_HAND = 7
MOST_SEQUENCES = 30
MOST_FEATURES = 2 * WINDOWS + 6
PASS = -1
TWO_EYED, ONE_EYED = 1, 2
"""The kinds of jacks; every other card is of the kind 0."""
TURN_IN = 4_000_000_000
"""The score of turning a dead card in, above all moves: it costs nothing."""
WIN = 1_000_000_000
"""The score of a sequence that wins; one chip can make several."""
# as many window features as there are sides, needs, chips, squares filled, wild cards, blocks
# and squares lost; then the other features, as `Windows` lists them
TWO_EYED_AT = 2 * 2 * 5 * 6 * 3 * 2 * 3
ONE_EYED_AT = TWO_EYED_AT + 2 * 3 * 4
OPEN_AT = ONE_EYED_AT + 2 * 3 * 4
PILE_AT = OPEN_AT + 2 * 2 * 3 * 3
SECTIONS = (TWO_EYED_AT, ONE_EYED_AT, OPEN_AT, PILE_AT, PILE_AT + 11)
"""Where the features of jacks, of what is open and of the draw pile begin, and where they end."""
_MASK = 0xFFFFFFFF


def _fill(count: int, value: int) -> list[int]:
    return [value] * count


def window_feature(kind: int, filled: int, wilds: int, blocked: int, lost: int) -> int:
    """Return the number of a window's feature; `kind` is (side * 2 + closing) * 5 + chips."""
    return (((kind * 6 + filled) * 3 + wilds) * 2 + blocked) * 3 + lost


class Windows:
    """The printed board and the worth of windows; shared by the play-outs on one board.

    `windows` are the squares of each, `through` the windows through each square in the order in
    which new sequences are looked for, `codes` the card of each square (-1: a corner), `kinds`
    each card's kind (1 two-eyed jack, 2 one-eyed, else 0).
    Worth: `own[chips * 5 + filled]` of a chip in one's own window, which has `chips` and of which
    the hand can fill `filled` other squares; `block[chips * 2 + live]` of one in a rival's window,
    `live` if the square's card may still come; `free` of keeping a two-eyed jack, `taker` of a
    one-eyed; `last_own`, `last_rival` percentages where one sequence more wins.

    For two players who need two sequences a model values positions in which both hands are known:
    `value_model` has the log-odds (UNIT) that its features give the mover.
    Each window that a side can still complete counts as one feature. Which one depends on the side
    (0 is the mover), whether one more sequence wins (closing), its chips (0 to 4), how many of its
    squares the hand fills (0 to 5), the two-eyed jacks in hand (to 2; from 2 chips on), whether the
    other hand can block (from 3 chips on) and how many squares have no card left to come (to 2;
    from 1 chip on). Then the jacks of both kinds by side, by how many need one sequence only, and
    by their number (to 3); the windows of four that either hand completes (to 2 each), by who needs
    one sequence only; the draw pile in tens.
    """

    def __init__(
        self,
        windows: list[list[int]],
        through: list[list[int]],
        codes: list[int],
        kinds: list[int],
        own: list[int],
        block: list[int],
        jacks: list[int],
        last: list[int],
        value_model: list[int],
    ) -> None:
        self.value_model = value_model
        self.odds = chances_by_step()
        self.squares_of = [square for window in windows for square in window]
        self.windows_at = _fill(SQUARES * MOST_AT, 0)
        # 1 for a window with a corner, which counts as a chip of every team
        self.corner = [int(any(codes[square] < 0 for square in window)) for window in windows]
        self.count_at = [len(indices) for indices in through]
        self.places = _fill(CARDS * 2, -1)
        self.codes = codes
        self.kinds = kinds
        self.own = own
        self.block = block
        self.free = jacks[0]
        self.taker = jacks[1]
        self.last_own = last[0]
        self.last_rival = last[1]
        for square in range(SQUARES):
            for index in range(len(through[square])):
                self.windows_at[square * MOST_AT + index] = through[square][index]
            card = codes[square]
            if card >= 0:
                first = self.places[card * 2] < 0
                self.places[card * 2 + (0 if first else 1)] = square


class SequencePlay:
    """A game in play. `winner` is a team once it is `over`, -1 for a draw.

    `pool` are the hidden cards, before `deal` with those of the other hands; `dealt` is 1 for a
    seat that has its cards; `chance` is the state of the random numbers. `chips` has the team on
    each square (-1: none), `locked` is not 0 in a sequence, `counts` has the chips by window and
    team, corners included, `lines` are the windows of the sequences.
    """

    def __init__(
        self,
        board: Windows,
        seats: int,
        teams: list[int],
        needed: int,
        most_dead_cards: int,
        *,
        may_break: bool,
    ) -> None:
        self.board = board
        self.seats = seats
        self.needed = needed
        self.most_dead_cards = most_dead_cards  # turned in each turn
        self.may_break = 1 if may_break else 0  # whether a jack may take a chip out of a sequence
        self.seat = 0
        self.over = 0
        self.winner = -1
        self.moves = 0
        self.chance = 1
        self.passes = 0
        self.turned_in = 0
        self.teams = max(teams) + 1
        self.team_of = _fill(MOST_SEATS, 0)
        for seat in range(seats):
            self.team_of[seat] = teams[seat]
        self.chips = _fill(SQUARES, -1)
        self.locked = _fill(SQUARES, 0)
        self.counts = _fill(WINDOWS * TEAMS, 0)
        # 1: the window shares two squares with a sequence of this team and cannot count again
        self.shut = _fill(WINDOWS * TEAMS, 0)
        self.lines = _fill(TEAMS * MOST_SEQUENCES, 0)
        self.sequence_counts = _fill(TEAMS, 0)
        self.hands = _fill(MOST_SEATS * MOST_HAND, 0)
        self.hand_sizes = _fill(MOST_SEATS, 0)
        self.dealt = _fill(MOST_SEATS, 0)
        self.pool = _fill(128, 0)
        self.pool_size = 0
        self.discards = _fill(128, 0)
        self.discard_size = 0
        self.discarded_copies = _fill(CARDS, 0)
        # by window the free squares that the hand can fill, from `count_fillable`
        self.fillable = _fill(WINDOWS, 0)
        # for the model, by seat of two: the cards and both kinds of jacks in hand, whether one
        # sequence wins, the windows of four that the hand completes, and what `_note_ways` notes
        self.copies = _fill(2 * CARDS, 0)
        self.wilds = _fill(2, 0)
        self.takers = _fill(2, 0)
        self.closing = _fill(2, 0)
        self.open = _fill(2, 0)
        self.ways = _fill(2 * SQUARES, 0)
        self.features = _fill(MOST_FEATURES, 0)

    # how a position comes in

    def set_up(
        self,
        chips: list[int],
        lines: list[list[int]],
        hand_sizes: list[int],
        pool: list[int],
        discards: list[int],
        seat: int,
        passes: int,
        turned_in: int,
    ) -> None:
        """Take a position: each square's team (-1: none), the teams' sequences, hand sizes."""
        for i in range(WINDOWS * TEAMS):
            self.counts[i] = 0
            self.shut[i] = 0
        for square in range(SQUARES):
            self.chips[square] = -1
            self.locked[square] = 0
            if self.board.codes[square] < 0:
                # a corner counts as a chip of every team
                for team in range(self.teams):
                    self._count(square, team, 1)
            elif chips[square] >= 0:
                self._put(square, chips[square])
        for team in range(self.teams):
            self.sequence_counts[team] = 0
            for line in lines[team]:
                self._lock(team, line)
        for card in range(CARDS):
            self.discarded_copies[card] = 0
        for i in range(len(discards)):
            self.discards[i] = discards[i]
            self.discarded_copies[discards[i]] += 1
        self.discard_size = len(discards)
        for i in range(len(pool)):
            self.pool[i] = pool[i]
        self.pool_size = len(pool)
        for other in range(self.seats):
            self.hand_sizes[other] = hand_sizes[other]
            self.dealt[other] = 0
        self.seat = seat
        self.passes = passes
        self.turned_in = turned_in
        self.over = 0
        self.winner = -1

    def set_hand(self, seat: int, cards: list[int]) -> None:
        """Give a seat its cards, which are not in the pool."""
        for i in range(len(cards)):
            self.hands[seat * MOST_HAND + i] = cards[i]
        self.hand_sizes[seat] = len(cards)
        self.dealt[seat] = 1

    def copy_from(self, other: "SequencePlay") -> None:
        """Copy the state of another play-out."""
        self.seats = other.seats
        self.needed = other.needed
        self.most_dead_cards = other.most_dead_cards
        self.may_break = other.may_break
        self.seat = other.seat
        self.over = other.over
        self.winner = other.winner
        self.moves = other.moves
        self.chance = other.chance
        self.passes = other.passes
        self.turned_in = other.turned_in
        self.teams = other.teams
        self.team_of[:] = other.team_of
        self.chips[:] = other.chips
        self.locked[:] = other.locked
        self.counts[:] = other.counts
        self.shut[:] = other.shut
        self.lines[:] = other.lines
        self.sequence_counts[:] = other.sequence_counts
        self.hands[:] = other.hands
        self.hand_sizes[:] = other.hand_sizes
        self.dealt[:] = other.dealt
        self.pool[:] = other.pool
        self.pool_size = other.pool_size
        self.discards[:] = other.discards
        self.discard_size = other.discard_size
        self.discarded_copies[:] = other.discarded_copies

    def deal(self, seed: int) -> None:
        """Seed its random numbers, and deal from the pool to every seat without cards."""
        self.chance = (seed & _MASK) | 1
        self._below(2)  # after a small seed the first number is hardly random: drop it
        for seat in range(self.seats):
            if not self.dealt[seat]:
                size = self.hand_sizes[seat]
                self.hand_sizes[seat] = 0
                for _ in range(size):
                    self._draw(seat)
                self.dealt[seat] = 1

    # the rules

    def legal(self) -> list[int]:
        """Return every legal move, ascending; none: the player must pass."""
        moves: set[int] = set()
        for i in range(self.hand_sizes[self.seat]):
            card = self.hands[self.seat * MOST_HAND + i]
            kind = self.board.kinds[card]
            if not kind and self._dead(card):
                if self.turned_in < self.most_dead_cards:
                    moves.add(card * SQUARES)
                continue
            for square in range(SQUARES):
                if self._may_play(card, square):
                    moves.add(card * SQUARES + square)
        return sorted(moves)

    def _may_play(self, card: int, square: int) -> int:
        """Tell whether a card may be played on a square."""
        kind = self.board.kinds[card]
        if self.board.codes[square] < 0:
            return 0
        if kind == ONE_EYED:
            return self._takeable(square)
        if self.chips[square] >= 0:
            return 0
        return 1 if kind == TWO_EYED or self.board.codes[square] == card else 0

    def _takeable(self, square: int) -> int:
        chip_team = self.chips[square]
        if chip_team < 0 or chip_team == self.team_of[self.seat]:
            return 0
        return 1 if self.may_break or not self.locked[square] else 0

    def _dead(self, card: int) -> int:
        one = self.board.places[card * 2]
        two = self.board.places[card * 2 + 1]
        return 1 if self.chips[one] >= 0 and self.chips[two] >= 0 else 0

    def play(self, move: int) -> None:
        """Play a move (PASS: none is possible) and draw."""
        seat = self.seat
        self.moves += 1
        if move == PASS:
            self.passes += 1
            self.turned_in = 0
            if self.passes >= self.seats:
                self.over = 1
            else:
                self.seat = (seat + 1) % self.seats
            return
        card = move // SQUARES
        square = move % SQUARES
        self.passes = 0
        self._discard(card)
        if square == 0:  # a dead card: the turn goes on
            self.turned_in += 1
            self._draw(seat)
            return
        self.turned_in = 0
        if self.board.kinds[card] == ONE_EYED:
            self._take(square)
        else:
            team = self.team_of[seat]
            self._put(square, team)
            self._complete(square, team)
            if self.sequence_counts[team] >= self.needed:
                self.over = 1
                self.winner = team
                return
        self._draw(seat)
        self.seat = (seat + 1) % self.seats

    def _count(self, square: int, team: int, change: int) -> None:
        first = square * MOST_AT
        for i in range(first, first + self.board.count_at[square]):
            self.counts[self.board.windows_at[i] * TEAMS + team] += change

    def _put(self, square: int, team: int) -> None:
        self.chips[square] = team
        self._count(square, team, 1)

    def _take(self, square: int) -> None:
        """Take a chip away, and with it the sequences that it was part of."""
        team = self.chips[square]
        self.chips[square] = -1
        self._count(square, team, -1)
        if self.locked[square]:
            # forget the team's sequences, then note again those that are still whole
            first = team * MOST_SEQUENCES
            lines = self.sequence_counts[team]
            for window in range(WINDOWS):
                self.shut[window * TEAMS + team] = 0
            for i in range(lines):
                line = self.lines[first + i]
                for place in range(5):
                    self.locked[self.board.squares_of[line * 5 + place]] = 0
            self.sequence_counts[team] = 0
            for i in range(lines):
                line = self.lines[first + i]
                if not self._has(line, square):
                    self._lock(team, line)

    def _has(self, window: int, square: int) -> int:
        for place in range(5):
            if self.board.squares_of[window * 5 + place] == square:
                return 1
        return 0

    def _shares_two(self, one: int, other: int) -> int:
        shared = 0
        for place in range(5):
            shared += self._has(other, self.board.squares_of[one * 5 + place])
        return 1 if shared >= 2 else 0

    def _lock(self, team: int, window: int) -> None:
        """Note a sequence: its squares are locked, windows along it are shut to the team."""
        self.lines[team * MOST_SEQUENCES + self.sequence_counts[team]] = window
        self.sequence_counts[team] += 1
        for place in range(5):
            square = self.board.squares_of[window * 5 + place]
            self.locked[square] += 1
            first = square * MOST_AT
            for i in range(first, first + self.board.count_at[square]):
                other = self.board.windows_at[i]
                if not self.shut[other * TEAMS + team] and self._shares_two(other, window):
                    self.shut[other * TEAMS + team] = 1

    def _complete(self, square: int, team: int) -> None:
        """Note the sequences that a chip of this team on a square makes."""
        first = square * MOST_AT
        for i in range(first, first + self.board.count_at[square]):
            window = self.board.windows_at[i]
            if self.counts[window * TEAMS + team] == 5 and not self.shut[window * TEAMS + team]:
                self._lock(team, window)

    def _discard(self, card: int) -> None:
        first = self.seat * MOST_HAND
        last = first + self.hand_sizes[self.seat] - 1
        for i in range(first, last):
            if self.hands[i] == card:
                self.hands[i] = self.hands[last]  # the last card fills the gap
                break
        self.hand_sizes[self.seat] -= 1
        self.discards[self.discard_size] = card
        self.discard_size += 1
        self.discarded_copies[card] += 1

    # chance

    def _below(self, bound: int) -> int:
        """Return a random number below a bound of at most 65,536 (xorshift)."""
        chance = self.chance
        chance ^= (chance << 13) & _MASK
        chance ^= chance >> 17
        chance ^= (chance << 5) & _MASK
        self.chance = chance
        return ((chance >> 16) * bound) >> 16

    def _draw(self, seat: int) -> None:
        """Draw a card of the pool.

        When the pool is used up, the discards become the pool; as cards are drawn from it by
        chance, nothing is shuffled.
        """
        if self.pool_size:
            i = self._below(self.pool_size)
            self.hands[seat * MOST_HAND + self.hand_sizes[seat]] = self.pool[i]
            self.hand_sizes[seat] += 1
            self.pool_size -= 1
            self.pool[i] = self.pool[self.pool_size]  # the last card fills the gap
        if not self.pool_size:
            for i in range(self.discard_size):
                self.pool[i] = self.discards[i]
            self.pool_size = self.discard_size
            self.discard_size = 0
            for card in range(CARDS):
                self.discarded_copies[card] = 0

    # the score

    def count_fillable(self) -> int:
        """Count for each window the free squares that the hand can fill; return the wild cards."""
        board = self.board
        wild = 0
        for window in range(WINDOWS):
            self.fillable[window] = 0
        for i in range(self.hand_sizes[self.seat]):
            card = self.hands[self.seat * MOST_HAND + i]
            kind = board.kinds[card]
            if kind == TWO_EYED:
                wild += 1
            if kind:
                continue
            for place in range(2):
                square = board.places[card * 2 + place]
                if self.chips[square] >= 0:
                    continue
                first = square * MOST_AT
                for index in range(first, first + board.count_at[square]):
                    self.fillable[board.windows_at[index]] += 1
        return wild

    def worth(self, card: int, square: int, wild: int) -> int:
        """Return what a chip on a free square by this card is worth to the player to move.

        `count_fillable` has to be called right before; it returns `wild`.
        """
        board = self.board
        team = self.team_of[self.seat]
        jack = board.kinds[card] == TWO_EYED
        code = board.codes[square]
        copies = self.discarded_copies[code]
        in_hand = 0
        for i in range(self.hand_sizes[self.seat]):
            if self.hands[self.seat * MOST_HAND + i] == code:
                in_hand += 1
        live = 1 if copies + in_hand < 2 else 0  # a rival may have the card, or draw it
        spare = wild - 1 if jack else wild
        fills_square = 1 if in_hand else 0
        closing = self.sequence_counts[team] + 1 >= self.needed
        total = 0
        first = square * MOST_AT
        for index in range(first, first + board.count_at[square]):
            window = board.windows_at[index]
            base = window * TEAMS
            corners = board.corner[window]
            others = 0  # how many other teams have chips in the window
            rival = 0
            rival_chips = 0
            for other in range(self.teams):
                if other != team and self.counts[base + other] > corners:
                    rival_chips = self.counts[base + other]
                    others += 1
                    rival = other
            chips = self.counts[base + team]
            if not others and not self.shut[base + team]:
                if chips == 4 and closing:
                    total += WIN
                # this move fills the square itself
                filled = self.fillable[window] - fills_square + spare
                filled = min(filled, 4 - chips)
                filled = max(filled, 0)
                gain = board.own[chips * 5 + filled]
                total += gain * board.last_own // 100 if closing else gain
            # only a window that a single rival can still complete needs to be blocked
            if others == 1 and chips == corners and not self.shut[base + rival]:
                gain = board.block[rival_chips * 2 + live]
                if self.sequence_counts[rival] + 1 >= self.needed:
                    gain = gain * board.last_rival // 100
                total += gain
        return total - board.free if jack else total

    def worth_of_taking(self, square: int) -> int:
        """Return what taking the chip on a square is worth to the player to move."""
        board = self.board
        team = self.team_of[self.seat]
        chip_team = self.chips[square]
        total = 0
        first = square * MOST_AT
        for index in range(first, first + board.count_at[square]):
            window = board.windows_at[index]
            base = window * TEAMS
            corners = board.corner[window]
            third = 0  # 1 if a third team has chips in the window: it is of use to nobody
            for other in range(self.teams):
                if other not in (team, chip_team) and self.counts[base + other] > corners:
                    third = 1
            if third:
                continue
            chips = self.counts[base + chip_team]
            mine = self.counts[base + team]
            if mine == corners and not self.shut[base + chip_team]:
                gain = board.block[chips * 2 + 1]
                if self.sequence_counts[chip_team] + 1 >= self.needed:
                    gain = gain * board.last_rival // 100
                total += gain
            # this chip alone blocks the mover's window
            elif chips == corners + 1 and mine and not self.shut[base + team]:
                total += board.own[(mine - 1) * 5]
        return total - board.taker

    def best(self) -> int:
        """Return the move with the best score, PASS if none is legal."""
        board = self.board
        seat = self.seat
        wild = self.count_fillable()
        best_move = PASS
        best_value = 0
        for i in range(self.hand_sizes[seat]):
            card = self.hands[seat * MOST_HAND + i]
            kind = board.kinds[card]
            if kind == 0:
                if self._dead(card):
                    if self.turned_in < self.most_dead_cards:
                        return card * SQUARES
                    continue
                for place in range(2):
                    square = board.places[card * 2 + place]
                    if self.chips[square] < 0:
                        value = self.worth(card, square, wild)
                        if best_move == PASS or value > best_value:
                            best_value = value
                            best_move = card * SQUARES + square
                continue
            for square in range(1, SQUARES - 1):  # the first and the last are corners
                if kind == TWO_EYED:
                    if self.chips[square] >= 0 or board.codes[square] < 0:
                        continue
                    value = self.worth(card, square, wild)
                elif self._takeable(square):
                    value = self.worth_of_taking(square)
                else:
                    continue
                if best_move == PASS or value > best_value:
                    best_value = value
                    best_move = card * SQUARES + square
        return best_move

    def any(self) -> int:
        """Return a random move: a card of the hand, then one of its squares; PASS if none."""
        seat = self.seat
        size = self.hand_sizes[seat]
        if not size:
            return PASS
        start = self._below(size)
        for step in range(size):
            card = self.hands[seat * MOST_HAND + (start + step) % size]
            kind = self.board.kinds[card]
            if kind == 0:
                if self._dead(card):
                    if self.turned_in < self.most_dead_cards:
                        return card * SQUARES
                    continue
                square = self.board.places[card * 2 + self._below(2)]
                if self.chips[square] >= 0:
                    # the other of the card's two squares
                    square = self.board.places[card * 2] + self.board.places[card * 2 + 1] - square
                return card * SQUARES + square
            first = self._below(SQUARES)
            for ahead in range(SQUARES):
                square = (first + ahead) % SQUARES
                if self._may_play(card, square):
                    return card * SQUARES + square
        return PASS

    # play-outs

    def play_out(self) -> int:
        """Play to the end by the score; return the team that wins, -1 for none."""
        while not self.over:
            self.play(self.best())
        return self.winner

    def play_any(self) -> int:
        """Play random moves to the end; return the team that wins, -1 for none."""
        while not self.over:
            self.play(self.any())
        return self.winner

    def try_move(self, root: "SequencePlay", move: int, seed: int) -> int:
        """Deal the hidden cards of `root` by chance, play a move there, then to the end.

        With a move of -2 the score chooses the first one. Returns the team that wins, -1 for none.
        """
        self.copy_from(root)
        self.deal(seed)
        if move >= PASS and not self.over:
            self.play(move)
        return self.play_out()

    # the model

    def note_features(self) -> int:
        """Write the model's features of this position to `features`; return how many.

        There must be two players; `Windows` describes the features.
        """
        mover = self.seat
        for seat in range(2):
            self._count_hand(seat)
        # a seat's ways depend on both hands
        for seat in range(2):
            self._note_ways(seat)
        count = 0
        for window in range(WINDOWS):
            for seat in range(2):
                feature = self._window_feature(window, seat)
                if feature >= 0:
                    self.features[count] = feature
                    count += 1
        last = self.closing[0] + self.closing[1]  # how many need one sequence only
        for side in range(2):
            seat = 1 - mover if side else mover
            # `last` has 3 values, the number of jacks 4
            i = (side * 3 + last) * 4
            self.features[count] = TWO_EYED_AT + i + min(self.wilds[seat], 3)
            self.features[count + 1] = ONE_EYED_AT + i + min(self.takers[seat], 3)
            count += 2
        closing = self.closing[mover] * 2 + self.closing[1 - mover]
        open_ = min(self.open[mover], 2) * 3 + min(self.open[1 - mover], 2)
        # `open_` has 3 times 3 values
        self.features[count] = OPEN_AT + closing * 9 + open_
        self.features[count + 1] = PILE_AT + min(self.pool_size // 10, 10)
        return count + 2

    def _count_hand(self, seat: int) -> None:
        """Count a hand's cards and jacks; nothing is open to it yet."""
        self.wilds[seat] = 0
        self.takers[seat] = 0
        self.open[seat] = 0
        self.closing[seat] = 1 if self.sequence_counts[seat] + 1 >= self.needed else 0
        for card in range(CARDS):
            self.copies[seat * CARDS + card] = 0
        for i in range(self.hand_sizes[seat]):
            card = self.hands[seat * MOST_HAND + i]
            self.copies[seat * CARDS + card] += 1
            if self.board.kinds[card] == TWO_EYED:
                self.wilds[seat] += 1
            elif self.board.kinds[card] == ONE_EYED:
                self.takers[seat] += 1

    def _note_ways(self, seat: int) -> None:
        """Note for every square: 1 if the hand has a card for it, plus 8 if the other hand has.

        64: neither the hand nor the draw pile has a card for it.
        """
        for square in range(SQUARES):
            card = self.board.codes[square]
            way = 0
            if card >= 0 and self.chips[square] < 0:
                mine = self.copies[seat * CARDS + card]
                theirs = self.copies[(1 - seat) * CARDS + card]
                if mine:
                    way = 1
                elif self.discarded_copies[card] + theirs >= 2:
                    way = 64
                if theirs:
                    way += 8
            self.ways[seat * SQUARES + square] = way

    def _window_feature(self, window: int, seat: int) -> int:
        """Return a window's feature for a seat, -1 if it can no longer become its sequence.

        A window of four that the hand completes is counted in `open`.
        """
        base = window * TEAMS
        chips = self.counts[base + seat]
        if self.counts[base + 1 - seat] > self.board.corner[window] or chips >= 5:
            return -1
        if self.shut[base + seat]:
            return -1
        ways = 0
        for place in range(window * 5, window * 5 + 5):
            ways += self.ways[seat * SQUARES + self.board.squares_of[place]]
        # each of three sums of five squares has an octal digit of its own
        filled = ways % 8
        wilds = min(self.wilds[seat], 2) if chips >= 2 else 0
        blocked = 1 if chips >= 3 and ways // 8 % 8 else 0
        lost = min(ways // 64, 2) if chips >= 1 else 0
        if chips == 4 and (filled or self.wilds[seat]):
            self.open[seat] += 1
        side = 0 if seat == self.seat else 1
        kind = (side * 2 + self.closing[seat]) * 5 + chips
        return window_feature(kind, filled, wilds, blocked, lost)

    def value(self) -> int:
        """Return the model's chance of the player to move, of two players; CERTAIN is 1."""
        board = self.board
        value = 0
        for i in range(self.note_features()):
            value += board.value_model[self.features[i]]
        # the log-odds from -8 to 8 in steps of 1/64 (`ai.odds`)
        step = max(value + 8 * UNIT, 0) // (UNIT // 64)
        return board.odds[min(step, 1023)]

    def foresee(self, root: "SequencePlay", move: int, seed: int, turns: int) -> int:
        """Like `try_move`, but use the model after `turns` turns, this one included.

        Returns the chance of the player to move at `root`; CERTAIN is 1, a draw counts half.
        """
        self.copy_from(root)
        self.deal(seed)
        left = turns
        while not self.over and left:
            self.play(move)
            # a card turned in ends no turn
            if move % SQUARES:
                left -= 1
            if left and not self.over:
                move = self.best()
        if self.over:
            if self.winner < 0:
                return CERTAIN // 2
            return CERTAIN if self.winner == root.seat else 0
        chance = self.value()
        return chance if self.seat == root.seat else CERTAIN - chance
