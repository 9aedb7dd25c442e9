/* Building a large window in parts: who is in it, and gathering their state. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb_parts.h"

/* ---- Making ready --------------------------------------------------------------------------- */

static size_t parts_of(size_t count)
{
    return (count + LZB_PART - 1) / LZB_PART;
}

static crm_status reserve_tallies(lzb_window *w, crm_error *error)
{
    if (w->parts <= w->tally_room) {
        return CRM_OK;
    }
    size_t room = w->parts + w->parts / 2;
    free(w->tally);
    w->tally_room = 0;
    w->tally = aligned_alloc(LZB_TALLY, room * LZB_TALLY);
    if (w->tally == NULL) {
        return crm_fail_memory(error);
    }
    w->tally_room = room;
    return CRM_OK;
}

/* The neighbours of the first and the last carry nothing, as in w->force. */
static void clear_borders(lzb_window *w)
{
    size_t width = w->blocks * LZB_BLOCK;
    for (unsigned row = 0; row < LZB_ROWS; row++) {
        double *force = w->other_force + row * w->bordered;
        force[-1] = 0;
        memset(force + w->count, 0, (width + 1 - w->count) * sizeof *force);
    }
}

static crm_status reserve_forces(lzb_window *w, crm_error *error)
{
    size_t room = LZB_ROWS * w->bordered;
    if (room > w->other_room) {
        free(w->other_memory);
        w->other_room = 0;
        w->other_memory = CRM_NEW(double, room);
        if (w->other_memory == NULL) {
            return crm_fail_memory(error);
        }
        w->other_room = room;
    }
    w->other_force = w->other_memory + LZB_BLOCK;
    clear_borders(w);
    return CRM_OK;
}

crm_status lzb_parts_begin(lzb_window *w, crm_error *error)
{
    w->large = w->count >= LZB_LARGE && w->workspace != NULL && w->product != LZB_OPERATOR;
    if (!w->large) {
        return CRM_OK;
    }
    w->team = crm_workspace_team(w->workspace);
    w->parts = parts_of(w->count);
    crm_status status = reserve_tallies(w, error);
    return status == CRM_OK ? reserve_forces(w, error) : status;
}

/* ---- Who is in ------------------------------------------------------------------------------ */

typedef struct build {
    const lzb_state *state;
    lzb_window *w;
    size_t first, end; /* of the contacts to look at */
    uint32_t depth;
} build;

typedef struct working_tally {
    size_t count;
} working_tally;

/* Those found are listed where the part begins; then the lists are pushed together. */
static void working_part(void *context, size_t index)
{
    build *b = context;
    lzb_window *w = b->w;
    lzb_threshold is_quiet = {0};
    size_t first = index * LZB_PART, end = first + LZB_PART, found = first;
    for (size_t k = first; k < end && k < b->end; k++) {
        if (lzb_window_at_work(b->state, w, w->contact[k], &is_quiet)) {
            w->working[found++] = w->contact[k];
        }
    }
    working_tally *tally = lzb_part_tally(w, index);
    tally->count = found - first;
}

void lzb_parts_find_working(const lzb_state *state, lzb_window *w)
{
    build b = {.state = state, .w = w, .end = w->count};
    size_t parts = parts_of(w->count);
    crm_team_run(w->team, parts, working_part, &b);
    w->working_count = 0;
    for (size_t i = 0; i < parts; i++) {
        const working_tally *tally = lzb_part_tally(w, i);
        if (w->working_count < i * LZB_PART) {
            memmove(w->working + w->working_count, w->working + i * LZB_PART,
                    tally->count * sizeof *w->working);
        }
        w->working_count += tally->count;
    }
}

static void stamp_part(void *context, size_t index)
{
    build *b = context;
    lzb_window *w = b->w;
    size_t first = index * LZB_PART, end = first + LZB_PART;
    for (size_t k = first; k < end && k < b->end; k++) {
        uint32_t j = w->working[k];
        w->contact[k] = j;
        w->stamp[j] = w->now;
        w->depth[j] = 0;
    }
}

/* Is it this thread that takes the contact in? */
static bool takes_in(lzb_window *w, uint32_t contact)
{
    return __atomic_load_n(&w->stamp[contact], __ATOMIC_RELAXED) != w->now &&
           __atomic_exchange_n(&w->stamp[contact], w->now, __ATOMIC_RELAXED) != w->now;
}

/* All neighbours of the contacts at one depth. In what order they are found is chance, which they
 * are is not; they are sorted afterwards.
 */
static void spread_part(void *context, size_t index)
{
    build *b = context;
    lzb_window *w = b->w;
    const crm_model *model = b->state->model;
    size_t first = b->first + index * LZB_PART, end = first + LZB_PART;
    for (size_t k = first; k < end && k < b->end; k++) {
        uint32_t j = w->contact[k];
        if (b->state->mode[j] == LZB_OPEN && !w->through) {
            continue;
        }
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (takes_in(w, i)) {
                w->contact[__atomic_fetch_add(&w->count, 1, __ATOMIC_RELAXED)] = i;
                w->depth[i] = b->depth;
            }
        }
    }
}

void lzb_parts_spread_out(const lzb_state *state, lzb_window *w)
{
    build b = {.state = state, .w = w, .end = w->working_count};
    w->now++;
    crm_team_run(w->team, parts_of(b.end), stamp_part, &b);
    w->count = w->working_count;
    for (b.depth = 1; b.depth <= w->halo && b.first < b.end; b.depth++) {
        crm_team_run(w->team, parts_of(b.end - b.first), spread_part, &b);
        b.first = b.end;
        b.end = w->count;
    }
    lzb_window_sort(w);
}

/* ---- Gathering ------------------------------------------------------------------------------ */

typedef struct gather_tally {
    lzb_gathered found;
    bool is_line;
    size_t entries; /* at most, in its rows of D; then: where they begin */
} gather_tally;

_Static_assert(sizeof(gather_tally) <= LZB_TALLY, "a tally has its size");

static void gather_part(void *context, size_t index)
{
    build *b = context;
    lzb_window *w = b->w;
    const crm_model *model = b->state->model;
    lzb_part part = lzb_part_at(w, index);
    gather_tally *tally = lzb_part_tally(w, index);
    *tally = (gather_tally){0};
    size_t end = lzb_part_end(w, part);
    lzb_window_gather_places(b->state, w, part.first, end, &tally->found);
    for (size_t k = part.first; k < end; k++) {
        tally->entries += model->d_start[w->contact[k] + 1] - model->d_start[w->contact[k]];
    }
}

static void line_part(void *context, size_t index)
{
    build *b = context;
    lzb_part part = lzb_part_at(b->w, index);
    gather_tally *tally = lzb_part_tally(b->w, index);
    tally->is_line = lzb_window_gather_line(b->state, b->w, part.first, lzb_part_end(b->w, part));
}

static void rows_part(void *context, size_t index)
{
    build *b = context;
    lzb_part part = lzb_part_at(b->w, index);
    const gather_tally *tally = lzb_part_tally(b->w, index);
    lzb_window_gather_rows(b->state, b->w, part.first, lzb_part_end(b->w, part), tally->entries);
}

crm_status lzb_parts_gather(const lzb_state *state, lzb_window *w, crm_error *error)
{
    build b = {.state = state, .w = w};
    lzb_parts_run(w, gather_part, &b);
    lzb_parts_run(w, line_part, &b);
    lzb_gathered found = {0};
    bool is_line = true;
    size_t entries = 0;
    for (size_t i = 0; i < w->parts; i++) {
        gather_tally *tally = lzb_part_tally(w, i);
        found.edged |= tally->found.edged;
        found.shifted |= tally->found.shifted;
        found.not_linear |= tally->found.not_linear;
        found.not_hertz |= tally->found.not_hertz;
        is_line &= tally->is_line;
        size_t here = tally->entries;
        tally->entries = entries;
        entries += here;
    }
    lzb_window_note_gathered(w, found);
    w->product = is_line ? LZB_LINE : LZB_SPARSE;
    if (!is_line) {
        crm_status status = lzb_window_reserve_rows(w, w->count, entries, error);
        if (status != CRM_OK) {
            return status;
        }
        lzb_parts_run(w, rows_part, &b);
    }
    lzb_parts_accelerate(w, w->x0, w->f0, w->a0);
    return CRM_OK;
}
