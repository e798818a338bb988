# The types of playouts.py, where it is compiled.
cimport cython

cdef int TWO_EYED, ONE_EYED, SQUARES, WINDOWS, TEAMS, MOST_AT, CARDS, MOST_HAND, MOST_SEQUENCES
cdef int TWO_EYED_AT, ONE_EYED_AT, OPEN_AT, PILE_AT, MOST_FEATURES, CERTAIN, UNIT
cdef long long WIN
cdef unsigned int _MASK

cpdef int window_feature(int kind, int filled, int wilds, int blocked, int lost) noexcept

@cython.final
cdef class Windows:
    cdef int squares_of[960]
    cdef int windows_at[2000]
    cdef int corner[192]
    cdef int count_at[100]
    cdef int places[104]
    cdef int codes[100]
    cdef int kinds[52]
    cdef int own[25]
    cdef int block[10]
    cdef int free, taker, last_own, last_rival
    cdef int value_model[2255]
    cdef int odds[1024]

@cython.final
cdef class SequencePlay:
    cdef readonly Windows board
    cdef public int seats, needed, most_dead_cards, may_break, seat, over, winner, moves
    cdef public int passes, turned_in, teams, pool_size, discard_size
    cdef public unsigned int chance
    cdef int team_of[12]
    cdef public int chips[100]
    cdef int locked[100]
    cdef int counts[576]
    cdef int shut[576]
    cdef public int lines[90]
    cdef public int sequence_counts[3]
    cdef public int hands[84]
    cdef public int hand_sizes[12]
    cdef int dealt[12]
    cdef int pool[128]
    cdef int discards[128]
    cdef int discarded_copies[52]
    cdef int fillable[192]
    cdef int copies[104]
    cdef int wilds[2]
    cdef int takers[2]
    cdef int closing[2]
    cdef int open[2]
    cdef int ways[200]
    cdef public int features[390]

    cpdef void copy_from(self, SequencePlay other) noexcept
    @cython.locals(seat=cython.int, size=cython.int, _=cython.int)
    cpdef void deal(self, unsigned int seed) noexcept
    @cython.locals(kind=cython.int)
    cdef int _may_play(self, int card, int square) noexcept
    @cython.locals(chip_team=cython.int)
    cdef int _takeable(self, int square) noexcept
    @cython.locals(one=cython.int, two=cython.int)
    cdef int _dead(self, int card) noexcept
    @cython.locals(seat=cython.int, card=cython.int, square=cython.int, team=cython.int)
    cpdef void play(self, int move) noexcept
    @cython.locals(first=cython.int, i=cython.int)
    cdef void _count(self, int square, int team, int change) noexcept
    cdef void _put(self, int square, int team) noexcept
    @cython.locals(team=cython.int, first=cython.int, lines=cython.int, window=cython.int, place=cython.int, i=cython.int, line=cython.int)
    cdef void _take(self, int square) noexcept
    @cython.locals(place=cython.int)
    cdef int _has(self, int window, int square) noexcept
    @cython.locals(shared=cython.int, place=cython.int)
    cdef int _shares_two(self, int one, int other) noexcept
    @cython.locals(place=cython.int, square=cython.int, first=cython.int, i=cython.int, other=cython.int)
    cdef void _lock(self, int team, int window) noexcept
    @cython.locals(first=cython.int, i=cython.int, window=cython.int)
    cdef void _complete(self, int square, int team) noexcept
    @cython.locals(first=cython.int, last=cython.int, i=cython.int)
    cdef void _discard(self, int card) noexcept
    @cython.locals(chance=cython.uint)
    cdef unsigned int _below(self, unsigned int bound) noexcept
    @cython.locals(i=cython.int, card=cython.int)
    cdef void _draw(self, int seat) noexcept
    @cython.locals(board=Windows, wild=cython.int, window=cython.int, i=cython.int, card=cython.int, kind=cython.int, place=cython.int, square=cython.int, first=cython.int, index=cython.int)
    cpdef int count_fillable(self) noexcept
    @cython.locals(board=Windows, team=cython.int, jack=cython.bint, code=cython.int, copies=cython.int, in_hand=cython.int, i=cython.int, live=cython.int, spare=cython.int, fills_square=cython.int, closing=cython.bint, total=cython.longlong, first=cython.int, index=cython.int, window=cython.int, base=cython.int, others=cython.int, rival=cython.int, rival_chips=cython.int, other=cython.int, corners=cython.int, chips=cython.int, filled=cython.int, gain=cython.longlong)
    cpdef long long worth(self, int card, int square, int wild) noexcept
    @cython.locals(board=Windows, team=cython.int, chip_team=cython.int, total=cython.longlong, first=cython.int, index=cython.int, window=cython.int, base=cython.int, corners=cython.int, third=cython.int, other=cython.int, chips=cython.int, mine=cython.int, gain=cython.longlong)
    cpdef long long worth_of_taking(self, int square) noexcept
    @cython.locals(board=Windows, seat=cython.int, wild=cython.int, best_move=cython.int, best_value=cython.longlong, i=cython.int, card=cython.int, kind=cython.int, place=cython.int, square=cython.int, value=cython.longlong)
    cpdef int best(self) noexcept
    @cython.locals(seat=cython.int, size=cython.int, start=cython.int, step=cython.int, card=cython.int, kind=cython.int, square=cython.int, first=cython.int, ahead=cython.int)
    cpdef int any(self) noexcept
    cpdef int play_out(self) noexcept
    cpdef int play_any(self) noexcept
    cpdef int try_move(self, SequencePlay root, int move, unsigned int seed) noexcept
    @cython.locals(mover=cython.int, seat=cython.int, count=cython.int, window=cython.int, feature=cython.int, last=cython.int, side=cython.int, i=cython.int, closing=cython.int, open_=cython.int)
    cpdef int note_features(self) noexcept
    @cython.locals(card=cython.int, i=cython.int)
    cdef void _count_hand(self, int seat) noexcept
    @cython.locals(square=cython.int, card=cython.int, way=cython.int, mine=cython.int, theirs=cython.int)
    cdef void _note_ways(self, int seat) noexcept
    @cython.locals(base=cython.int, chips=cython.int, ways=cython.int, place=cython.int, filled=cython.int, wilds=cython.int, blocked=cython.int, lost=cython.int, side=cython.int, kind=cython.int)
    cdef int _window_feature(self, int window, int seat) noexcept
    @cython.locals(board=Windows, value=cython.int, i=cython.int, step=cython.int)
    cpdef int value(self) noexcept
    @cython.locals(left=cython.int, chance=cython.int)
    cpdef int foresee(self, SequencePlay root, int move, unsigned int seed, int turns) noexcept
