/* The leapfrog of a window in parts: the loops of waves.c, for each width of vectors
 * (base/loops.h). */

static void WIDE(substep_sparse)(const leapfrog *l, const substep *s, size_t first, size_t end,
                                 const double *restrict force)
{
    enum { N = LZB_ABREAST };
    const lzb_sparse d = l->w->coupling.sparse;
    lanes h, onward;
    load(&h, s->h);
    load(&onward, s->onward);
    for (size_t k = first; k < end; k++) {
        lanes sum = {0};
        for (size_t e = d.start[k]; e < d.end[k]; e++) {
            lanes other;
            load(&other, force + (size_t)N * d.column[e]);
            sum += d.value[e] * other;
        }
        move_on(&h, &onward, l->w->fixed.rate[k], &sum, force + N * k, l->x + N * k, l->c + N * k,
                l->p + N * k);
    }
}

static void WIDE(substep_line)(const leapfrog *l, const substep *s, size_t first, size_t end,
                               const double *restrict force)
{
    enum { N = LZB_ABREAST };
    const lzb_window *w = l->w;
    lanes h, onward, before, here;
    load(&h, s->h);
    load(&onward, s->onward);
    load(&before, force + N * first - N);
    load(&here, force + N * first);
    for (size_t k = first; k < end; k++) {
        lanes after;
        load(&after, force + N * (k + 1));
        lanes sum = w->coupling.diagonal[k] * here +
                    (w->coupling.below[k] * before + w->coupling.above[k] * after);
        move_on(&h, &onward, w->fixed.rate[k], &sum, force + N * k, l->x + N * k, l->c + N * k,
                l->p + N * k);
        before = here;
        here = after;
    }
}

static void WIDE(forces_of)(const lzb_window *w, size_t first, size_t end, const double *restrict x,
                            double *restrict force)
{
    switch (w->fixed.kind) {
    case LZB_LINEAR:
        make_forces(LZB_LINEAR, w, first, end, x, force);
        return;
    case LZB_HERTZ:
        make_forces(LZB_HERTZ, w, first, end, x, force);
        return;
    case LZB_POWER:
        make_forces(LZB_POWER, w, first, end, x, force);
    }
}

/* The finest row goes in the first lane. */
static void WIDE(note_range)(size_t count, const double *restrict c, double *restrict low,
                             double *restrict high)
{
    for (size_t k = 0; k < count; k++) {
        double speed = c[k * LZB_ABREAST];
        low[k] = speed < low[k] ? speed : low[k];
        high[k] = speed > high[k] ? speed : high[k];
    }
}

static void WIDE(take_lane)(size_t count, const double *restrict from, double *restrict to)
{
    for (size_t k = 0; k < count; k++) {
        to[k] = from[k * LZB_ABREAST];
    }
}

/* That of all lanes; without a row a lane stands still. */
static void WIDE(begin_lanes)(const leapfrog *l, size_t first, size_t end)
{
    const lzb_window *w = l->w;
    lanes half;
    for (unsigned lane = 0; lane < LZB_ABREAST; lane++) {
        unsigned row = l->substeps[0].begins[lane];
        half[lane] = row < NO_ROW ? l->half[row] : 0;
    }
    for (size_t k = first; k < end; k++) {
        const lanes none = {0};
        lanes speed = none + w->trial.c0[k],
              depth = w->trial.x0[k] + half * w->fixed.rate[k] * w->trial.c0[k];
        store(&speed, l->c + k * LZB_ABREAST);
        store(&depth, l->x + k * LZB_ABREAST);
        store(&none, l->p + k * LZB_ABREAST);
    }
}
