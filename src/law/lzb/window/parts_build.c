/* Building a large window in parts: who is in it, and gathering their state. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/kernel/parts.h"

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

static crm_status reserve_abreast(lzb_window *w, crm_error *error)
{
    size_t room = 3 * (size_t)LZB_ABREAST * w->room;
    if (room <= w->abreast_room) {
        return CRM_OK;
    }
    free(w->abreast);
    w->abreast_room = 0;
    w->abreast = aligned_alloc(LZB_BLOCK * sizeof *w->abreast, room * sizeof *w->abreast);
    if (w->abreast == NULL) {
        return crm_fail_memory(error);
    }
    w->abreast_room = room;
    return CRM_OK;
}

crm_status lzb_parts_begin(lzb_window *w, crm_error *error)
{
    w->large = w->count >= LZB_LARGE && w->threads != NULL && w->product != LZB_OPERATOR;
    if (!w->large) {
        return CRM_OK;
    }
    w->team = crm_threads_team(w->threads);
    w->parts = parts_of(w->count);
    crm_status status = reserve_tallies(w, error);
    return status == CRM_OK ? reserve_abreast(w, error) : status;
}

/* ---- Who is in ------------------------------------------------------------------------------ */

typedef struct build {
    const lzb_state *state;
    lzb_window *w;
    size_t first, end; /* of the contacts to look at */
    uint32_t depth;
    bool whole; /* all contacts of the model as it is at the start of the impact */
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
        bool all_in = __atomic_load_n(&w->count, __ATOMIC_RELAXED) == b->state->contacts;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1] && !all_in; l++) {
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

/* More open contacts than one of so many, and a list without them is worth making. */
enum { FEW = 10 };

typedef struct gather_tally {
    lzb_gathered found;
    bool is_line;
    size_t open;    /* contacts that carry no force */
    size_t entries; /* at most, in its rows of D; then: where they begin */
    size_t reach;   /* how many parts away they look */
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
    lzb_part_forces(w, part, w->x0, w->f0); /* as in most windows of this model */
    for (size_t k = part.first; k < end; k++) {
        tally->entries += model->d_start[w->contact[k] + 1] - model->d_start[w->contact[k]];
        tally->open += w->rate[k] > 0 ? 0 : 1;
    }
}

static void line_part(void *context, size_t index)
{
    build *b = context;
    lzb_part part = lzb_part_at(b->w, index);
    gather_tally *tally = lzb_part_tally(b->w, index);
    tally->is_line = lzb_window_gather_line(b->state, b->w, part.first, lzb_part_end(b->w, part));
}

/* How many parts away rows of a part look. */
static size_t reach_of(const lzb_window *w, lzb_part part, size_t index)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        for (size_t l = w->rows.start[k]; l < w->rows.end[k]; l++) {
            uint32_t column = w->rows.column[l];
            least = column < least ? column : least;
            most = column > most ? column : most;
        }
    }
    size_t before = least / LZB_PART < index ? index - least / LZB_PART : 0;
    size_t after = most / LZB_PART > index ? most / LZB_PART - index : 0;
    return before > after ? before : after;
}

static void reach_part(void *context, size_t index)
{
    build *b = context;
    gather_tally *tally = lzb_part_tally(b->w, index);
    tally->reach = reach_of(b->w, lzb_part_at(b->w, index), index);
}

static void rows_part(void *context, size_t index)
{
    build *b = context;
    lzb_part part = lzb_part_at(b->w, index);
    const gather_tally *tally = lzb_part_tally(b->w, index);
    lzb_window_gather_rows(b->state, b->w, part.first, lzb_part_end(b->w, part), tally->entries);
    reach_part(context, index);
}

static void note_reach(lzb_window *w)
{
    w->reach = 0;
    for (size_t i = 0; i < w->parts; i++) {
        const gather_tally *tally = lzb_part_tally(w, i);
        w->reach = tally->reach > w->reach ? tally->reach : w->reach;
    }
}

/* Rows of D as a list. With all contacts in the window and nearly all of them pressed they are the
 * model's own: open contacts carry no force, and need not be left out.
 */
static crm_status gather_rows(build *b, size_t entries, crm_error *error)
{
    lzb_window *w = b->w;
    const crm_model *model = b->state->model;
    if (!b->whole) {
        crm_status status = lzb_window_reserve_rows(w, w->count, entries, error);
        if (status == CRM_OK) {
            lzb_parts_run(w, rows_part, b);
            note_reach(w);
        }
        return status;
    }
    w->rows = (lzb_rows){model->d_start, model->d_start + 1, model->d_column, model->d_value};
    if (w->model_reach == SIZE_MAX) {
        lzb_parts_run(w, reach_part, b);
        note_reach(w);
        w->model_reach = w->reach;
    }
    w->reach = w->model_reach;
    return CRM_OK;
}

crm_status lzb_parts_gather(const lzb_state *state, lzb_window *w, crm_error *error)
{
    bool whole = w->count == state->contacts && state->model == w->model, is_line = w->line;
    build b = {.state = state, .w = w, .whole = whole};
    w->kind = w->model_kind;
    w->product = LZB_SPARSE;
    lzb_parts_run(w, gather_part, &b);
    if (!whole || w->line) {
        lzb_parts_run(w, line_part, &b);
        is_line = true;
    }
    lzb_gathered found = {0};
    size_t entries = 0, open = 0;
    for (size_t i = 0; i < w->parts; i++) {
        gather_tally *tally = lzb_part_tally(w, i);
        found.edged |= tally->found.edged;
        found.shifted |= tally->found.shifted;
        found.not_linear |= tally->found.not_linear;
        found.not_hertz |= tally->found.not_hertz;
        is_line = is_line && tally->is_line;
        open += tally->open;
        size_t here = tally->entries;
        tally->entries = entries;
        entries += here;
    }
    lzb_window_note_gathered(w, found);
    b.whole = whole && open < w->count / FEW;
    w->product = is_line ? LZB_LINE : LZB_SPARSE;
    w->reach = 1;
    crm_status status = is_line ? CRM_OK : gather_rows(&b, entries, error);
    if (status != CRM_OK) {
        return status;
    }
    lzb_parts_accelerate(w, w->kind == w->model_kind ? NULL : w->x0, w->f0, w->a0);
    return CRM_OK;
}
