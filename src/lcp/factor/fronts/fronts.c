/* The multifrontal method (I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983)).
 *
 * A front is the part of the matrix that its columns touch. It is put together from the matrix's
 * own entries and from what its children leave; its columns are eliminated; what is left of its
 * rows waits on a stack for the parent. All of it is full blocks (tile.h).
 *
 * Branches of a large tree are done by several threads at once, each with a stack of its own, then
 * the fronts above them one after the other, each by all threads. Every number is the same for any
 * number of threads.
 */
#include "lcp/factor/fronts/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/factor/fronts/inner.h"

/* Columns that are eliminated together; numbers that are multiplied without a look. */
enum { PANEL = 64, MOST_PRODUCTS = 1 << 25 };
/* A front with more products than this is eliminated by all threads. */
static const double WORTH_SHARING = 2e6;

/* ---- Where everything is --------------------------------------------------------------------- */

typedef struct needs {
    size_t values, pivots, stack, outer;
} needs;

static void lay_out_front(crm_lcp_fronts *fronts, size_t f, needs *n)
{
    const crm_lcp_front *front = &fronts->tree.front[f];
    crm_lcp_place *p = &fronts->place[f];
    size_t groups = (front->columns + CRM_LCP_GROUP - 1) / CRM_LCP_GROUP;
    p->columns = groups * CRM_LCP_GROUP;
    p->diagonal = crm_lcp_tiles(front->columns);
    p->below = crm_lcp_tiles(front->rows);
    p->inside = front->rows;
    p->value = n->values;
    p->pivot = n->pivots;
    n->values += crm_lcp_place_entries(p);
    n->pivots += p->columns;
    fronts->most_columns = p->columns > fronts->most_columns ? p->columns : fronts->most_columns;
    fronts->most_rows = p->below > fronts->most_rows ? p->below : fronts->most_rows;
}

/* The first child that is done by the same stack. */
static uint32_t first_child(const crm_lcp_fronts *fronts, size_t f)
{
    const uint32_t *of = fronts->branches.of;
    uint32_t child = fronts->tree.front[f].child;
    while (child != CRM_LCP_NO_FRONT && of[child] != of[f]) {
        child = fronts->tree.front[child].sibling;
    }
    return child;
}

/* On a stack that reaches to *top. What is left is made on top of what the children left, then
 * moved down over it.
 */
static void lay_on_stack(crm_lcp_fronts *fronts, size_t f, size_t *top, size_t *highest)
{
    crm_lcp_place *p = &fronts->place[f];
    uint32_t child = first_child(fronts, f);
    size_t size = crm_lcp_left_size(p->below);
    p->made = *top;
    p->left = child != CRM_LCP_NO_FRONT ? fronts->place[child].left : *top;
    *highest = p->made + size > *highest ? p->made + size : *highest;
    *top = p->left + size;
}

/* How many rows of a branch's front are contacts of the branch. */
static uint32_t count_inside(const crm_lcp_fronts *fronts, size_t f, const crm_lcp_front *root)
{
    const uint32_t *row = fronts->tree.row + fronts->tree.front[f].row_start;
    uint32_t inside = fronts->tree.front[f].rows;
    while (inside > 0 && row[inside - 1] >= root->first + root->columns) {
        inside--;
    }
    return inside;
}

static needs lay_out(crm_lcp_fronts *fronts)
{
    const crm_lcp_branches *b = &fronts->branches;
    needs n = {0};
    for (size_t f = 0; f < fronts->tree.count; f++) {
        lay_out_front(fronts, f, &n);
    }
    for (size_t i = 0; i < b->count; i++) {
        size_t top = n.stack;
        for (size_t f = b->branch[i].first; f < b->branch[i].end; f++) {
            crm_lcp_place *p = &fronts->place[f];
            lay_on_stack(fronts, f, &top, &n.stack);
            p->inside = count_inside(fronts, f, &fronts->tree.front[b->branch[i].end - 1]);
            p->outer = n.outer;
            n.outer += fronts->tree.front[f].rows - p->inside;
        }
    }
    size_t top = n.stack;
    for (size_t k = 0; k < b->above_count; k++) {
        lay_on_stack(fronts, b->above[k], &top, &n.stack);
    }
    return n;
}

static void number_outer_rows(crm_lcp_fronts *fronts)
{
    const crm_lcp_branches *b = &fronts->branches;
    uint32_t *position = fronts->hand[0].position;
    for (size_t i = 0; i < b->count; i++) {
        const crm_lcp_front *root = &fronts->tree.front[b->branch[i].end - 1];
        for (size_t k = 0; k < root->rows; k++) {
            position[fronts->tree.row[root->row_start + k]] = (uint32_t)(b->branch[i].rows + k);
        }
        for (size_t f = b->branch[i].first; f < b->branch[i].end; f++) {
            const crm_lcp_front *front = &fronts->tree.front[f];
            const crm_lcp_place *p = &fronts->place[f];
            for (size_t k = p->inside; k < front->rows; k++) {
                uint32_t row = fronts->tree.row[front->row_start + k];
                fronts->outer[p->outer + k - p->inside] = position[row];
            }
        }
    }
}

/* ---- Life ---------------------------------------------------------------------------------- */

static void free_hand(crm_lcp_hand *hand)
{
    free(hand->position);
    free(hand->at);
    free(hand->x);
    free(hand->y);
    free(hand->sums);
}

static bool make_hand(const crm_lcp_fronts *fronts, crm_lcp_hand *hand)
{
    atomic_init(&hand->busy, false);
    hand->position = CRM_NEW(uint32_t, fronts->matrix->size);
    hand->at = CRM_NEW(uint32_t, CRM_LCP_TILE * fronts->most_rows);
    hand->x = CRM_NEW(double, fronts->most_columns + CRM_LCP_TILE);
    hand->y = CRM_NEW(double, CRM_LCP_TILE * fronts->most_rows);
    hand->sums = CRM_NEW(double, CRM_LCP_TILE * fronts->most_columns);
    bool made = hand->position != NULL && hand->at != NULL && hand->x != NULL && hand->y != NULL &&
                hand->sums != NULL;
    if (!made) {
        free_hand(hand);
    }
    return made;
}

/* As many as wanted, or as can be had. */
static void reserve_hands(crm_lcp_fronts *fronts, size_t wanted)
{
    if (wanted <= fronts->hand_count) {
        return;
    }
    crm_lcp_hand *hand = crm_resize(fronts->hand, wanted, sizeof *hand);
    if (hand == NULL) {
        return;
    }
    fronts->hand = hand;
    while (fronts->hand_count < wanted && make_hand(fronts, &hand[fronts->hand_count])) {
        fronts->hand_count++;
    }
}

static double bytes_of(const crm_lcp_fronts *fronts, needs n)
{
    return sizeof(double) *
           ((double)n.values + 2 * (double)n.pivots + (double)n.stack +
            (double)fronts->branches.rows + 0.5 * (double)n.outer +
            (double)(CRM_LCP_TILE + 1) * (double)(fronts->most_columns + 2 * fronts->most_rows));
}

static bool allocate(crm_lcp_fronts *fronts, needs n)
{
    fronts->value = crm_allocate_large(n.values, sizeof(double));
    fronts->pivot = CRM_NEW(double, n.pivots);
    fronts->inverse = CRM_NEW(double, n.pivots);
    fronts->stack = crm_allocate_large(n.stack, sizeof(double));
    fronts->outer = CRM_NEW(uint32_t, n.outer);
    fronts->spill = CRM_NEW(double, fronts->branches.rows);
    reserve_hands(fronts, 1);
    return fronts->value != NULL && fronts->pivot != NULL && fronts->inverse != NULL &&
           fronts->stack != NULL && fronts->outer != NULL && fronts->spill != NULL &&
           fronts->hand_count == 1;
}

/* What is needed is known exactly before any of it is asked for. */
static crm_status make_room(crm_lcp_fronts *fronts, crm_error *error)
{
    needs n = lay_out(fronts);
    double most = fronts->matrix->limits.bytes;
    if (most > 0 && bytes_of(fronts, n) > most) {
        return crm_fail_bytes(error, NULL, bytes_of(fronts, n), most);
    }
    if (!allocate(fronts, n)) {
        return crm_fail_memory(error);
    }
    number_outer_rows(fronts);
    return CRM_OK;
}

static crm_status make(crm_lcp_fronts *fronts, crm_error *error)
{
    crm_status status = crm_lcp_tree_create(fronts->matrix, &fronts->tree, error);
    if (status == CRM_OK) {
        status = crm_lcp_branches_create(&fronts->tree, &fronts->branches, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    fronts->place = CRM_NEW(crm_lcp_place, fronts->tree.count);
    return fronts->place != NULL ? make_room(fronts, error) : crm_fail_memory(error);
}

crm_status crm_lcp_fronts_create(const crm_lcp_matrix *matrix, crm_lcp_fronts **out,
                                 crm_error *error)
{
    *out = NULL;
    crm_lcp_fronts *fronts = CRM_NEW(crm_lcp_fronts, 1);
    if (fronts == NULL) {
        return crm_fail_memory(error);
    }
    fronts->matrix = matrix;
    fronts->kernels = crm_lcp_tile_of(crm_widest());
    crm_status status = make(fronts, error);
    if (status != CRM_OK) {
        crm_lcp_fronts_free(fronts);
        return status;
    }
    *out = fronts;
    return CRM_OK;
}

void crm_lcp_fronts_free(crm_lcp_fronts *fronts)
{
    if (fronts == NULL) {
        return;
    }
    for (size_t i = 0; i < fronts->hand_count; i++) {
        free_hand(&fronts->hand[i]);
    }
    crm_lcp_tree_free(&fronts->tree);
    crm_lcp_branches_free(&fronts->branches);
    free(fronts->place);
    free(fronts->value);
    free(fronts->pivot);
    free(fronts->inverse);
    free(fronts->stack);
    free(fronts->outer);
    free(fronts->spill);
    free(fronts->hand);
    free(fronts);
}

/* ---- Who works, and who watches ---------------------------------------------------------------
 */

void crm_lcp_fronts_watch(crm_lcp_fronts *fronts, crm_watching *watching)
{
    fronts->watching = watching;
}

void crm_lcp_fronts_use_width(crm_lcp_fronts *fronts, crm_width width)
{
    fronts->kernels = crm_lcp_tile_of(width);
}

void crm_lcp_fronts_use_threads(crm_lcp_fronts *fronts, crm_threads *threads)
{
    fronts->threads = NULL;
    if (threads != NULL && fronts->branches.count > 0) {
        size_t count = crm_team_threads(crm_threads_team(threads));
        reserve_hands(fronts, count);
        fronts->threads = fronts->hand_count >= count ? threads : NULL;
    }
}

crm_team *crm_lcp_fronts_team(const crm_lcp_fronts *fronts)
{
    return fronts->threads != NULL ? crm_threads_team(fronts->threads) : NULL;
}

crm_lcp_hand *crm_lcp_fronts_take_hand(crm_lcp_fronts *fronts)
{
    for (size_t i = 0;; i = (i + 1) % fronts->hand_count) {
        if (!atomic_exchange(&fronts->hand[i].busy, true)) {
            return &fronts->hand[i];
        }
    }
}

void crm_lcp_fronts_put_back(crm_lcp_hand *hand)
{
    atomic_store(&hand->busy, false);
}

/* Numbers that are multiplied and added count as a tenth of a contact. */
bool crm_lcp_fronts_told_to_end(crm_lcp_fronts *fronts, const crm_lcp_work *w, uint64_t products)
{
    if (atomic_load_explicit(&fronts->ended, memory_order_relaxed)) {
        return true;
    }
    if (fronts->watching == NULL || !pthread_equal(fronts->caller, pthread_self()) ||
        !crm_watch_due(fronts->watching, 1 + products / 10)) {
        return false;
    }
    const crm_watch_report progress = {
        .time = NAN, .left = NAN, .working = fronts->matrix->size, .steps = w->front->first};
    bool ends = crm_watch_ends(fronts->watching, &progress);
    atomic_store_explicit(&fronts->ended, ends, memory_order_relaxed);
    return ends;
}

crm_lcp_work crm_lcp_fronts_take_up(const crm_lcp_fronts *fronts, size_t f)
{
    const crm_lcp_place *p = &fronts->place[f];
    double *block = fronts->value + p->value;
    return (crm_lcp_work){.front = &fronts->tree.front[f],
                          .place = p,
                          .row = fronts->tree.row + fronts->tree.front[f].row_start,
                          .block = block,
                          .rows = block + p->diagonal * CRM_LCP_TILE * p->columns,
                          .left = fronts->stack + p->made};
}

/* ---- Eliminating a front's columns, by one thread or by all -------------------------------------
 */

typedef struct elimination {
    crm_lcp_fronts *fronts;
    const crm_lcp_work *w;
    size_t begin, end; /* columns of the panel in hand */
} elimination;

/* Rows of the own block below a panel's corner. */
static void divide_own(void *context, size_t part)
{
    const elimination *e = context;
    const crm_lcp_place *p = e->w->place;
    size_t t = crm_lcp_tiles(e->end) + part;
    if (!crm_lcp_fronts_told_to_end(e->fronts, e->w, (e->end - e->begin) * e->end * CRM_LCP_TILE)) {
        e->fronts->kernels->divide(p->columns, e->begin, e->end, e->w->block,
                                   e->fronts->inverse + p->pivot, 1,
                                   e->w->block + t * CRM_LCP_TILE * p->columns);
    }
}

static void divide_rows(void *context, size_t t)
{
    const elimination *e = context;
    const crm_lcp_place *p = e->w->place;
    size_t tile = CRM_LCP_TILE * p->columns;
    if (!crm_lcp_fronts_told_to_end(e->fronts, e->w, tile * p->columns)) {
        e->fronts->kernels->divide(p->columns, 0, p->columns, e->w->block,
                                   e->fronts->inverse + p->pivot, 1, e->w->rows + t * tile);
    }
}

/* The longest rows first. */
static void update_left(void *context, size_t part)
{
    const elimination *e = context;
    const crm_lcp_place *p = e->w->place;
    size_t t = p->below - 1 - part, products = CRM_LCP_TILE * CRM_LCP_TILE * p->columns;
    size_t step = MOST_PRODUCTS / products + 1;
    for (size_t u = 0; u <= t; u += step) {
        size_t end = u + step <= t ? u + step : t + 1;
        if (crm_lcp_fronts_told_to_end(e->fronts, e->w, products * (end - u))) {
            return;
        }
        e->fronts->kernels->update(p->columns, e->w->rows, t, u, end, e->w->left);
    }
}

/* L L' of a front's own columns, panel by panel: the corner, then what is below it. */
static bool factor_own(elimination *e, crm_team *team)
{
    const crm_lcp_place *p = e->w->place;
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

static bool eliminate(crm_lcp_fronts *fronts, const crm_lcp_work *w, crm_team *team)
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

/* false: told to end, or broken down. */
static bool factor_front(const factoring *y, const crm_lcp_hand *hand, size_t f, crm_team *team)
{
    crm_lcp_work w = crm_lcp_fronts_take_up(y->fronts, f);
    bool shared = crm_lcp_front_work(w.front) >= WORTH_SHARING;
    return crm_lcp_front_assemble(y->fronts, hand, &w, y->active, y->diagonal) &&
           eliminate(y->fronts, &w, shared ? team : NULL) && crm_lcp_front_move_down(y->fronts, &w);
}

static void factor_branch(void *context, size_t part)
{
    const factoring *y = context;
    const crm_lcp_branch *branch = &y->fronts->branches.branch[part];
    crm_lcp_hand *hand = crm_lcp_fronts_take_hand(y->fronts);
    for (size_t f = branch->first; f < branch->end; f++) {
        if (!factor_front(y, hand, f, NULL)) {
            atomic_store_explicit(&y->fronts->ended, true, memory_order_relaxed);
            break;
        }
    }
    crm_lcp_fronts_put_back(hand);
}

static bool factor_above(const factoring *y, crm_team *team)
{
    const crm_lcp_branches *b = &y->fronts->branches;
    for (size_t k = 0; k < b->above_count; k++) {
        if (!factor_front(y, &y->fronts->hand[0], b->above[k], team)) {
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
