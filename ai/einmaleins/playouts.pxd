# The types of playouts.py, where it is compiled.
cimport cython

cdef int NUMBERS, FREE, PAIRS, DECK, MOST_PAIRS_OF, DRAW, LONGEST
cdef unsigned int _MASK

@cython.final
cdef class Products:
    cdef int number_of[55]
    cdef int factors_of[55]
    cdef int squares[42]
    cdef int pairs[168]
    cdef int count[42]
    cdef int fitting[43]

@cython.final
cdef class EinmaleinsPlay:
    cdef readonly Products numbers
    cdef public int players, seat, over, winners, moves, idle, open, factors, pool_size, under_size
    cdef public unsigned int chance
    cdef public int hands[264]
    cdef public int hand_sizes[6]
    cdef int dealt[6]
    cdef int pool[48]
    cdef int under[48]

    cpdef void copy_from(self, EinmaleinsPlay other) noexcept
    @cython.locals(seat=cython.int, size=cython.int, _=cython.int)
    cpdef void deal(self, unsigned int seed) noexcept
    cpdef void play(self, int move) noexcept
    cdef void _draw(self) noexcept
    @cython.locals(seat=cython.int, first=cython.int, last=cython.int, i=cython.int)
    cdef void _lay(self, int card, int pair) noexcept
    @cython.locals(least=cython.int, seat=cython.int)
    cdef void _find_winners(self) noexcept
    @cython.locals(chance=cython.uint)
    cdef unsigned int _below(self, unsigned int bound) noexcept
    @cython.locals(i=cython.int)
    cdef void _take(self, int seat) noexcept
    @cython.locals(i=cython.int)
    cdef void _refill_pool(self) noexcept
    @cython.locals(numbers=Products, best_move=cython.int, best_value=cython.int, first=cython.int, last=cython.int, free=cython.int, i=cython.int, card=cython.int, base=cython.int, index=cython.int, pair=cython.int, value=cython.int)
    cpdef int best(self) noexcept
    @cython.locals(numbers=Products, factors=cython.int, value=cython.int, first=cython.int, i=cython.int)
    cdef int _count_fitting(self, int pair) noexcept
    cpdef int play_out(self) noexcept
    cpdef int try_move(self, EinmaleinsPlay root, int move, unsigned int seed) noexcept
