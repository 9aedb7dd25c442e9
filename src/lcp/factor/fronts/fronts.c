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

/* ---- Where everything is --------------------------------------------------------------------- */

typedef struct needs {
    size_t values, pivots, stack, outer;
} needs;

static void lay_out_front(crm_lcp_fronts *fronts, size_t f, needs *n)
{
    const crm_lcp_front *front = &fronts->tree.front[f];
    crm_lcp_front_layout *p = &fronts->place[f];
    size_t groups = (front->columns + CRM_LCP_GROUP - 1) / CRM_LCP_GROUP;
    p->columns = groups * CRM_LCP_GROUP;
    p->diagonal = crm_lcp_tiles(front->columns);
    p->below = crm_lcp_tiles(front->rows);
    p->inside = front->rows;
    p->value = n->values;
    p->pivot = n->pivots;
    n->values += crm_lcp_front_layout_entries(p);
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
    crm_lcp_front_layout *p = &fronts->place[f];
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
            crm_lcp_front_layout *p = &fronts->place[f];
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
    uint32_t *position = fronts->scratch[0].position;
    for (size_t i = 0; i < b->count; i++) {
        const crm_lcp_front *root = &fronts->tree.front[b->branch[i].end - 1];
        for (size_t k = 0; k < root->rows; k++) {
            position[fronts->tree.row[root->row_start + k]] = (uint32_t)(b->branch[i].rows + k);
        }
        for (size_t f = b->branch[i].first; f < b->branch[i].end; f++) {
            const crm_lcp_front *front = &fronts->tree.front[f];
            const crm_lcp_front_layout *p = &fronts->place[f];
            for (size_t k = p->inside; k < front->rows; k++) {
                uint32_t row = fronts->tree.row[front->row_start + k];
                fronts->outer[p->outer + k - p->inside] = position[row];
            }
        }
    }
}

/* ---- Life ---------------------------------------------------------------------------------- */

static void free_hand(crm_lcp_scratch *scratch)
{
    free(scratch->position);
    free(scratch->at);
    free(scratch->x);
    free(scratch->y);
    free(scratch->sums);
}

static bool make_hand(const crm_lcp_fronts *fronts, crm_lcp_scratch *scratch)
{
    atomic_init(&scratch->busy, false);
    scratch->position = CRM_NEW(uint32_t, fronts->matrix->size);
    scratch->at = CRM_NEW(uint32_t, CRM_LCP_TILE * fronts->most_rows);
    scratch->x = CRM_NEW(double, fronts->most_columns + CRM_LCP_TILE);
    scratch->y = CRM_NEW(double, CRM_LCP_TILE * fronts->most_rows);
    scratch->sums = CRM_NEW(double, CRM_LCP_TILE * fronts->most_columns);
    bool made = scratch->position != NULL && scratch->at != NULL && scratch->x != NULL &&
                scratch->y != NULL && scratch->sums != NULL;
    if (!made) {
        free_hand(scratch);
    }
    return made;
}

/* Scratch memory for as many threads as wanted, or fewer if there is no more memory. */
static void reserve_hands(crm_lcp_fronts *fronts, size_t wanted)
{
    if (wanted <= fronts->scratch_count) {
        return;
    }
    crm_lcp_scratch *scratch = crm_memory_resize(fronts->scratch, wanted, sizeof *scratch);
    if (scratch == NULL) {
        return;
    }
    fronts->scratch = scratch;
    while (fronts->scratch_count < wanted && make_hand(fronts, &scratch[fronts->scratch_count])) {
        fronts->scratch_count++;
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
    fronts->value = crm_memory_allocate_large(n.values, sizeof(double));
    fronts->pivot = CRM_NEW(double, n.pivots);
    fronts->inverse = CRM_NEW(double, n.pivots);
    fronts->stack = crm_memory_allocate_large(n.stack, sizeof(double));
    fronts->outer = CRM_NEW(uint32_t, n.outer);
    fronts->spill = CRM_NEW(double, fronts->branches.rows);
    reserve_hands(fronts, 1);
    return fronts->value != NULL && fronts->pivot != NULL && fronts->inverse != NULL &&
           fronts->stack != NULL && fronts->outer != NULL && fronts->spill != NULL &&
           fronts->scratch_count == 1;
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
    fronts->place = CRM_NEW(crm_lcp_front_layout, fronts->tree.count);
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
    for (size_t i = 0; i < fronts->scratch_count; i++) {
        free_hand(&fronts->scratch[i]);
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
    free(fronts->scratch);
    free(fronts);
}

/* ---- Who works, and who watches -------------------------------------------------------------- */

void crm_lcp_fronts_watch(crm_lcp_fronts *fronts, crm_watching *watching)
{
    fronts->watching = watching;
}

void crm_lcp_fronts_use_width(crm_lcp_fronts *fronts, crm_width width)
{
    fronts->kernels = crm_lcp_tile_of(width);
}

void crm_lcp_fronts_use_threads(crm_lcp_fronts *fronts, crm_team_lazy *threads)
{
    fronts->threads = NULL;
    if (threads != NULL && fronts->branches.count > 0) {
        size_t count = crm_team_threads(crm_team_lazy_start(threads));
        reserve_hands(fronts, count);
        fronts->threads = fronts->scratch_count >= count ? threads : NULL;
    }
}

crm_team *crm_lcp_fronts_team(const crm_lcp_fronts *fronts)
{
    return fronts->threads != NULL ? crm_team_lazy_start(fronts->threads) : NULL;
}

crm_lcp_scratch *crm_lcp_fronts_take_scratch(crm_lcp_fronts *fronts)
{
    for (size_t i = 0;; i = (i + 1) % fronts->scratch_count) {
        if (!atomic_exchange(&fronts->scratch[i].busy, true)) {
            return &fronts->scratch[i];
        }
    }
}

void crm_lcp_fronts_return_scratch(crm_lcp_scratch *scratch)
{
    atomic_store(&scratch->busy, false);
}

/* Numbers that are multiplied and added count as a tenth of a contact. */
bool crm_lcp_fronts_are_interrupted(crm_lcp_fronts *fronts, const crm_lcp_front_view *w,
                                    uint64_t products)
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

crm_lcp_front_view crm_lcp_fronts_view(const crm_lcp_fronts *fronts, size_t f)
{
    const crm_lcp_front_layout *p = &fronts->place[f];
    double *block = fronts->value + p->value;
    return (crm_lcp_front_view){.front = &fronts->tree.front[f],
                                .place = p,
                                .row = fronts->tree.row + fronts->tree.front[f].row_start,
                                .block = block,
                                .rows = block + p->diagonal * CRM_LCP_TILE * p->columns,
                                .left = fronts->stack + p->made};
}
