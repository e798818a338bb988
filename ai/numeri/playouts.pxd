# The types of playouts.py, where it is compiled.
cimport cython

cdef int SEATS, STONES, MOST_FIELDS, MOST_OPTIONS
cdef unsigned int _MASK
cdef int OF_STONE, INPUTS, HIDDEN, ONE, PRECISE, CERTAIN, STEPS, LONGEST

@cython.final
cdef class TrackValues:
    cdef readonly int length
    cdef int values[1000]
    cdef int splits[84]
    cdef int count[7]
    cdef int chain, hop
    cdef long long point
    cdef readonly long long most

@cython.final
cdef class ValueNet:
    cdef short inner[32][120]
    cdef int bias[32]
    cdef int outer[32]
    cdef int base
    cdef int chances[1024]

@cython.final
cdef class NumeriPlay:
    cdef readonly TrackValues track
    cdef public int players, seat, over, winners, moves
    cdef public unsigned int chance
    cdef public int fields[24]
    cdef int taken[1002]
    cdef int options[12]
    cdef int steps[6]
    cdef readonly ValueNet net
    cdef long long ends[12]
    cdef short inputs[120]
    cdef int next_free[1002]
    cdef int ahead[1002]
    cdef int own[1006]

    @cython.locals(field=cython.int)
    cpdef void copy_from(self, NumeriPlay other) noexcept
    cpdef void deal(self, unsigned int seed) noexcept
    cpdef int roll(self) noexcept
    @cython.locals(count=cython.int, base=cython.int, i=cython.int, first=cython.int, move=cython.int, step_count=cython.int)
    cdef int _list_moves(self, int roll) noexcept
    @cython.locals(size=cython.int)
    cdef int _count_stones(self, int move) noexcept
    cdef int _next_free(self, int field) noexcept
    @cython.locals(base=cython.int, step_count=cython.int, stone=cython.int, start=cython.int, end=cython.int)
    cdef int _move(self, int move) noexcept
    @cython.locals(stone=cython.int, start=cython.int)
    cdef void _undo(self, int step_count) noexcept
    @cython.locals(base=cython.int, step=cython.int, end=cython.int, run=cython.int, field=cython.int, own=cython.int, i=cython.int)
    cdef int _makes_chain(self, int step_count) noexcept
    @cython.locals(step_count=cython.int, again=cython.int)
    cpdef void play(self, int move) noexcept
    @cython.locals(last=cython.int)
    cdef int _is_finished(self) noexcept
    @cython.locals(total=cython.int, stone=cython.int)
    cpdef int points(self, int seat) noexcept
    @cython.locals(most=cython.int, seat=cython.int, points=cython.int)
    cdef void _settle(self) noexcept
    @cython.locals(chance=cython.uint)
    cdef unsigned int _below(self, unsigned int bound) noexcept
    @cython.locals(count=cython.int, best_move=cython.int, best_value=cython.longlong, seat=cython.int, before=cython.int, i=cython.int, move=cython.int, step_count=cython.int, value=cython.longlong, step=cython.int, fields=cython.int)
    cpdef int best(self, int roll) noexcept
    cpdef int play_out(self) noexcept
    cpdef int try_move(self, NumeriPlay root, int move, unsigned int seed) noexcept

    @cython.locals(inputs=cython.p_short, most=cython.longlong, length=cython.int, free=cython.int, first=cython.int, field=cython.int, lead=cython.longlong, after=cython.int, side=cython.int, seat=cython.int, points=cython.longlong, large_taken=cython.int)
    cdef void _look_at(self) noexcept
    cdef short _ramp(self, long long value) noexcept
    @cython.locals(base=cython.int, chains=cython.int, in_play=cython.int, stone=cython.int, field=cython.int, after=cython.int)
    cdef void _look_at_side(self, int seat, int side) noexcept
    @cython.locals(inputs=cython.p_short, track=TrackValues, length=cython.int, field=cython.int, first=cython.int, second=cython.int, left=cython.int, number=cython.longlong, chain=cython.int)
    cdef int _look_at_stone(self, int base, int stone, int at) noexcept
    @cython.locals(own=cython.p_int, two_before=cython.int, before=cython.int, behind=cython.int, two_behind=cython.int)
    cdef int _would_chain(self, int field, int end) noexcept
    @cython.locals(net=ValueNet, total=cython.longlong, unit=cython.int, heat=cython.int, i=cython.int, step=cython.longlong)
    cpdef int value(self) noexcept
    @cython.locals(seat=cython.int, step_count=cython.int, lead=cython.longlong, chance=cython.int)
    cpdef int chance_with(self, int move) noexcept
    @cython.locals(count=cython.int, base=cython.int, kept=cython.int, i=cython.int, move=cython.int, step_count=cython.int, end=cython.longlong, stone=cython.int, known=cython.int, other=cython.int)
    cdef int _list_ends(self, int roll) noexcept
    @cython.locals(count=cython.int, best_move=cython.int, best_chance=cython.int, i=cython.int, chance=cython.int)
    cpdef int wise(self, int roll) noexcept
    @cython.locals(total=cython.int, roll=cython.int, count=cython.int, best=cython.int, i=cython.int, chance=cython.int)
    cpdef int expect(self) noexcept
    @cython.locals(end=cython.int, chance=cython.int)
    cpdef int foresee(self, NumeriPlay root, int move, unsigned int seed, int moves) noexcept
