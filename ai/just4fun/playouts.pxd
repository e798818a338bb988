# The types of playouts.py, where it is compiled.
cimport cython

cdef int SEATS, FIELDS, ROWS, STATES, RIVALS, MOST_ROWS_AT, HAND, STONES
cdef int SECURED, LEADS, ONE_MORE, TWO_MORE, OUT_OF_REACH
cdef int STEPS, UNTOUCHED, LOST, PHASES, OTHERS, BEGINS, CERTAIN, UNIT
cdef unsigned int _MASK
cdef unsigned long long _ONE

@cython.final
cdef class RowScore:
    cdef int steps[270000]
    cdef int value_model[67500]
    cdef int standing[231]
    cdef int odds[1024]
    cdef int field_of[216]
    cdef int complete[625]
    cdef int fields[185]
    cdef int row_phase[21]
    cdef int field_phase[21]
    cdef int rivals[4]
    cdef int cards[5]
    cdef int rows_at[444]
    cdef int digit_at[444]
    cdef int count_at[37]
    cdef int subsets[15]
    cdef int lowest[16]
    cdef int size[16]

@cython.final
cdef class Just4FunPlay:
    cdef readonly RowScore score
    cdef public int players, rounds, closed, seat, over, winners, moves, pool_size, discard_size
    cdef public unsigned int chance
    cdef public int counts[148]
    cdef public int classes[148]
    cdef int barred[148]
    cdef public int states[216]
    cdef public int left[4]
    cdef public int turns[4]
    cdef public int hands[16]
    cdef int dealt[4]
    cdef public int pool[64]
    cdef public int discards[64]
    cdef int sums[16]
    cdef int playable[15]
    cdef int gains[148]
    cdef int losses[148]
    cdef int counted_states[216]
    cdef int stale[37]
    cdef int is_stale[37]
    cdef int stale_count

    cpdef void copy_from(self, Just4FunPlay other) noexcept
    @cython.locals(seat=cython.int, i=cython.int)
    cpdef void deal(self, unsigned int seed) noexcept
    @cython.locals(seat=cython.int, i=cython.int, card=cython.int, field=cython.int, row=cython.int, played=cython.int, exchange=cython.bint)
    cpdef void play(self, int subset) noexcept
    @cython.locals(step=cython.int, after=cython.int)
    cdef int _next(self, int seat) noexcept
    @cython.locals(stones=cython.int, can_play=cython.int, seat=cython.int)
    cdef int _has_ended(self) noexcept
    @cython.locals(seat=cython.int, i=cython.int, row=cython.int)
    cdef int _place(self, int field) noexcept
    @cython.locals(base=cython.int, most=cython.int, second=cython.int, seat=cython.int, stones=cython.int, secured=cython.bint, bar=cython.int, new_class=cython.int, change=cython.int, i=cython.int)
    cdef void _judge(self, int field) noexcept
    @cython.locals(best=cython.int, best_points=cython.int, best_field=cython.int, seat=cython.int, points=cython.int, highest=cython.int, field=cython.int)
    cdef int _by_points(self) noexcept
    @cython.locals(chance=cython.uint)
    cdef unsigned int _below(self, unsigned int bound) noexcept
    @cython.locals(i=cython.int)
    cdef void _draw(self, int place) noexcept
    @cython.locals(base=cython.int, subset=cython.int)
    cdef void _add_up(self) noexcept
    @cython.locals(field=cython.int, first=cython.int, i=cython.int, row=cython.int, seat=cython.int, old_state=cython.int, new_state=cython.int)
    cpdef void update_gains(self) noexcept
    @cython.locals(score=RowScore, old=cython.int, new=cython.int, place=cython.int, index=cython.int)
    cdef void _count(self, int row, int seat, int old_state, int new_state) noexcept
    @cython.locals(score=RowScore, seat=cython.int, base=cython.int, own_class=cython.int, i=cython.int, rows=cython.longlong, fields=cython.longlong, other=cython.int, other_class=cython.int, weight=cython.longlong, away=cython.int, left=cython.int)
    cpdef long long worth(self, int field) noexcept
    @cython.locals(score=RowScore, seat=cython.int, seen=cython.ulonglong, best_subset=cython.int, best_value=cython.longlong, i=cython.int, subset=cython.int, field=cython.int, value=cython.longlong)
    cpdef int best(self) noexcept
    @cython.locals(count=cython.int, subset=cython.int, field=cython.int)
    cpdef int any(self) noexcept
    cpdef int play_out(self) noexcept
    cpdef int play_any(self) noexcept
    cpdef int try_move(self, Just4FunPlay root, int subset, unsigned int seed) noexcept
    @cython.locals(score=RowScore, seat=cython.int, left=cython.int, value=cython.int, row=cython.int, state=cython.int, field=cython.int, i=cython.int, other=cython.int, step=cython.int)
    cpdef int value(self) noexcept
    @cython.locals(end=cython.int, chance=cython.int)
    cpdef int foresee(self, Just4FunPlay root, int subset, unsigned int seed, int moves) noexcept
