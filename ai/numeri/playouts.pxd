# The types of playouts.py, where it is compiled.
cimport cython

cdef int SEATS, STONES, MOST_FIELDS, MOST_OPTIONS
cdef unsigned int _MASK

@cython.final
cdef class TrackValues:
    cdef readonly int length
    cdef int values[1000]
    cdef int splits[84]
    cdef int count[7]
    cdef int chain, hop
    cdef long long point

@cython.final
cdef class NumeriPlay:
    cdef readonly TrackValues track
    cdef public int players, seat, over, winners, moves
    cdef public unsigned int chance
    cdef public int fields[24]
    cdef int taken[1002]
    cdef int options[12]
    cdef int steps[6]

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
    @cython.locals(step_count=cython.int, again=cython.int, last=cython.int)
    cpdef void play(self, int move) noexcept
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
