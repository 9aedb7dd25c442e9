/* Which contacts are in a window: those at work, and those they can set to work. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/elementary.h"
#include "base/width.h"
#include "law/lzb/extrapolation/window/partition.h"

/* ---- At work -------------------------------------------------------------------------------- */

double lzb_members_threshold(lzb_threshold *t, double power, double limit)
{
    if (t->power != power || t->limit != limit) {
        *t = (lzb_threshold){power, limit, crm_pow(limit, 1.0 / power)};
    }
    return t->ratio;
}

/* The energy E stored at x could open the contact at sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
bool lzb_members_at_work(const lzb_state *state, const lzb_search *search, size_t j,
                         lzb_threshold *for_speed)
{
    double power = 0.5 * (1.0 + state->model->exponent[j]);
    return state->c[j] > search->ignored_speed * state->speed ||
           lzb_state_depth(state, j) >
               state->x_scale[j] * lzb_members_threshold(for_speed, power, search->ignored_speed);
}

typedef struct seen {
    const lzb_state *state;
    lzb_window *w;
} seen;

/* Those of a part that are at work, listed where the part begins. */
typedef struct found_working {
    size_t first, count;
    lzb_search *search;
    lzb_threshold for_speed;
} found_working;

_Static_assert(sizeof(found_working) <= LZB_TALLY, "a tally has its size");

INLINE void find_working_part(void *context, lzb_part part, void *found)
{
    const seen *c = context;
    const lzb_window *w = c->w;
    lzb_search *search = &c->w->search;
    lzb_threshold for_speed = search->for_speed;
    size_t count = 0, end = lzb_part_end(w, part);
    for (size_t k = part.first; k < end; k++) {
        uint32_t j = w->contact[k];
        if (lzb_members_at_work(c->state, search, j, &for_speed)) {
            search->working[part.first + count++] = j;
        }
    }
    *(found_working *)found = (found_working){part.first, count, search, for_speed};
}

/* The lists of all parts are pushed together. */
static void join_working(void *total, const void *found)
{
    found_working *all = total;
    const found_working *more = found;
    uint32_t *working = more->search->working;
    if (all->count < more->first) {
        memmove(working + all->count, working + more->first, more->count * sizeof *working);
    }
    all->count += more->count;
    all->for_speed = more->for_speed;
}

static void find_working_among_all(const lzb_state *state, lzb_search *search)
{
    search->all = false;
    search->working_count = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        if (lzb_members_at_work(state, search, j, &search->for_speed)) {
            search->working[search->working_count++] = (uint32_t)j;
        }
    }
}

void lzb_members_find_working(const lzb_state *state, lzb_window *w)
{
    if (w->search.all) {
        find_working_among_all(state, &w->search);
        return;
    }
    seen context = {.state = state, .w = w};
    found_working found = {0};
    lzb_partition_do(w, find_working_part, join_working, &context, &found);
    w->search.working_count = found.count;
    w->search.for_speed = found.for_speed;
}

/* ---- What they can set to work -------------------------------------------------------------- */

static void sort_contacts(uint32_t *contact, size_t count)
{
    const size_t few = 64;
    if (count > few) {
        qsort(contact, count, sizeof *contact, crm_compare_uint32);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moving = contact[i];
        size_t k = i;
        for (; k > 0 && contact[k - 1] > moving; k--) {
            contact[k] = contact[k - 1];
        }
        contact[k] = moving;
    }
}

/* Those at work come first, in order. The few that were included beside them are sorted and merged.
 */
static void sort_members(lzb_window *w)
{
    const uint32_t *at_work = w->search.working;
    size_t working = w->search.working_count, others = w->count - working;
    sort_contacts(w->contact + working, others);
    for (size_t i = 0, k = 0; k < others;) {
        uint32_t next = w->contact[working + k]; /* never written over: i <= working */
        while (i < working && at_work[i] < next) {
            w->contact[i + k] = at_work[i];
            i++;
        }
        w->contact[i + k++] = next;
        if (k == others) {
            memcpy(w->contact + i + k, at_work + i, (working - i) * sizeof *w->contact);
        }
    }
}

static void take_in(lzb_window *w, uint32_t contact, uint32_t depth)
{
    w->members.stamp[contact] = w->members.now;
    w->members.depth[contact] = depth;
    w->contact[w->count++] = contact;
}

/* Breadth first over D's graph: through contacts that can carry a force, as deep as the lookahead.
 */
static void spread_out(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    const uint32_t *depth = w->members.depth;
    for (size_t k = 0; k < w->search.working_count; k++) {
        take_in(w, w->search.working[k], 0);
    }
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        if (!lzb_window_carries(state, w, j) || depth[j] >= w->search.lookahead) {
            continue;
        }
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (!lzb_window_has(w, i)) {
                take_in(w, i, depth[j] + 1);
            }
        }
    }
    sort_members(w);
}

/* The same on a line, where the contacts come out in order. */
static void spread_on_line(const lzb_state *state, lzb_window *w)
{
    uint32_t last = (uint32_t)state->contacts - 1, lookahead = w->search.lookahead;
    for (size_t k = 0; k < w->search.working_count; k++) {
        uint32_t j = w->search.working[k], before = j;
        uint32_t least = w->count > 0 ? w->contact[w->count - 1] + 1 : 0; /* not in yet */
        while (before > least && j - before < lookahead && lzb_window_carries(state, w, before)) {
            before--;
        }
        for (uint32_t i = before; i <= j; i++) {
            take_in(w, i, j - i);
        }
        uint32_t end = k + 1 < w->search.working_count ? w->search.working[k + 1] : last + 1;
        for (uint32_t i = j; i + 1 < end && i - j < lookahead && lzb_window_carries(state, w, i);
             i++) {
            take_in(w, i + 1, i + 1 - j);
        }
    }
}

static void take_in_all(const lzb_state *state, lzb_window *w)
{
    for (uint32_t j = 0; j < state->contacts; j++) {
        take_in(w, j, 0);
    }
}

/* ---- The same by several threads ------------------------------------------------------------ */

typedef struct front {
    const lzb_state *state;
    lzb_window *w;
    _Atomic uint32_t *stamp; /* that of the window */
    atomic_size_t count;     /* of contacts taken in */
    size_t first, end;       /* of those at the depth before */
    uint32_t depth;
} front;

static size_t parts_of(size_t count)
{
    return (count + LZB_PART - 1) / LZB_PART;
}

static void stamp_part(void *context, size_t index)
{
    front *f = context;
    lzb_window *w = f->w;
    size_t first = index * LZB_PART, end = first + LZB_PART;
    for (size_t k = first; k < end && k < f->end; k++) {
        uint32_t j = w->search.working[k];
        w->contact[k] = j;
        w->members.stamp[j] = w->members.now;
        w->members.depth[j] = 0;
    }
}

/* Is it this thread that includes the contact? */
static bool takes_in(front *f, uint32_t contact)
{
    uint32_t now = f->w->members.now;
    return atomic_load_explicit(&f->stamp[contact], memory_order_relaxed) != now &&
           atomic_exchange_explicit(&f->stamp[contact], now, memory_order_relaxed) != now;
}

/* All neighbours of the contacts at one depth. In what order they are found is chance, which they
 * are is not; they are sorted afterwards.
 */
static void spread_part(void *context, size_t index)
{
    front *f = context;
    lzb_window *w = f->w;
    const crm_model *model = f->state->model;
    size_t first = f->first + index * LZB_PART, end = first + LZB_PART;
    for (size_t k = first; k < end && k < f->end; k++) {
        uint32_t j = w->contact[k];
        if (!lzb_window_carries(f->state, w, j)) {
            continue;
        }
        bool all_in = atomic_load_explicit(&f->count, memory_order_relaxed) == f->state->contacts;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1] && !all_in; l++) {
            uint32_t i = model->d_column[l];
            if (takes_in(f, i)) {
                size_t at = atomic_fetch_add_explicit(&f->count, 1, memory_order_relaxed);
                w->contact[at] = i;
                w->members.depth[i] = f->depth;
            }
        }
    }
}

_Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "stamps may be shared as they are");

static void spread_in_parts(const lzb_state *state, lzb_window *w)
{
    front f = {.state = state,
               .w = w,
               .stamp = (_Atomic uint32_t *)w->members.stamp,
               .end = w->search.working_count};
    crm_team *team = w->partition.team;
    atomic_init(&f.count, f.end);
    crm_team_run(team, parts_of(f.end), stamp_part, &f);
    for (f.depth = 1; f.depth <= w->search.lookahead && f.first < f.end; f.depth++) {
        crm_team_run(team, parts_of(f.end - f.first), spread_part, &f);
        f.first = f.end;
        f.end = atomic_load(&f.count);
    }
    w->count = f.end;
    sort_members(w);
}

void lzb_members_spread(const lzb_state *state, lzb_window *w)
{
    bool many = lzb_partition_is_divided(w) && w->search.working_count >= LZB_LARGE;
    w->members.now++;
    w->count = 0;
    if (w->coupling.product == LZB_OPERATOR) {
        take_in_all(state, w);
    } else if (many) {
        spread_in_parts(state, w);
    } else {
        (w->whole.line ? spread_on_line : spread_out)(state, w);
    }
}
