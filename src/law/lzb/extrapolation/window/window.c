#include "law/lzb/extrapolation/window/window.h"

#include <stdlib.h>

#include "law/lzb/extrapolation/window/partition.h"
#include "law/lzb/state/line.h"

enum { LEAST_LOOKAHEAD = 3 };
/* The lookahead shrinks after this many steps that did not need it. */
enum { STEPS_UNUSED = 16 };

/* ---- Begin and end -------------------------------------------------------------------------- */

static lzb_kind kind_of_model(const crm_model *model)
{
    lzb_kind kind = lzb_contact_kind(model->exponent[0]);
    for (size_t j = 1; j < model->contacts && kind != LZB_POWER; j++) {
        kind = lzb_contact_kind(model->exponent[j]) == kind ? kind : LZB_POWER;
    }
    return kind;
}

static crm_status take_room(const lzb_state *state, bool stored, lzb_window *w, crm_error *error)
{
    size_t s = state->contacts;
    w->contact = CRM_TAKE(state->pool, uint32_t, s);
    w->members.stamp = CRM_TAKE(state->pool, uint32_t, s);
    w->members.place = CRM_TAKE(state->pool, uint32_t, s);
    w->members.depth = CRM_TAKE(state->pool, uint32_t, s);
    w->search.working = CRM_TAKE(state->pool, uint32_t, s);
    w->coupling.spread = stored ? NULL : CRM_TAKE(state->pool, double, s);
    bool all = w->contact != NULL && w->members.stamp != NULL && w->members.place != NULL &&
               w->members.depth != NULL && w->search.working != NULL &&
               (stored || w->coupling.spread != NULL);
    return all ? CRM_OK : crm_fail_memory(error);
}

crm_status lzb_window_begin(const lzb_state *state, double ignored_speed, double cut_force,
                            crm_team_lazy *threads, lzb_window *w, crm_error *error)
{
    const crm_model *model = state->model;
    bool stored = crm_model_has_delassus(model);
    w->count = w->blocks = 0;
    w->members.now = 0;
    w->members.edged = w->members.any_committed = false;
    w->search = (lzb_search){.lookahead = LEAST_LOOKAHEAD,
                             .ignored_speed = ignored_speed,
                             .cut_force = cut_force,
                             .all = true};
    w->whole = (lzb_whole){.model = model,
                           .kind = kind_of_model(model),
                           .elastic = lzb_state_is_elastic(state),
                           .line = stored && lzb_line_fits(model),
                           .reach = SIZE_MAX};
    w->coupling.product = stored ? LZB_SPARSE : LZB_OPERATOR;
    w->coupling.drive = NULL;
    w->partition.threads = threads;
    w->partition.parts = 1;
    return take_room(state, stored, w, error);
}

void lzb_window_release(lzb_window *w)
{
    free(w->memory);
    free(w->members.edge);
    free(w->tableau.abreast);
    lzb_coupling_release(&w->coupling);
    lzb_partition_release(&w->partition);
}

/* ---- Building ------------------------------------------------------------------------------- */

crm_status lzb_window_build(const lzb_state *state, lzb_window *w, crm_error *error)
{
    lzb_members_find_working(state, w);
    if (w->search.working_count == 0) {
        w->count = 0;
        return CRM_OK;
    }
    lzb_members_spread(state, w);
    return lzb_gather(state, w, error);
}

void lzb_window_lower_ignored(lzb_window *w, double ignored_speed)
{
    w->search.ignored_speed = ignored_speed;
    w->search.all = true;
}

void lzb_window_include_open(lzb_window *w, bool with_open)
{
    w->search.with_open = with_open;
}

void lzb_window_widen(lzb_window *w, uint32_t lookahead)
{
    w->search.lookahead = lookahead;
}

void lzb_window_forget_model(lzb_window *w, bool line)
{
    w->whole.line = line;
    w->search.all = true;
}

/* ---- Its rims ------------------------------------------------------------------------------- */

static bool is_cut_off(lzb_window *w, size_t k)
{
    double limit =
        lzb_members_threshold(&w->search.for_force, w->fixed.exponent[k], w->search.cut_force);
    return !((w->trial.x[k] + w->fixed.offset[k]) * w->fixed.per_scale[k] > limit);
}

bool lzb_window_too_narrow(lzb_window *w)
{
    for (size_t k = 0; w->members.edged && k < w->count; k++) {
        if (w->members.edge[k] && !is_cut_off(w, k)) {
            return true;
        }
    }
    return false;
}

void lzb_window_narrow(lzb_window *w)
{
    lzb_search *search = &w->search;
    uint32_t reached = 0;
    for (size_t k = 0; search->lookahead > LEAST_LOOKAHEAD && w->members.edged && k < w->count;
         k++) {
        uint32_t depth = w->members.depth[w->contact[k]];
        reached = depth > reached && !is_cut_off(w, k) ? depth : reached;
    }
    search->unused = reached + 1 < search->lookahead ? search->unused + 1 : 0;
    if (search->unused >= STEPS_UNUSED && search->lookahead > LEAST_LOOKAHEAD) {
        search->lookahead--;
        search->unused = 0;
    }
}

void lzb_window_pass_on(lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    if (w->count == state->contacts) {
        return; /* all are in */
    }
    for (size_t k = 0; k < w->count; k++) {
        bool entered = w->fixed.rate[k] == 0; /* what lies behind it was not taken in */
        if (!(w->members.edge[k] || entered) || w->trial.p[k] == 0) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (!lzb_window_has(w, i)) {
                state->c[i] -= model->d_value[l] * w->trial.p[k];
                /* it may have begun to work unnoticed */
                w->search.all |= lzb_members_at_work(state, &w->search, i, &w->search.for_speed);
            }
        }
    }
}

/* x off by r x makes a swing of frequency w, w^2 = D x'/c dlambda/dx, in which c goes to
 * r x w / (x'/c).
 */
double lzb_window_rounding(const lzb_state *state, const lzb_window *w)
{
    double most = 0;
    for (size_t k = 0; k < w->count && state->per_mass != NULL; k++) {
        double depth = w->trial.x[k] + w->fixed.offset[k];
        double square = w->fixed.own[k] * w->fixed.back[k] * w->fixed.exponent[k] * w->trial.f[k];
        most = fmax(most, square * depth);
    }
    return most / (state->speed * state->speed);
}
