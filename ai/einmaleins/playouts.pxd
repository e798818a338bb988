# The types of playouts.py, where it is compiled.
cimport cython

cdef int NUMBERS, FREE, PAIRS, DECK, MOST_PAIRS_OF, DRAW, LONGEST, FACTORS, PAIRS_WITH, ATTEMPTS
cdef int SIZES, ANSWERS, USUAL, FEW, FIT, ANSWER, CARD, EACH, LACK, DRAWING, WEIGHTS, NOTED
cdef unsigned int _MASK
cdef unsigned long long _ONE, _ALL, _TWOS, _FOURS, _EIGHTS

@cython.locals(bits=cython.ulonglong)
cdef int _ones(unsigned long long cards) noexcept

@cython.final
cdef class Products:
    cdef int number_of[55]
    cdef int factors_of[55]
    cdef int squares[42]
    cdef int pairs[168]
    cdef int count[42]
    cdef int fitting[43]
    cdef unsigned long long followers[55]
    cdef unsigned long long having[11]
    cdef int low[55]
    cdef int high[55]
    cdef int with_factor[110]
    cdef int square_count[11]
    cdef int scale[44]

@cython.final
cdef class LayingScore:
    cdef int weights[1281]

@cython.final
cdef class EinmaleinsPlay:
    cdef readonly Products numbers
    cdef readonly LayingScore score
    cdef public int players, seat, over, winners, moves, idle, open, factors, pool_size, under_size
    cdef public unsigned int chance
    cdef public int hands[264]
    cdef public int hand_sizes[6]
    cdef int dealt[6]
    cdef int lacking[264]
    cdef unsigned long long held[6]
    cdef int frees[6]
    cdef public int strong[6]
    cdef public int weak[6]
    cdef unsigned long long laid
    cdef int noted[5]
    cdef public int pool[48]
    cdef public int under[48]

    cpdef void copy_from(self, EinmaleinsPlay other) noexcept
    @cython.locals(seat=cython.int, size=cython.int, i=cython.int)
    cpdef void deal(self, unsigned int seed) noexcept
    @cython.locals(card=cython.int)
    cpdef void play(self, int move) noexcept
    cdef int _after(self, int seat) noexcept
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
    @cython.locals(i=cython.int, _=cython.int)
    cdef void _take_lacking(self, int seat, int factors) noexcept
    cdef void _move(self, int seat, int i) noexcept
    cdef void _hold(self, int seat, int place, int card) noexcept
    @cython.locals(numbers=Products, best_move=cython.int, best_value=cython.int, first=cython.int, last=cython.int, free=cython.int, i=cython.int, card=cython.int, base=cython.int, count=cython.int, index=cython.int, pair=cython.int, value=cython.int, factor=cython.int)
    cpdef int best(self) noexcept
    @cython.locals(card=cython.int)
    cpdef int worth(self, int move) noexcept
    @cython.locals(own=cython.int, other=cython.int, frees=cython.int)
    cdef int _drawing(self) noexcept
    @cython.locals(numbers=Products, seat=cython.int, frees=cython.int, held=cython.ulonglong, unseen=cython.ulonglong, unseen_count=cython.int, square=cython.int, next_=cython.int, left=cython.int, other=cython.int, urgent=cython.int, fits=cython.int, answers=cython.int, stage=cython.int)
    cdef void _note(self, int card, int pair) noexcept
    @cython.locals(numbers=Products, fewer=cython.int, more=cython.int)
    cdef int _either(self, unsigned long long held, int frees, int pair) noexcept
    @cython.locals(low=cython.int, high=cython.int, strong=cython.int, known=cython.int, less=cython.int, surer=cython.int)
    cdef int _lacks(self, int seat, int pair) noexcept
    @cython.locals(score=LayingScore)
    cdef int _worth(self, int card, int pair) noexcept
    cpdef int play_out(self) noexcept
    cpdef int try_move(self, EinmaleinsPlay root, int move, unsigned int seed) noexcept
