/* The present state of the contacts of a window, gathered into its flat arrays. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/extrapolation/window/block.h"
#include "law/lzb/extrapolation/window/partition.h"

/* ---- Room ----------------------------------------------------------------------------------- */

/* Where the next whole block begins: vectors that cross the lines of the cache cost time. */
static double *align(double *memory)
{
    const uintptr_t block = LZB_BLOCK * sizeof *memory;
    uintptr_t past = (uintptr_t)memory % block;
    return past == 0 ? memory : memory + (block - past) / sizeof *memory;
}

/* One piece of memory for all arrays of numbers: growing it loses their contents, so room is made
 * before anything is gathered.
 */
static crm_status reserve(lzb_window *w, crm_error *error)
{
    w->blocks = (w->count + LZB_BLOCK - 1) / LZB_BLOCK;
    size_t room = w->blocks * LZB_BLOCK;
    if (room <= w->room) {
        return CRM_OK;
    }
    room += room / 2 / LZB_BLOCK * LZB_BLOCK;
    lzb_fixed *fixed = &w->fixed;
    lzb_trial *trial = &w->trial;
    lzb_coupling *d = &w->coupling;
    double **arrays[] = {&fixed->stiffness, &fixed->exponent,  &fixed->rate,       &fixed->offset,
                         &fixed->per_scale, &fixed->back,      &trial->x0,         &trial->c0,
                         &trial->x,         &trial->c,         &trial->p,          &trial->a0,
                         &trial->a,         &fixed->per_power, &trial->error,      &d->below,
                         &d->diagonal,      &d->above,         &trial->correction, &w->tableau.low,
                         &w->tableau.high,  &fixed->scale,     &fixed->own};
    size_t count = sizeof arrays / sizeof arrays[0];
    size_t bordered = room + 2 * (size_t)LZB_BLOCK; /* neighbours of the first and the last */
    size_t doubles = (count + 3 * (size_t)LZB_ROWS) * room + (LZB_ROWS + 2) * bordered;
    size_t packs = LZB_PACKED * (room + LZB_BLOCK); /* two blocks each */
    free(w->memory);
    free(w->members.edge);
    w->room = 0;
    w->memory = CRM_NEW(double, doubles + packs + LZB_BLOCK);
    w->members.edge = CRM_NEW(uint8_t, 2 * room);
    if (w->memory == NULL || w->members.edge == NULL) {
        return crm_fail_memory(error);
    }
    w->members.committed = w->members.edge + room;
    double *first = align(w->memory);
    w->tableau.force = first + LZB_BLOCK;
    trial->f0 = w->tableau.force + LZB_ROWS * bordered;
    trial->f = trial->f0 + bordered;
    w->tableau.bordered = bordered;
    double *next = first + (LZB_ROWS + 2) * bordered;
    for (size_t i = 0; i < count; i++, next += room) {
        *arrays[i] = next;
    }
    w->tableau.row = next;
    w->tableau.packs = next + 3 * (size_t)LZB_ROWS * room;
    w->room = room;
    return CRM_OK;
}

/* For the leapfrog of a window in parts. */
static crm_status reserve_abreast(lzb_window *w, crm_error *error)
{
    lzb_tableau *t = &w->tableau;
    size_t room = 3 * (size_t)LZB_ABREAST * w->room;
    if (!lzb_partition_is_divided(w) || room <= t->abreast_room) {
        return CRM_OK;
    }
    free(t->abreast);
    t->abreast_room = 0;
    t->abreast =
        crm_memory_allocate_aligned(LZB_BLOCK * sizeof *t->abreast, room, sizeof *t->abreast);
    if (t->abreast == NULL) {
        return crm_fail_memory(error);
    }
    t->abreast_room = room;
    return CRM_OK;
}

/* ---- Contact by contact --------------------------------------------------------------------- */

/* The window was cut behind a contact that could pass on a force. */
static bool is_edge(const lzb_state *state, const lzb_window *w, uint32_t j)
{
    if (w->coupling.drive != NULL || w->coupling.product == LZB_OPERATOR ||
        !lzb_window_carries(state, w, j)) {
        return false;
    }
    return w->whole.line ? (j > 0 && !lzb_window_has(w, j - 1)) ||
                               (j + 1 < state->contacts && !lzb_window_has(w, j + 1))
                         : w->members.depth[j] == w->search.lookahead;
}

typedef struct source {
    const lzb_state *state;
    lzb_window *w;
} source;

/* What gathering finds out about contacts. */
typedef struct gathered {
    bool edged, shifted, not_linear, not_hertz;
    size_t open; /* contacts that carry no force */
} gathered;

_Static_assert(sizeof(gathered) <= LZB_TALLY, "a tally has its size");

INLINE void gather_part(void *context, lzb_part part, void *found)
{
    const source *from = context;
    const lzb_state *state = from->state;
    const crm_model *model = state->model;
    lzb_window *w = from->w;
    const lzb_fixed fixed = w->fixed; /* bytes may be written to anything */
    bool linear = true, hertz = true, shifted = false, edged = false, whole = w->search.with_open;
    size_t open = 0;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        uint32_t j = w->contact[k];
        w->members.place[j] = (uint32_t)k;
        fixed.stiffness[k] = model->stiffness[j];
        fixed.exponent[k] = model->exponent[j];
        fixed.rate[k] = lzb_state_rate(state, j, (lzb_mode)state->mode[j]);
        fixed.back[k] = fixed.rate[k] > 0 ? 1.0 / fixed.rate[k] : 0;
        fixed.per_power[k] = 1.0 / (1.0 + fixed.exponent[k]);
        fixed.offset[k] = whole ? 0 : state->x_open[j];
        fixed.scale[k] = state->x_scale[j];
        fixed.per_scale[k] = 1.0 / fixed.scale[k];
        fixed.own[k] = model->d_diagonal[j];
        w->trial.x0[k] = whole ? lzb_state_depth(state, j) : state->x[j];
        w->trial.c0[k] = state->c[j];
        w->members.edge[k] = is_edge(state, w, j);
        w->members.committed[k] = false;
        edged |= w->members.edge[k];
        shifted |= fixed.offset[k] > 0;
        linear &= lzb_contact_kind(fixed.exponent[k]) == LZB_LINEAR;
        hertz &= lzb_contact_kind(fixed.exponent[k]) == LZB_HERTZ;
        open += fixed.rate[k] > 0 ? 0 : 1;
    }
    *(gathered *)found = (gathered){edged, shifted, !linear, !hertz, open};
}

static void join_gathered(void *total, const void *found)
{
    gathered *all = total;
    const gathered *more = found;
    all->edged |= more->edged;
    all->shifted |= more->shifted;
    all->not_linear |= more->not_linear;
    all->not_hertz |= more->not_hertz;
    all->open += more->open;
}

/* Returns how many carry no force. */
static size_t gather_contacts(const lzb_state *state, lzb_window *w)
{
    source from = {.state = state, .w = w};
    gathered found = {0};
    lzb_partition_do(w, gather_part, join_gathered, &from, &found);
    w->members.edged = found.edged;
    w->fixed.kind = found.shifted       ? LZB_POWER
                    : !found.not_linear ? LZB_LINEAR
                    : !found.not_hertz  ? LZB_HERTZ
                                        : LZB_POWER;
    w->fixed.hertz = found.shifted && !found.not_hertz;
    return found.open;
}

#define LOOPS "law/lzb/extrapolation/window/gather_loops.h"
#include "base/loops.h"
LOOP(gather_piece);

void lzb_gather_borders(lzb_window *w)
{
    for (unsigned i = 0; i < LZB_ROWS + 2; i++) { /* force, f0 and f */
        double *force = w->tableau.force + i * w->tableau.bordered;
        force[-1] = force[w->blocks * LZB_BLOCK] = 0;
    }
}

/* The padding: contacts that carry nothing and go nowhere. */
static void gather_nothing(lzb_window *w)
{
    lzb_fixed *fixed = &w->fixed;
    lzb_trial *trial = &w->trial;
    lzb_coupling *d = &w->coupling;
    lzb_gather_borders(w);
    for (size_t k = w->count; k < w->blocks * LZB_BLOCK; k++) {
        fixed->stiffness[k] = fixed->rate[k] = fixed->offset[k] = fixed->per_scale[k] = 0;
        fixed->exponent[k] = fixed->back[k] = fixed->per_power[k] = 0;
        fixed->scale[k] = fixed->own[k] = 1;
        trial->x0[k] = trial->c0[k] = trial->x[k] = trial->c[k] = trial->p[k] = 0;
        trial->correction[k] = 0;
        d->below[k] = d->diagonal[k] = d->above[k] = 0;
        w->members.committed[k] = false;
    }
}

crm_status lzb_gather(const lzb_state *state, lzb_window *w, crm_error *error)
{
    w->width = state->width;
    crm_status status = reserve(w, error);
    if (status == CRM_OK) {
        status = lzb_partition_begin(w, error);
    }
    if (status == CRM_OK) {
        status = reserve_abreast(w, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    w->members.edged = w->members.any_committed = false;
    gather_nothing(w);
    if (lzb_window_is_piece(w) && !lzb_partition_is_divided(w)) {
        gather_piece[w->width](state, w);
        lzb_coupling_gather_piece(state, w);
        return CRM_OK;
    }
    size_t open = gather_contacts(state, w);
    return lzb_coupling_gather(state, w, open, error);
}
