/* Solving with the factor: up the tree, and down again. */
#include <string.h>

#include "lcp/factor/fronts/inner.h"

/* A front with more entries than this is divided among all threads; tiles of rows, or columns,
 * that one of them takes at a time.
 */
enum { WORTH_SHARING = 1 << 16, TILES = 8, COLUMNS = 64 };

typedef struct solving {
    crm_lcp_fronts *fronts;
    double *x;
    crm_team *team; /* NULL: for branches, each of which has one thread */
    bool down;      /* the direction in which branches are visited: up first, then down */
} solving;

/* One front, of which parts are done at the same time. */
typedef struct passage {
    const crm_lcp_fronts *fronts;
    const crm_lcp_scratch *scratch;
    const crm_lcp_front_view *w;
} passage;

static crm_team *helpers(const solving *s, const crm_lcp_front_layout *p)
{
    return crm_lcp_front_layout_entries(p) > WORTH_SHARING ? s->team : NULL;
}

static void apply_part(void *context, size_t part)
{
    const passage *y = context;
    const crm_lcp_front_layout *p = y->w->place;
    size_t begin = part * TILES, end = begin + TILES < p->below ? begin + TILES : p->below;
    y->fronts->kernels->apply(p->columns, y->w->rows + begin * CRM_LCP_TILE * p->columns,
                              end - begin, y->scratch->x, y->scratch->y + CRM_LCP_TILE * begin);
}

static void apply_transposed_part(void *context, size_t part)
{
    const passage *y = context;
    const crm_lcp_front_layout *p = y->w->place;
    size_t begin = part * COLUMNS,
           end = begin + COLUMNS < p->columns ? begin + COLUMNS : p->columns;
    y->fronts->kernels->apply_transposed(p->columns, begin, end, y->w->rows, p->below,
                                         y->scratch->y, y->scratch->x, y->scratch->sums);
}

/* y = X x */
static void apply(const solving *s, const crm_lcp_scratch *scratch, const crm_lcp_front_view *w)
{
    const crm_lcp_front_layout *p = w->place;
    crm_team *team = helpers(s, p);
    passage y = {s->fronts, scratch, w};
    if (team != NULL) {
        crm_team_run(team, (p->below + TILES - 1) / TILES, apply_part, &y);
    } else {
        s->fronts->kernels->apply(p->columns, w->rows, p->below, scratch->x, scratch->y);
    }
}

/* x = x - X' y */
static void apply_transposed(const solving *s, const crm_lcp_scratch *scratch,
                             const crm_lcp_front_view *w)
{
    const crm_lcp_front_layout *p = w->place;
    crm_team *team = helpers(s, p);
    passage y = {s->fronts, scratch, w};
    if (team != NULL) {
        crm_team_run(team, (p->columns + COLUMNS - 1) / COLUMNS, apply_transposed_part, &y);
    } else {
        s->fronts->kernels->apply_transposed(p->columns, 0, p->columns, w->rows, p->below,
                                             scratch->y, scratch->x, scratch->sums);
    }
}

/* A front's own part of x, padded. */
static void take_own(const crm_lcp_scratch *scratch, const crm_lcp_front_view *w, const double *x)
{
    size_t padded = CRM_LCP_TILE * w->place->diagonal;
    memcpy(scratch->x, x + w->front->first, w->front->columns * sizeof(double));
    memset(scratch->x + w->front->columns, 0, (padded - w->front->columns) * sizeof(double));
}

/* What a front takes from x further up. Other branches take from the same contacts, so that of what
 * is above the branch an account is kept.
 */
static void pass_up(const crm_lcp_fronts *fronts, const crm_lcp_scratch *scratch,
                    const crm_lcp_front_view *w, double *x)
{
    const crm_lcp_front_layout *p = w->place;
    const uint32_t *outer = fronts->outer + p->outer;
    for (size_t i = 0; i < p->inside; i++) {
        x[w->row[i]] -= scratch->y[i];
    }
    for (size_t i = p->inside; i < w->front->rows; i++) {
        fronts->spill[outer[i - p->inside]] -= scratch->y[i];
    }
}

/* This and the next: false: interrupted. */
static bool go_up(const solving *s, const crm_lcp_scratch *scratch, size_t f)
{
    crm_lcp_fronts *fronts = s->fronts;
    crm_lcp_front_view w = crm_lcp_fronts_view(fronts, f);
    const crm_lcp_front_layout *p = w.place;
    if (crm_lcp_fronts_are_interrupted(fronts, &w, crm_lcp_front_layout_entries(p))) {
        return false;
    }
    take_own(scratch, &w, s->x);
    fronts->kernels->forward(p->columns, w.block, fronts->inverse + p->pivot, scratch->x);
    memcpy(s->x + w.front->first, scratch->x, w.front->columns * sizeof(double));
    apply(s, scratch, &w);
    pass_up(fronts, scratch, &w, s->x);
    return true;
}

static bool go_down(const solving *s, const crm_lcp_scratch *scratch, size_t f)
{
    crm_lcp_fronts *fronts = s->fronts;
    crm_lcp_front_view w = crm_lcp_fronts_view(fronts, f);
    const crm_lcp_front_layout *p = w.place;
    if (crm_lcp_fronts_are_interrupted(fronts, &w, crm_lcp_front_layout_entries(p))) {
        return false;
    }
    take_own(scratch, &w, s->x);
    memset(scratch->y, 0, CRM_LCP_TILE * p->below * sizeof(double));
    for (size_t i = 0; i < w.front->rows; i++) {
        scratch->y[i] = s->x[w.row[i]];
    }
    apply_transposed(s, scratch, &w);
    fronts->kernels->backward(p->columns, w.block, fronts->inverse + p->pivot, scratch->x);
    memcpy(s->x + w.front->first, scratch->x, w.front->columns * sizeof(double));
    return true;
}

static void go_through_branch(void *context, size_t part)
{
    const solving *s = context;
    const crm_lcp_branch *branch = &s->fronts->branches.branch[part];
    crm_lcp_scratch *scratch = crm_lcp_fronts_take_scratch(s->fronts);
    size_t count = branch->end - branch->first;
    bool goes_on = true;
    for (size_t k = 0; k < count && goes_on; k++) {
        goes_on = s->down ? go_down(s, scratch, branch->end - 1 - k)
                          : go_up(s, scratch, branch->first + k);
    }
    crm_lcp_fronts_return_scratch(scratch);
}

/* What the branches take from x above them, branch by branch. */
static void apply_spill(const crm_lcp_fronts *fronts, double *x)
{
    const crm_lcp_branches *b = &fronts->branches;
    for (size_t i = 0; i < b->count; i++) {
        const crm_lcp_front *root = &fronts->tree.front[b->branch[i].end - 1];
        const uint32_t *row = fronts->tree.row + root->row_start;
        for (size_t k = 0; k < root->rows; k++) {
            x[row[k]] += fronts->spill[b->branch[i].rows + k];
        }
    }
}

static void solve_above(const solving *s)
{
    const crm_lcp_branches *b = &s->fronts->branches;
    const crm_lcp_scratch *scratch = &s->fronts->scratch[0];
    for (size_t k = 0; k < b->above_count; k++) {
        if (!go_up(s, scratch, b->above[k])) {
            return;
        }
    }
    for (size_t k = b->above_count; k-- > 0;) {
        if (!go_down(s, scratch, b->above[k])) {
            return;
        }
    }
}

void crm_lcp_fronts_solve(crm_lcp_fronts *fronts, double *x)
{
    solving s = {.fronts = fronts, .x = x};
    crm_team *team = crm_lcp_fronts_team(fronts);
    const solving above = {.fronts = fronts, .x = x, .team = team};
    size_t count = fronts->branches.count;
    fronts->caller = pthread_self();
    atomic_store(&fronts->ended, false);
    memset(fronts->spill, 0, fronts->branches.rows * sizeof(double));
    crm_team_run(team, count, go_through_branch, &s);
    apply_spill(fronts, x);
    solve_above(&above);
    s.down = true;
    crm_team_run(team, count, go_through_branch, &s);
}
