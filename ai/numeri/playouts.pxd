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
    cpdef void take_after(self, NumeriPlay other) noexcept
    cpdef void deal(self, unsigned int seed) noexcept
    cpdef int roll(self) noexcept
    @cython.locals(count=cython.int, base=cython.int, at=cython.int, first=cython.int, move=cython.int, done=cython.int)
    cdef int _list(self, int roll) noexcept
    @cython.locals(size=cython.int)
    cdef int _size(self, int move) noexcept
    cdef int _next_free(self, int field) noexcept
    @cython.locals(base=cython.int, done=cython.int, stone=cython.int, start=cython.int, end=cython.int)
    cdef int _move(self, int move) noexcept
    @cython.locals(stone=cython.int, start=cython.int)
    cdef void _back(self, int done) noexcept
    @cython.locals(base=cython.int, step=cython.int, end=cython.int, run=cython.int, field=cython.int, own=cython.int, at=cython.int)
    cdef int _makes_chain(self, int done) noexcept
    @cython.locals(done=cython.int, again=cython.int, last=cython.int)
    cpdef void play(self, int move) noexcept
    @cython.locals(total=cython.int, stone=cython.int)
    cpdef int points(self, int seat) noexcept
    @cython.locals(most=cython.int, seat=cython.int, points=cython.int)
    cdef void _settle(self) noexcept
    @cython.locals(chance=cython.uint)
    cdef unsigned int _below(self, unsigned int bound) noexcept
    @cython.locals(count=cython.int, found=cython.int, most=cython.longlong, seat=cython.int, before=cython.int, at=cython.int, move=cython.int, done=cython.int, value=cython.longlong, step=cython.int, way=cython.int)
    cpdef int best(self, int roll) noexcept
    cpdef int play_out(self) noexcept
    cpdef int try_move(self, NumeriPlay root, int move, unsigned int seed) noexcept
