/* Factoring: the columns of one front after the other are eliminated, or of many at once. */
#include <math.h>

#include "lcp/factor/fronts/inner.h"

/* Columns that are eliminated together; numbers that are multiplied without a look. */
enum { PANEL = 64, MOST_PRODUCTS = 1 << 25 };
/* A front with more products than this is eliminated by all threads. */
static const double WORTH_SHARING = 2e6;

/* ---- Eliminating a front's columns, by one thread or by all ---------------------------------- */

typedef struct elimination {
    crm_lcp_fronts *fronts;
    const crm_lcp_front_view *w;
    size_t begin, end; /* columns of the panel in hand */
} elimination;

/* Rows of the own block below a panel's corner. */
static void divide_own(void *context, size_t part)
{
    const elimination *e = context;
    const crm_lcp_front_layout *p = e->w->place;
    size_t t = crm_lcp_tiles(e->end) + part;
    if (!crm_lcp_fronts_are_interrupted(e->fronts, e->w,
                                        (e->end - e->begin) * e->end * CRM_LCP_TILE)) {
        e->fronts->kernels->divide(p->columns, e->begin, e->end, e->w->block,
                                   e->fronts->inverse + p->pivot, 1,
                                   e->w->block + t * CRM_LCP_TILE * p->columns);
    }
}

static void divide_rows(void *context, size_t t)
{
    const elimination *e = context;
    const crm_lcp_front_layout *p = e->w->place;
    size_t tile = CRM_LCP_TILE * p->columns;
    if (!crm_lcp_fronts_are_interrupted(e->fronts, e->w, tile * p->columns)) {
        e->fronts->kernels->divide(p->columns, 0, p->columns, e->w->block,
                                   e->fronts->inverse + p->pivot, 1, e->w->rows + t * tile);
    }
}

/* The longest rows first. */
static void update_left(void *context, size_t part)
{
    const elimination *e = context;
    const crm_lcp_front_layout *p = e->w->place;
    size_t t = p->below - 1 - part, products = CRM_LCP_TILE * CRM_LCP_TILE * p->columns;
    size_t step = MOST_PRODUCTS / products + 1;
    for (size_t u = 0; u <= t; u += step) {
        size_t end = u + step <= t ? u + step : t + 1;
        if (crm_lcp_fronts_are_interrupted(e->fronts, e->w, products * (end - u))) {
            return;
        }
        e->fronts->kernels->update(p->columns, e->w->rows, t, u, end, e->w->left);
    }
}

/* L L' of a front's own columns, panel by panel: the corner, then what is below it. */
static bool factor_own(elimination *e, crm_team *team)
{
    const crm_lcp_front_layout *p = e->w->place;
    for (e->begin = 0; e->begin < p->columns; e->begin = e->end) {
        e->end = e->begin + PANEL < p->columns ? e->begin + PANEL : p->columns;
        if (!e->fronts->kernels->factor(p->columns, e->begin, e->end, e->w->block,
                                        e->fronts->pivot + p->pivot,
                                        e->fronts->inverse + p->pivot)) {
            return false;
        }
        crm_team_run(team, p->diagonal - crm_lcp_tiles(e->end), divide_own, e);
    }
    return true;
}

static bool eliminate(crm_lcp_fronts *fronts, const crm_lcp_front_view *w, crm_team *team)
{
    elimination e = {.fronts = fronts, .w = w};
    if (!factor_own(&e, team)) {
        return false;
    }
    crm_team_run(team, w->place->below, divide_rows, &e);
    crm_team_run(team, w->place->below, update_left, &e);
    return !atomic_load_explicit(&fronts->ended, memory_order_relaxed);
}

/* ---- Factoring ------------------------------------------------------------------------------- */

typedef struct factoring {
    crm_lcp_fronts *fronts;
    const bool *active;
    const double *diagonal;
} factoring;

/* false: interrupted, or broken down. */
static bool factor_front(const factoring *y, const crm_lcp_scratch *scratch, size_t f,
                         crm_team *team)
{
    crm_lcp_front_view w = crm_lcp_fronts_view(y->fronts, f);
    bool shared = crm_lcp_front_work(w.front) >= WORTH_SHARING;
    return crm_lcp_front_assemble(y->fronts, scratch, &w, y->active, y->diagonal) &&
           eliminate(y->fronts, &w, shared ? team : NULL) && crm_lcp_front_move_down(y->fronts, &w);
}

static void factor_branch(void *context, size_t part)
{
    const factoring *y = context;
    const crm_lcp_branch *branch = &y->fronts->branches.branch[part];
    crm_lcp_scratch *scratch = crm_lcp_fronts_take_scratch(y->fronts);
    for (size_t f = branch->first; f < branch->end; f++) {
        if (!factor_front(y, scratch, f, NULL)) {
            atomic_store_explicit(&y->fronts->ended, true, memory_order_relaxed);
            break;
        }
    }
    crm_lcp_fronts_return_scratch(scratch);
}

static bool factor_above(const factoring *y, crm_team *team)
{
    const crm_lcp_branches *b = &y->fronts->branches;
    for (size_t k = 0; k < b->above_count; k++) {
        if (!factor_front(y, &y->fronts->scratch[0], b->above[k], team)) {
            return false;
        }
    }
    return true;
}

static double smallest_pivot(const crm_lcp_fronts *fronts, const bool *active)
{
    double smallest = 1.0;
    for (size_t f = 0; f < fronts->tree.count; f++) {
        const crm_lcp_front *front = &fronts->tree.front[f];
        const double *pivot = fronts->pivot + fronts->place[f].pivot;
        for (size_t k = 0; k < front->columns; k++) {
            size_t contact = front->first + k;
            if (active[contact]) {
                smallest = fmin(smallest, pivot[k] / fronts->matrix->diagonal[contact]);
            }
        }
    }
    return smallest;
}

double crm_lcp_fronts_factor(crm_lcp_fronts *fronts, const bool *active, const double *diagonal)
{
    factoring y = {.fronts = fronts, .active = active, .diagonal = diagonal};
    crm_team *team = crm_lcp_fronts_team(fronts);
    fronts->caller = pthread_self();
    atomic_store(&fronts->ended, false);
    crm_team_run(team, fronts->branches.count, factor_branch, &y);
    if (atomic_load(&fronts->ended) || !factor_above(&y, team)) {
        return 0.0;
    }
    return smallest_pivot(fronts, active);
}
